// Changes an answer to another measure, breakdown, period or order, to a comparison, or to the rows behind the answer.
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isLike, SearchMenu, useSearchMenu } from '../../../ui/SearchList.tsx';
import type { Envelope, Inquiry } from '../api/ask.ts';
import { lensQuery } from '../api/lenses.ts';
import {
  breakdowns,
  inquiryOfPlan,
  measures,
  orders,
  periodsLike,
  planOf,
  type Refinement,
  rowsBehind,
  withPeriod,
  withPreviousPeriod,
} from '../lib/refine-plan.ts';
import css from './ask.module.css';

export function Refine({ envelope, onAsk }: { envelope: Envelope; onAsk: (inquiry: Inquiry) => void }) {
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
  const take = (refined: Refinement) => onAsk(inquiryOfPlan(envelope.lens!, refined));
  const measured = (plan.metrics?.length ?? 0) + (plan.measures?.length ?? 0) > 0;
  const single = [withPreviousPeriod(plan), measured ? rowsBehind(plan, detail) : null].filter((item) => item !== null);
  return (
    <fieldset className={css.actions} aria-label="Refine this answer">
      {measured && <Choices label="Break down by" refinements={breakdowns(plan, detail)} onTake={take} />}
      {measured && <Choices label="Measure" refinements={measures(plan, detail)} onTake={take} />}
      {measured && <Period onTake={(period) => take(withPeriod(plan, period))} />}
      <Choices label="Sort" refinements={orders(plan)} onTake={take} />
      {single.map((item) => (
        <Button key={item.label} size="compact-xs" variant="subtle" onClick={() => take(item)}>
          {item.label}
        </Button>
      ))}
    </fieldset>
  );
}

function Choices(props: { label: string; refinements: Refinement[]; onTake: (refined: Refinement) => void }) {
  const menu = useSearchMenu();
  if (props.refinements.length === 0) return null;
  return (
    <SearchMenu
      menu={menu}
      button={
        <Button size="compact-xs" variant="subtle">
          {props.label}
        </Button>
      }
      label={`${props.label}: search`}
      placeholder="Search"
      options={props.refinements
        .filter(({ label }) => isLike(label, menu.typed))
        .map((item) => ({ key: item.title, label: item.label, take: () => props.onTake(item) }))}
      note="Nothing has this name."
    />
  );
}

function Period({ onTake }: { onTake: (period: string) => void }) {
  const menu = useSearchMenu();
  return (
    <SearchMenu
      menu={menu}
      button={
        <Button size="compact-xs" variant="subtle">
          Period
        </Button>
      }
      label="Another period"
      placeholder="2016, 2016-Q2, 2016-03"
      options={periodsLike(menu.typed).map(({ label, value }) => ({ key: value, label, take: () => onTake(value) }))}
    />
  );
}
