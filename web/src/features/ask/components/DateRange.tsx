import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { findLastDayBefore } from '../../../ui/format.ts';
import { createPeriod, type NamedPeriod } from '../lib/refine-plan.ts';
import css from './ask.module.css';

export function DateRange(props: {
  initial?: { from: string; to: string } | null;
  onTake: (period: NamedPeriod) => void;
}) {
  const [first, setFirst] = useState(props.initial?.from.slice(0, 10) ?? '');
  const [last, setLast] = useState(props.initial ? findLastDayBefore(props.initial.to) : '');
  const period = createPeriod(first, last);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (period) props.onTake(period);
  };
  return (
    <form className={css.dateRange} onSubmit={onSubmit}>
      <label>
        From
        <input type="date" value={first} onChange={({ currentTarget: { value } }) => setFirst(value)} />
      </label>
      <label>
        To
        <input type="date" value={last} onChange={({ currentTarget: { value } }) => setLast(value)} />
      </label>
      <Button type="submit" size="xs" disabled={!period}>
        Apply
      </Button>
      {first && last && !period && <p role="alert">The last day is before the first day.</p>}
    </form>
  );
}
