// The page's address contains the filters of a board. The app adds each filter to the plans of tiles whose lens has the
// field.
import type { Envelope, MetricsBody } from '../ask/api/ask.ts';
import type { LensDetail } from '../ask/api/lenses.ts';
import { getPlanWithoutQuestion, listFilterableFields } from '../ask/lib/refine-plan.ts';

/** The selected values of each filtered field, such as {"orders.region": ["West"]}. */
export type BoardFilter = Record<string, string[]>;

export function parseBoardFilter(input: unknown): BoardFilter {
  if (typeof input !== 'object' || input === null) return {};
  const isTextList = (values: unknown): values is string[] =>
    Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string');
  return Object.fromEntries(Object.entries(input).filter(([, values]) => isTextList(values)));
}

/** `unappliedFields` lists the fields of the filters that the app can't apply to the tile. */
export function applyBoardFilter(
  answer: Envelope,
  filter: BoardFilter,
  detail: LensDetail,
): { body: MetricsBody | null; unappliedFields: string[] } {
  const allowedFields = new Set(listFilterableFields(detail));
  const plan = getPlanWithoutQuestion(answer);
  const appliedEntries = plan ? Object.entries(filter).filter(([field]) => allowedFields.has(field)) : [];
  const unappliedFields = Object.keys(filter).filter(
    (field) => !appliedEntries.some(([appliedField]) => appliedField === field),
  );
  if (!plan || appliedEntries.length === 0) return { body: null, unappliedFields };
  const conditions = appliedEntries.map(([field, values]) => ({ field, op: 'in' as const, values }));
  return { body: { ...plan, filters: [...(plan.filters ?? []), ...conditions] }, unappliedFields };
}
