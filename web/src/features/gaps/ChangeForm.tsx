import { Button, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { paths } from '../../api/schema.d.ts';
import { createLensQuery } from '../ask/api/lenses.ts';
import css from './gaps.module.css';

export type LensChange = NonNullable<
  NonNullable<
    NonNullable<paths['/mgmt/gap-map/{id}/resolve']['post']['requestBody']>['content']['application/json']
  >['change']
>;
type LensChangeKind = 'synonym' | 'definition' | 'metric';
type TargetKind = 'metric' | 'definition' | 'field' | 'dataset';

const CHANGE_KINDS: { value: LensChangeKind; label: string }[] = [
  { value: 'synonym', label: 'Synonym' },
  { value: 'definition', label: 'New term' },
  { value: 'metric', label: 'New metric' },
];

export function ChangeForm(props: {
  lens: string;
  suggested: LensChange | null;
  isBusy: boolean;
  onChange: (change: LensChange) => void;
  onLeave: () => void;
}) {
  const { suggested } = props;
  const [kind, setKind] = useState<LensChangeKind>(suggested?.kind === 'metric' ? 'metric' : 'synonym');
  const [word, setWord] = useState(getSynonym(suggested));
  const [target, setTarget] = useState<string | null>(
    suggested?.kind === 'synonym' && suggested.name ? `${suggested.of} ${suggested.name}` : null,
  );
  const [meaning, setMeaning] = useState('');
  const [expression, setExpression] = useState('');
  const { data: lens } = useQuery(createLensQuery(props.lens));
  const change = createLensChange({
    kind,
    word: word.trim(),
    target,
    meaning: meaning.trim(),
    expression: expression.trim(),
  });
  const targetOptions = lens
    ? [
        toOptionGroup(
          'Metrics',
          'metric',
          lens.schema.metrics.map(({ name }) => name),
        ),
        toOptionGroup(
          'Terms',
          'definition',
          lens.definitions.map(({ term }) => term),
        ),
        toOptionGroup(
          'Fields',
          'field',
          lens.schema.datasets.flatMap((dataset) => dataset.fields.map((f) => `${dataset.name}.${f.name}`)),
        ),
        toOptionGroup(
          'Datasets',
          'dataset',
          lens.schema.datasets.map(({ name }) => name),
        ),
      ].filter(({ items }) => items.length > 0)
    : [];
  const isMetric = kind === 'metric';
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (change) props.onChange(change);
      }}
    >
      <p className={css.missing}>
        {word.trim() && kind !== 'metric' ? `What does “${word.trim()}” mean?` : 'What is missing from the lens?'}
      </p>
      <SegmentedControl
        aria-label="Type of change"
        value={kind}
        onChange={(value) => setKind(value as LensChangeKind)}
        data={CHANGE_KINDS}
      />
      <TextInput
        label={isMetric ? 'Metric name' : 'Word or phrase'}
        value={word}
        onChange={({ currentTarget: { value } }) => setWord(value)}
      />
      {kind !== 'metric' && (
        <Select
          label={kind === 'synonym' ? 'Means the same as' : 'Metric (optional)'}
          placeholder={kind === 'synonym' ? 'Choose a metric, term, field or dataset' : 'Choose a metric'}
          searchable
          clearable={kind === 'definition'}
          clearButtonProps={{ 'aria-label': 'None' }}
          data={kind === 'synonym' ? targetOptions : targetOptions.filter((option) => option.group === 'Metrics')}
          value={target}
          onChange={setTarget}
        />
      )}
      {kind !== 'synonym' && (
        <Textarea
          label={kind === 'metric' ? 'Description' : 'Meaning'}
          autosize
          value={meaning}
          onChange={({ currentTarget: { value } }) => setMeaning(value)}
        />
      )}
      {kind !== 'synonym' && !(kind === 'definition' && target) && (
        <TextInput
          label={isMetric ? 'Expression, such as sum(orders.sales)' : 'Filter (optional), such as orders.sales > 1000'}
          value={expression}
          onChange={({ currentTarget: { value } }) => setExpression(value)}
        />
      )}
      <div className={css.buttons}>
        <Button type="submit" size="xs" disabled={!change} loading={props.isBusy}>
          Draft the fix
        </Button>
        <Button size="xs" variant="default" onClick={props.onLeave}>
          Cancel
        </Button>
      </div>
      <p className={css.quiet}>The fix changes the lens only after someone approves it.</p>
    </form>
  );
}

const toOptionGroup = (heading: string, kind: TargetKind, names: string[]) => ({
  group: heading,
  items: names.map((name) => ({ value: `${kind} ${name}`, label: name.replaceAll('_', ' ') })),
});

function getSynonym(change: LensChange | null): string {
  if (change?.kind === 'definition') return change.term;
  return change && 'synonym' in change ? change.synonym : '';
}

function createLensChange(formValues: {
  kind: LensChangeKind;
  word: string;
  target: string | null;
  meaning: string;
  expression: string;
}): LensChange | null {
  const { kind, word, target, meaning, expression } = formValues;
  if (!word) return null;
  const [targetKind = '', ...rest] = target?.split(' ') ?? [];
  const name = rest.join(' ');
  if (kind === 'synonym') return target ? { kind, of: targetKind as TargetKind, name, synonym: word } : null;
  if (!meaning) return null;
  if (kind === 'metric')
    return expression && /^[A-Za-z_]\w*$/.test(word) ? { kind, name: word, expression, description: meaning } : null;
  return {
    ...{ kind, term: word, meaning },
    ...(targetKind === 'metric' ? { metric: name } : expression ? { filter: expression } : {}),
  };
}
