import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { LensPart } from './edit-text.ts';
import css from './form.module.css';
import type { PanelProps } from './Panels.tsx';

type NewPartProps = PanelProps & { onAdded: (part: LensPart) => void };

export function NewMetric({ lens, onChange, onAdded }: NewPartProps) {
  const [typedName, setTypedName] = useState('');
  const [expression, setExpression] = useState('');
  const [description, setDescription] = useState('');
  const name = typedName.trim().replaceAll(/\s+/g, '_');
  const fault = !name
    ? null
    : !/^[A-Za-z_]\w*$/.test(name)
      ? 'Start with a letter, and use only letters, digits and underscores.'
      : lens.metrics?.[name]
        ? `The lens already has a metric ${name}.`
        : null;
  return (
    <form
      className={css.new}
      onSubmit={(event) => {
        event.preventDefault();
        const value = { expression: expression.trim(), ...(description.trim() && { description: description.trim() }) };
        onChange([{ path: ['metrics', name], value }]);
        onAdded(`metric ${name}`);
      }}
    >
      <TextInput
        label="Name"
        placeholder="average_order"
        value={typedName}
        error={fault}
        onChange={({ currentTarget: { value } }) => setTypedName(value)}
      />
      <Textarea
        label="Expression"
        description="An aggregate, such as sum(orders.sales)"
        spellCheck={false}
        autosize
        value={expression}
        onChange={({ currentTarget: { value } }) => setExpression(value)}
      />
      <Textarea
        label="Description"
        autosize
        value={description}
        onChange={({ currentTarget: { value } }) => setDescription(value)}
      />
      <Button type="submit" size="sm" disabled={!name || fault !== null || !expression.trim()}>
        Add
      </Button>
    </form>
  );
}

export function NewTerm({ lens, onChange, onAdded }: NewPartProps) {
  const [typedTerm, setTypedTerm] = useState('');
  const [meaning, setMeaning] = useState('');
  const [metric, setMetric] = useState<string | null>(null);
  const [filter, setFilter] = useState('');
  const definitions = lens.definitions ?? [];
  const term = typedTerm.trim();
  const isTaken = definitions.some((other) => other.term?.toLowerCase() === term.toLowerCase());
  return (
    <form
      className={css.new}
      onSubmit={(event) => {
        event.preventDefault();
        const target = metric ? { metric } : filter.trim() ? { filter: filter.trim() } : {};
        onChange([{ path: ['definitions', definitions.length], value: { term, meaning: meaning.trim(), ...target } }]);
        onAdded(`term ${definitions.length}`);
      }}
    >
      <TextInput
        label="Term"
        placeholder="big order"
        value={typedTerm}
        error={isTaken && `The lens already has a term ${term}.`}
        onChange={({ currentTarget: { value } }) => setTypedTerm(value)}
      />
      <Textarea
        label="Meaning"
        description="svc quotes this text unchanged"
        autosize
        value={meaning}
        onChange={({ currentTarget: { value } }) => setMeaning(value)}
      />
      <Select
        label="Metric (optional)"
        clearable
        clearButtonProps={{ 'aria-label': 'No metric' }}
        data={Object.keys(lens.metrics ?? {})}
        value={metric}
        onChange={setMetric}
      />
      {!metric && (
        <TextInput
          label="Only rows where (optional)"
          description="A condition, such as orders.sales > 1000"
          spellCheck={false}
          value={filter}
          onChange={({ currentTarget: { value } }) => setFilter(value)}
        />
      )}
      <Button type="submit" size="sm" disabled={!term || isTaken || !meaning.trim()}>
        Add
      </Button>
    </form>
  );
}
