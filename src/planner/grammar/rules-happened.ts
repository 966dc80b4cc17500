// "complaints that were resolved", "orders that have not been paid yet", "unpublished ads": an event that leaves a date
// behind has happened where the date is there. Only of events that nobody plans ahead: an end date is there before the end.
import { verbRoot } from '../english/inflection.ts';
import { words } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import type { ConditionDraft } from './draft.ts';
import { datesOf } from './event-dates.ts';
import { pushCondition } from './push-condition.ts';
import { attempt, peekEntity } from './read-things.ts';
import type { Rule } from './rule.ts';
import { subjectOf } from './rules-event.ts';

const SETTLES =
  /^(?:paid|sent|shipped|delivered|cancelled|canceled|closed|returned|refunded|resolved|completed|settled|approved|published|released|dispatched|rejected|archived|acknowledged|decommissioned|inspected|activated|deactivated|discharged|reviewed|signed|verified|confirmed|redeemed|repaired|answered|invoiced|billed|processed|treated|repaid)$/;
/** A delivery_date may lie ahead, where delivered_on does not. */
const PLANNED =
  /^(?:deliver|dispatch|ship|releas|publish|complet|clos|settl|inspect|repair|review|treat|process|activat|deactivat|discharg|invoic|bill)/;
const BEHIND = /(?:yet|so far|already|at all|by now)/;
const END = /(?:[.?!,]|and|but|per|for each|in each)/;
const PERIODS = /^(?:days?|weeks?|months?|quarters?|years?|daily|weekly|monthly|quarterly|yearly)$/;
const BEFORE = /^(?:|of|the|all|our|many|much|list|show|count|which|what|display|find|[.?!,])$/;

const dateOf = (c: Cursor, dataset: string, verb: string) => {
  // Where a status says so as well, which of them is meant is not for us to choose.
  const stored = c.vocabulary.values.get(verb)?.some((entry) => entry.dataset === dataset);
  if (!SETTLES.test(verb) || stored) return null;
  // "paid" names pay_date by its root, or by a synonym.
  const dates = new Set([...datesOf(c, dataset, verb), ...datesOf(c, dataset, verbRoot(verb))]);
  const [date, other] = dates;
  if (!date || other) return null;
  const asDone = [date.name, ...date.synonyms].some((name) => words(name).includes(verb));
  return asDone || !PLANNED.test(verb) ? date : null;
};

/** Behind the thing it happened to, with no period, place or person behind it. */
export const happened: Rule = (c, state) =>
  attempt(c, () => {
    if (c.norm() === 'still' && /^un\w{4,}$/.test(c.norm(1))) c.accept(1, 'filler');
    const token = c.token()!;
    const subject = subjectOf(c) ?? counted(c);
    if (token.kind !== 'word' || token.capital || !subject || c.clause.relation || c.values(0).length > 0) return null;
    const un = /^un\w{4,}$/.test(token.norm);
    const field = dateOf(c, subject, un ? token.norm.slice(2) : token.norm);
    if (!field) return null;
    const behind = c.match(BEHIND, 1);
    if (c.token(1 + behind) && !c.match(END, 1 + behind)) return null;
    if (c.match(/(?:and|but|,) \S+(?:ed|ent|aid)(?= )/, 1 + behind) > 0 || c.time(1 + behind)) return null;
    const from = c.at;
    const verb = c.accept(1, 'verb', `${subject}.${field.name}`);
    if (behind > 0) c.accept(behind, 'filler');
    if (un && c.clause.negated) c.draft.faults.push(verb);
    pushCondition(
      c,
      from,
      [{ dataset: subject, field, values: [], known: true, loose: 0 }],
      un ? 'is_null' : 'is_not_null',
      {
        named: true,
        bound: subject,
      },
    );
    state.head = false;
    return true;
  }) ?? false;

/** What a counting metric counts. */
const counted = (c: Cursor): string | null => {
  const metrics = c.draft.shown.at(-1)?.measure?.metrics ?? [];
  const [metric] = metrics;
  return metrics.length === 1 && c.draft.entities.length === 0 && metric && /^count\(/i.test(metric.expression)
    ? metric.home
    : null;
};

/** "unpaid orders", "refunded orders in May": in front of the thing itself. */
export const happenedTo = (c: Cursor): ConditionDraft | null => {
  const token = c.token();
  const thing = peekEntity(c, 1);
  if (token?.kind !== 'word' || token.capital || !thing || thing.role || c.values(0).length > 0) return null;
  const un = /^un\w{4,}$/.test(token.norm);
  const field = dateOf(c, thing.dataset, un ? token.norm.slice(2) : token.norm);
  if (!field || c.clause.negated || !(un || BEFORE.test(c.norm(-1)))) return null;
  const from = c.at;
  const text = c.accept(1, 'value', `${thing.dataset}.${field.name}`);
  // A period behind says when it happened.
  if (!un && c.tokens.some(({ norm }, at) => at > from && (PERIODS.test(norm) || c.time(at - c.at) !== null)))
    c.draft.verbs.push({ text: text.toLowerCase(), at: from, clause: c.clause });
  const option = { dataset: thing.dataset, field, values: [], known: true, loose: 0 };
  return pushCondition(c, from, [option], un ? 'is_null' : 'is_not_null', { named: true, bound: thing.dataset });
};
