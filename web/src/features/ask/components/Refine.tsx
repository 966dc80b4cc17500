// Changes an answer: another measure, a breakdown, a period, an order, a comparison, or the rows behind it.
import { Button, Menu, ScrollArea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Asked, Envelope } from '../api/ask.ts';
import { lensQuery } from '../api/lenses.ts';
import {
  breakdowns,
  measures,
  orders,
  PERIODS,
  planAsk,
  planOf,
  type Refinement,
  rowsBehind,
  withPeriod,
  withPreviousPeriod,
} from '../lib/refine-plan.ts';
import css from './ask.module.css';

export function Refine({ envelope, onAsk }: { envelope: Envelope; onAsk: (asked: Asked) => void }) {
  const { data: detail } = useQuery({ ...lensQuery(envelope.lens ?? ''), enabled: envelope.lens !== null });
  const plan = planOf(envelope);
  if (!plan && envelope.certification === 'certified')
    return (
      <p className={css.hint}>
        No plan means the same as the approved SQL of this answer, so you can’t change its parts. Ask a new question
        instead.
      </p>
    );
  if (!plan || !detail) return null;
  const take = (refined: Refinement) => onAsk(planAsk(envelope.lens!, refined));
  const measured = (plan.metrics?.length ?? 0) + (plan.measures?.length ?? 0) > 0;
  const single = [withPreviousPeriod(plan), measured ? rowsBehind(plan, detail) : null].filter((item) => item !== null);
  return (
    <fieldset className={css.actions} aria-label="Refine this answer">
      {measured && <Choices label="Break down by" of={breakdowns(plan, detail)} onTake={take} />}
      {measured && <Choices label="Measure" of={measures(plan, detail)} onTake={take} />}
      {measured && <Period onTake={(period) => take(withPeriod(plan, period))} />}
      <Choices label="Sort" of={orders(plan)} onTake={take} />
      {single.map((item) => (
        <Button key={item.label} size="compact-xs" variant="subtle" onClick={() => take(item)}>
          {item.label}
        </Button>
      ))}
    </fieldset>
  );
}

const SEARCHED_FROM = 9;

function Choices(props: { label: string; of: Refinement[]; onTake: (refined: Refinement) => void }) {
  const [typed, setTyped] = useState('');
  if (props.of.length === 0) return null;
  const found = props.of.filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase()));
  return (
    <Menu position="bottom-start" onClose={() => setTyped('')}>
      <Menu.Target>
        <Button size="compact-xs" variant="subtle">
          {props.label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {props.of.length >= SEARCHED_FROM && (
          <Menu.Search
            size="xs"
            aria-label={`${props.label}: search`}
            placeholder="Search"
            value={typed}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
          />
        )}
        <ScrollArea.Autosize mah={280}>
          {found.map((item) => (
            <Menu.Item key={item.title} onClick={() => props.onTake(item)}>
              {item.label}
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}

function Period({ onTake }: { onTake: (period: string) => void }) {
  const [typed, setTyped] = useState('');
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button size="compact-xs" variant="subtle">
          Period
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {PERIODS.map(([label, period]) => (
          <Menu.Item key={period} onClick={() => onTake(period)}>
            {label}
          </Menu.Item>
        ))}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim()) onTake(typed.trim());
          }}
        >
          <TextInput
            size="xs"
            aria-label="Another period"
            placeholder="2016, 2016-Q2, 2016-03"
            value={typed}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
          />
        </form>
      </Menu.Dropdown>
    </Menu>
  );
}
