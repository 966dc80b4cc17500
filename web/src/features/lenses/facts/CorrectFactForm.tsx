import { Button, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ErrorState } from '../../../ui/States.tsx';
import type { LensDetail } from '../../ask/api/lenses.ts';
import css from './facts.module.css';
import { type Fact, useDecideFacts } from './facts-api.ts';

const AGGREGATION_OPTIONS = [
  { value: 'sum', label: 'Sum: an amount, a quantity' },
  { value: 'average', label: 'Average: a rate, a price' },
  { value: 'latest', label: 'Latest: a balance, a stock level' },
  { value: 'none', label: 'None: a code, a year' },
];
const DATE_DATATYPES = new Set(['date', 'datetime', 'datetimetz']);
/** The labels of the corrections that remove a fact from the lens. */
const REMOVAL_LABELS: Partial<Record<Fact['kind'], string>> = {
  key: 'This table has no key',
  join: 'There is no such join',
  time_field: 'This table has no such date',
  unit: 'There is no unit',
  codes: 'These are not codes',
};

export function CorrectFactForm(props: { lens: LensDetail; fact: Fact; onDone: () => void }) {
  const { lens, fact } = props;
  const [value, setValue] = useState(fact.says);
  const ruling = useDecideFacts(lens.name);
  const correct = (says: string | null) => ruling.mutate({ correct: { [fact.id]: says } }, { onSuccess: props.onDone });
  const save = (event: FormEvent) => {
    event.preventDefault();
    correct(value);
  };
  const removal = REMOVAL_LABELS[fact.kind];
  const options = listOptions(lens, fact);
  return (
    <form className={css.correct} onSubmit={save}>
      {options ? (
        <Select
          label="Correct value"
          data={options}
          value={value}
          allowDeselect={false}
          onChange={(next) => setValue(next ?? fact.says)}
        />
      ) : (
        <TextInput
          label="Correct value"
          value={value}
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
        />
      )}
      <Button size="sm" type="submit" disabled={value === fact.says || value === ''} loading={ruling.isPending}>
        Save
      </Button>
      {removal && (
        <Button size="sm" variant="default" disabled={ruling.isPending} onClick={() => correct(null)}>
          {removal}
        </Button>
      )}
      <Button size="sm" variant="subtle" onClick={props.onDone}>
        Cancel
      </Button>
      {ruling.error && <ErrorState fault={ruling.error} />}
    </form>
  );
}

/** Returns null if the person must type the value. */
function listOptions({ schema }: LensDetail, { kind, of }: Fact): { value: string; label: string }[] | null {
  if (kind === 'aggregation') return AGGREGATION_OPTIONS;
  if (kind !== 'time_field') return null;
  const fields = schema.datasets.find(({ name }) => name === of)?.fields ?? [];
  return fields
    .filter(({ datatype }) => DATE_DATATYPES.has(datatype))
    .map(({ name }) => ({ value: name, label: name }));
}
