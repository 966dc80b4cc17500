// Each group, filter and period of a plan is a chip. If a person changes or removes a chip, the app asks the changed
// plan.
import { formatPeriod } from '../../../ui/format.ts';
import type { Envelope, Inquiry, MetricsBody } from '../api/ask.ts';
import { createPeriodRefinement } from './refine-plan.ts';

export interface ScopeChip {
  key: string;
  label: string;
  /** The plan without the group, filter or period. Null if no one can remove the chip. */
  planWithout: MetricsBody | null;
  /** The change that the person can make with the chip: another value, group or period. */
  change?: { kind: 'value' | 'group' | 'period'; field: string; apply: (choice: string) => MetricsBody };
}

export function createScopeChips({ scope, plan, lens }: Envelope): ScopeChip[] {
  const editablePlan = plan && typeof plan === 'object' && lens ? plan : null;
  const filters = editablePlan?.filters ?? [];
  const findFilterIndex = (field: string, op: string) =>
    filters.findIndex((filter) => 'field' in filter && `${filter.field} ${filter.op ?? '='}` === `${field} ${op}`);
  return [
    ...(editablePlan ? createGroupChips(editablePlan) : []),
    ...createComparedPeriodChips(scope?.filters ?? [], editablePlan),
    ...(scope?.filters ?? [])
      .filter(({ op }) => op !== 'compared')
      .map(({ field, op, values }, index) => {
        const filterIndex = findFilterIndex(field, op);
        const remainingFilters = filters.filter((_, other) => other !== filterIndex);
        return {
          key: `filter ${index}`,
          label: formatCondition(field, op, values),
          planWithout: editablePlan && filterIndex >= 0 ? { ...editablePlan, filters: remainingFilters } : null,
          ...(editablePlan &&
            filterIndex >= 0 &&
            ['=', 'in'].includes(op) && {
              change: {
                kind: 'value' as const,
                field,
                apply: (value: string) => ({
                  ...editablePlan,
                  filters: filters.with(filterIndex, { field, op: '=', values: [value] }),
                }),
              },
            }),
        };
      }),
    ...(scope?.time
      ? [
          {
            key: 'time',
            label: formatPeriod(scope.time),
            planWithout: editablePlan?.time ? ({ ...editablePlan, time: undefined } satisfies MetricsBody) : null,
            ...(editablePlan?.time && {
              change: {
                kind: 'period' as const,
                field: scope.time.field,
                apply: (period: string) => createPeriodRefinement(editablePlan, period).body,
              },
            }),
          },
        ]
      : []),
  ];
}

type ScopeFilter = NonNullable<Envelope['scope']>['filters'][number];

/** A change and its percentage have the same filter, shown as one chip such as "2016 vs 2015". */
function createComparedPeriodChips(filters: ScopeFilter[], plan: MetricsBody | null): ScopeChip[] {
  const periods = filters
    .filter(({ op }) => op === 'compared')
    .map(({ values }) => formatPeriod({ from: String(values[0]), to: String(values[1]) }));
  const label = [...new Set(periods)].reverse().join(' vs ');
  return label ? [{ key: 'compared', label, planWithout: plan && removeComparison(plan) }] : [];
}

/** Removes the earlier period of a comparison. Returns null if the plan has more than one comparison. */
function removeComparison({ measures = [], metrics = [], ...plan }: MetricsBody): MetricsBody | null {
  const [change] = measures;
  if (metrics.length > 0 || typeof change !== 'object' || change.fn !== 'change' || !change.to) return null;
  const { of, to } = change;
  const target = JSON.stringify([of, to]);
  for (const other of measures)
    if (typeof other !== 'object' || other.fn !== 'change' || JSON.stringify([other.of, other.to]) !== target)
      return null;
  return { ...plan, measures: [of], time: to, order_by: undefined };
}

function createGroupChips(plan: MetricsBody): ScopeChip[] {
  const groups = plan.dimensions ?? [];
  if (plan.rows) return [];
  return groups.flatMap((group, index): ScopeChip[] => {
    if (typeof group !== 'string') return [];
    const remainingGroups = groups.filter((_, other) => other !== index);
    return [
      {
        key: `group ${group}`,
        label: `by ${group.split('.').slice(1).join(' ').replaceAll('_', ' ')}`,
        planWithout: {
          ...plan,
          dimensions: remainingGroups,
          ...(remainingGroups.length === 0 && { order_by: undefined, limit: undefined }),
        },
        change: { kind: 'group', field: group, apply: (other) => ({ ...plan, dimensions: groups.with(index, other) }) },
      },
    ];
  });
}

export const createInquiryWithChoice = (
  lens: string,
  chip: ScopeChip,
  choice: { label: string; value: string },
): Inquiry => ({
  kind: 'plan',
  title: `Same question with “${choice.label}”`,
  lens,
  body: chip.change!.apply(choice.value),
  choices: {},
});

export function createInquiryWithoutChip(chip: ScopeChip, envelope: Envelope): Inquiry | null {
  if (!chip.planWithout || !envelope.lens) return null;
  return {
    kind: 'plan',
    title: `Same question without “${chip.label}”`,
    lens: envelope.lens,
    body: chip.planWithout,
    choices: {},
  };
}

const OPERATOR_WORDS: Record<string, string> = {
  '=': 'is',
  '!=': 'is not',
  in: 'is one of',
  not_in: 'is none of',
  '>': 'over',
  '>=': 'at least',
  '<': 'under',
  '<=': 'at most',
  between: 'from',
  contains: 'contains',
  starts_with: 'starts with',
  is_null: 'is empty',
  is_not_null: 'is not empty',
};

function formatCondition(field: string, op: string, values: unknown[]): string {
  const name = (field.split('.').at(-1) ?? field).replaceAll('_', ' ');
  const valueText = op === 'between' ? values.join(' to ') : values.map(String).join(', ');
  return [name, OPERATOR_WORDS[op] ?? op, valueText].filter(Boolean).join(' ');
}
