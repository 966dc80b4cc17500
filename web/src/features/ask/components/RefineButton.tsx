import { Button } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { matchesTypedText, SearchMenu, type SearchOption, useSearchMenu } from '../../../ui/SearchList.tsx';
import type { Envelope, Inquiry, MetricsBody } from '../api/ask.ts';
import { createLensQuery, type LensDetail, useValues } from '../api/lenses.ts';
import {
  createBreakdownRefinements,
  createComparisonRefinement,
  createFilterRefinement,
  createMeasureRefinements,
  createOrderRefinements,
  createPeriodRefinement,
  createPlanInquiry,
  createRowsRefinement,
  formatFieldName,
  getPlanWithoutQuestion,
  listFilterableFields,
  PERIOD_HINT,
  type PlanRefinement,
  suggestPeriods,
} from '../lib/refine-plan.ts';
import css from './ask.module.css';
import { DateRange } from './DateRange.tsx';

export function RefineButton({ envelope, onAsk }: { envelope: Envelope; onAsk: (inquiry: Inquiry) => void }) {
  const { data: detail } = useQuery({ ...createLensQuery(envelope.lens ?? ''), enabled: envelope.lens !== null });
  const plan = getPlanWithoutQuestion(envelope);
  if (!plan && envelope.certification === 'certified')
    return (
      <p className={css.hint}>
        No plan is equivalent to the approved SQL of this answer, so you can’t refine the answer. Ask a new question
        instead.
      </p>
    );
  if (!plan || !detail) return null;
  return (
    <RefineMenu
      plan={plan}
      detail={detail}
      time={envelope.scope?.time}
      onTake={(refined) => onAsk(createPlanInquiry(envelope.lens!, refined))}
    />
  );
}

/** Lists the possible changes by kind. Typed text searches the changes of all kinds. */
function RefineMenu(props: {
  plan: MetricsBody;
  detail: LensDetail;
  time: { from: string; to: string } | null | undefined;
  onTake: (refined: PlanRefinement) => void;
}) {
  const { plan, detail } = props;
  const [kind, setKind] = useState<string | null>(null);
  const [filterField, setFilterField] = useState<string | null>(null);
  const menu = useSearchMenu(() => {
    setKind(null);
    setFilterField(null);
  });
  const { values, error } = useValues(detail.name, filterField ?? '', menu.typed, filterField !== null);
  const hasMeasure = (plan.metrics?.length ?? 0) + (plan.measures?.length ?? 0) > 0;
  const all: [string, PlanRefinement[]][] = [
    ['Break down by', hasMeasure ? createBreakdownRefinements(plan, detail) : []],
    ['Measure', hasMeasure ? createMeasureRefinements(plan, detail) : []],
    [
      'Period',
      hasMeasure
        ? suggestPeriods(menu.typed).map(({ label, value }) => createPeriodRefinement(plan, value, label))
        : [],
    ],
    ['Sort', createOrderRefinements(plan)],
  ];
  const kinds = all.filter(([name, refinements]) => refinements.length > 0 && (!kind || name === kind));
  const oneClickRefinements = [
    createComparisonRefinement(plan),
    hasMeasure ? createRowsRefinement(plan, detail) : null,
  ].filter((item) => item !== null);
  const optionOf = (item: PlanRefinement, hint?: string): SearchOption => ({
    key: item.title,
    label: item.label,
    ...(hint && { hint }),
    take: () => props.onTake(item),
  });
  const choose = (name: string) => {
    setKind(name);
    menu.setTyped('');
  };
  const filterOptions = filterField
    ? (values ?? []).map((value) => optionOf(createFilterRefinement(plan, filterField, value)))
    : listFilterableFields(detail)
        .filter((field) => matchesTypedText(formatFieldName(field), menu.typed))
        .map((field) => ({
          key: field,
          label: formatFieldName(field),
          hint: field.split('.')[0]!,
          staysOpen: true,
          take: () => {
            setFilterField(field);
            menu.setTyped('');
          },
        }));
  const filterByTypedText = (items: PlanRefinement[]): PlanRefinement[] =>
    items.filter(({ label }) => matchesTypedText(label, menu.typed));
  const optionsOf = (): (SearchOption & { staysOpen?: boolean })[] => {
    if (kind === 'Filter') return filterOptions;
    const changes = kinds.flatMap(([name, refinements]) =>
      (name === 'Period' ? refinements : filterByTypedText(refinements)).map((item) =>
        optionOf(item, kind ? undefined : name),
      ),
    );
    if (kind) return changes;
    const oneClickOptions = filterByTypedText(oneClickRefinements).map((item) => optionOf(item));
    const kindOptions = [...kinds.map(([name]) => name), 'Filter']
      .filter((name) => matchesTypedText(name, menu.typed))
      .map((name) => ({ key: name, label: name, hint: '›', staysOpen: true, take: () => choose(name) }));
    return menu.typed ? [...changes, ...oneClickOptions, ...kindOptions] : [...kindOptions, ...oneClickOptions];
  };
  return (
    <SearchMenu
      menu={menu}
      button={
        <Button size="xs" variant="default" leftSection={<IconAdjustmentsHorizontal size={15} aria-hidden="true" />}>
          Refine
        </Button>
      }
      label={
        filterField
          ? `Value of ${formatFieldName(filterField)}`
          : kind
            ? `${kind}: search`
            : 'Refine this answer: search'
      }
      placeholder={kind === 'Period' ? PERIOD_HINT : 'Search'}
      options={optionsOf()}
      {...(kind === 'Period' && {
        footer: (close) => (
          <DateRange
            initial={props.time}
            onTake={({ label, value }) => {
              close();
              props.onTake(createPeriodRefinement(plan, value, label));
            }}
          />
        ),
      })}
      note={kind === 'Period' ? PERIOD_HINT : (error?.message ?? 'No matches.')}
    />
  );
}
