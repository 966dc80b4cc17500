// "What percentage of sales comes from the West": what stands behind the verb is the part, what stands before it
// restricts the whole. A single condition without a verb is the part.
import type { Aggregate, Filter, Measure, MetricUse } from '../../lens/model/intent.ts';
import type { Cursor } from '../grammar/cursor.ts';
import type { Draft, MeasureDraft } from '../grammar/draft.ts';
import { refuse } from '../grammar/resolve.ts';
import type { Built } from './bind-conditions.ts';

type Part = Pick<Draft, 'conditions' | 'clauses' | 'definitions'>;
const SPLIT = /^(?:is|are|was|were|that|who|which|have|has|had)$/;

/** Takes the part out of the draft; null where the share is that of each group. */
export const takePart = (c: Cursor, measure: MeasureDraft): Part | null => {
  const { draft } = c;
  const related = draft.clauses.filter((clause) => clause.relation);
  const all = [...draft.conditions, ...draft.definitions, ...related.map((clause) => clause.relation!)];
  if (all.length === 0) return null;
  const behind = [
    ...draft.verbs.map((verb) => verb.at),
    ...c.tokens.flatMap((token, at) => (SPLIT.test(token.norm) ? [at] : [])),
  ].filter((at) => at >= measure.end!);
  const split = behind.length > 0 ? Math.min(...behind) : null;
  if (split === null && draft.groups.length > 0) return null;
  if (split === null && all.length !== 1)
    refuse(
      all.map((one) => one.text),
      'Say which of these is the part and which the whole: "what percentage of … comes from …".',
    );
  const from = split ?? 0;
  const part: Part = {
    conditions: draft.conditions.filter((one) => one.at >= from),
    definitions: draft.definitions.filter((one) => one.at >= from),
    clauses: draft.clauses.filter((clause) => clause.id === 0 || !clause.relation || clause.relation.at >= from),
  };
  const taken = part.conditions.length + part.definitions.length + part.clauses.filter((one) => one.relation).length;
  if (taken === 0) refuse(measure.text, 'Say which part of the whole is meant.');
  // "comes from web excluding Wien": out of the part, or out of the whole?
  const negated = part.conditions.filter((one) => one.negated || one.clause.negated);
  if (negated.length > 0 && negated.length < taken) refuse(negated.map((one) => one.text));
  if (draft.ranks.length + draft.havings.length > 0) refuse(measure.text);
  draft.conditions = draft.conditions.filter((one) => !part.conditions.includes(one));
  draft.definitions = draft.definitions.filter((one) => !part.definitions.includes(one));
  const theirs = new Set([...part.conditions, ...part.definitions].map((one) => one.clause));
  draft.clauses = draft.clauses.filter((clause) =>
    clause.relation ? clause.relation.at < from : clause.id === 0 || !theirs.has(clause),
  );
  return part;
};

export const shareOf = (
  c: Cursor,
  { percent, text }: MeasureDraft,
  of: MetricUse | Aggregate,
  part: Part,
  build: () => Pick<Built, 'filters' | 'unproven'>,
): Measure => {
  const { conditions, definitions, clauses } = c.draft;
  Object.assign(c.draft, part);
  const { filters, unproven } = build();
  Object.assign(c.draft, {
    conditions: [...conditions, ...part.conditions],
    definitions: [...definitions, ...part.definitions],
    clauses: [...new Set([...clauses, ...part.clauses])],
  });
  const where: Filter[] = filters;
  if (unproven.length > 0)
    refuse(
      unproven.map(({ value }) => value),
      `"${unproven[0]!.value}" is not among the known values. Name a value that is stored.`,
    );
  if (where.length === 0) refuse(text);
  return { kind: 'part', of, where, percent: percent === true };
};
