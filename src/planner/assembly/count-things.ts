// "flights per day", "returns by reason", "orders by month": things named without an amount are counted where they are
// split by categories or periods. By a name, a number or a day they could as well be listed in that order.
import type { Cursor } from '../grammar/cursor.ts';
import type { EntityMention, FieldCandidate, MeasureDraft, Shown } from '../grammar/draft.ts';
import { countMetric } from '../grammar/read-count.ts';
import { isKey } from '../grammar/read-things.ts';
import { refuse } from '../grammar/resolve.ts';
import { isNumeric } from '../words/datatypes.ts';

const LISTS = /^(?:list|display|print|enumerate|sort|order|arrange|rank|name|names|which|what|who|whose)$/;

export const countThings = (c: Cursor, shown: Shown[], measures: MeasureDraft[]): void => {
  const [only] = shown;
  if (shown.length !== 1 || !only?.entity || only.all || measures.length > 0 || c.draft.ranks.length > 0) return;
  const { at, text, dataset, role } = only.entity;
  if (!c.draft.per && (role || !splits(c, dataset, at))) return;
  const metrics = countMetric(c, text.split(' ').length, at);
  const called = c.tokens.slice(at, at + text.split(' ').length).map(({ stem }) => stem);
  const amount = c.vocabulary.phrases
    .get(called.join(' '))
    ?.some(
      (term) =>
        term.kind === 'field' &&
        term.loose === 0 &&
        isNumeric(term.field.datatype) &&
        !isKey(c, term.dataset, term.field),
    );
  if (amount && metrics.length === 0)
    refuse(text, `"${text}" is an amount, too: say the total, the average or the number of ${text}.`);
  const counted: MeasureDraft =
    metrics.length > 0 ? { at, text, kind: 'metric', metrics } : { at, text, kind: 'count', dataset };
  shown.splice(0, 1, { measure: counted });
  measures.push(counted);
};

/** Every "by" is a period or a column of few values, and nothing asks for a list. */
const splits = (c: Cursor, dataset: string, at: number): boolean => {
  const { groups, orders, havings, sorting, limit, distinct } = c.draft;
  if (groups.length === 0 || orders.length + havings.length > 0 || sorting || limit !== undefined || distinct)
    return false;
  if (c.tokens.slice(0, at).some(({ norm }) => LISTS.test(norm))) return false;
  return groups.every((group) => {
    if ('grain' in group && !('candidates' in group)) return true;
    // "orders by customer"; "orders by customers" are theirs.
    if ('dataset' in group) return (group.dataset !== dataset || group.role !== undefined) && singular(c, group);
    return (
      'candidates' in group &&
      !/\b(?:names?|titles?)$/i.test(group.text) &&
      group.candidates.every((one) => category(c, dataset, one))
    );
  });
};

const singular = (c: Cursor, { at, text }: EntityMention): boolean => {
  const last = c.tokens[at + text.split(' ').length - 1]!;
  return last.norm === last.stem;
};

const category = (c: Cursor, rows: string, { dataset, fields }: FieldCandidate): boolean => {
  const [field, more] = fields;
  const names = dataset === rows && c.vocabulary.display(rows).some(({ name }) => name === field!.name);
  return !more && field!.datatype === 'string' && field!.dictionary !== null && !names;
};
