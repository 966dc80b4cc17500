// "whose end date is before 2025", "with a due date in May": the date that is named is the one restricted, whatever date a
// bare period would be about.

import { isTemporal } from '../words/datatypes.ts';
import type { Cursor } from './cursor.ts';
import type { ConditionDraft, FieldCandidate } from './draft.ts';
import { pushCondition } from './push-condition.ts';
import { asOptions } from './read-comparison.ts';

const COPULA = /(?:(?:is|are|was|were|falls?|fell|lies?|lay|be|being|of)(?: (?:on|either))?)/;
const EVENT = /^(?!.*\b(?:date|day|time)\b)\w+(?:ed|orn|eft|ent)(?: (?:up|in|on|off|out|at))?$/;

/** Only dates, each of one column. */
export const onlyDates = (candidates: FieldCandidate[]): boolean =>
  candidates.every(({ fields }) => fields.length === 1 && isTemporal(fields[0]!.datatype) && !fields[0]!.masked);

/** Behind a field, a period or an edge of one; null where none stands there, or where it is said in a way not read here. */
export const dateCondition = (
  c: Cursor,
  candidates: FieldCandidate[],
  from: number,
  bound: Partial<ConditionDraft>,
  weak: boolean,
): ConditionDraft | null => {
  if (!onlyDates(candidates)) return null;
  // "who signed up in 2023": what happened, not a date with a period.
  if (EVENT.test(c.textOf(from, c.at - from).toLowerCase())) return null;
  const copula = c.match(COPULA);
  const mention = c.time(copula);
  if (!mention || mention.fault || c.clause.negated || (weak && copula === 0)) return null;
  const end = copula + mention.length;
  if (c.norm(end) === 'or' && c.time(end + 1)) return null;
  if (copula > 0) c.accept(copula, 'copula');
  c.accept(mention.length, 'time', `${mention.from ?? ''}..${mention.to ?? ''}`);
  const push = (op: '>=' | '<', edge: string) => pushCondition(c, from, asOptions(candidates, [edge]), op, bound);
  const since = mention.from ? push('>=', mention.from) : null;
  return mention.to ? push('<', mention.to) : since;
};
