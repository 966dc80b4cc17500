// Conditions on what is counted or measured: "at least 3 albums", "with negative profit", "with revenue over 1000".
import type { LensMetric } from '../../lens/model/lens.ts';
import { isNumeric } from '../words/datatypes.ts';
import { isPercent, percentOfMetric } from '../words/percent.ts';
import type { Cursor } from './cursor.ts';
import type { MeasureDraft } from './draft.ts';
import { pushCondition } from './push-condition.ts';
import { asOptions, isAsKept, numericFields, readComparison } from './read-comparison.ts';
import { countMetric, namedAmount } from './read-count.ts';
import { readMeasure } from './read-measures.ts';
import { attempt, peekEntity, peekField, readEntity, readField } from './read-things.ts';
import type { Rule } from './rule.ts';

/** Rows are lines of what is counted. */
const countsDistinct = ({ expression }: LensMetric): boolean => /\bdistinct\b/i.test(expression);

/** "more than 3 albums", "at least one invoice". */
export const relation: Rule = (c, state) => {
  // "which customers placed at least 3 orders": the verb begins the clause.
  const verb = c.draft.verbs.at(-1);
  const told =
    c.clause.id === 0 &&
    verb !== undefined &&
    (verb.at === c.at - 1 || (verb.at === c.at - 2 && /^(?:by|in|of)$/.test(c.norm(-1))));
  if ((c.clause.id === 0 && !told) || c.clause.relation) return false;
  return (
    attempt(c, () => {
      const { at } = c;
      if (told) c.newClause(false);
      const only = c.take(/(?:only|just)/, 'comparison');
      const op = readComparison(c) ?? (c.token()?.kind === 'number' || only ? '=' : null);
      const number = c.token();
      if (!op) return null;
      c.take(/a(?= single)/, 'article');
      const value = /^(?:one|single)$/.test(c.norm())
        ? 1
        : number?.kind === 'number' && !number.unit
          ? number.value!
          : null;
      if (value === null || !Number.isInteger(value)) return null;
      c.accept(1, 'number');
      const things = peekEntity(c);
      const distinct = things ? countMetric(c, things.length).filter(countsDistinct) : [];
      const amount = things && !things.role ? namedAmount(c, things.dataset) : null;
      if (amount) {
        c.draft.entities.pop();
        const { at: from, text } = amount.slot!;
        c.draft.havings.push({
          measure: { at: from, text, ...amount },
          op,
          values: [value],
          negated: c.clause.negated,
        });
        state.head = false;
        return true;
      }
      const entity = readEntity(c);
      if (!entity) return null;
      c.draft.entities.pop();
      if (distinct.length > 0) {
        const measure: MeasureDraft = { at: entity.at, text: entity.text, kind: 'metric', metrics: distinct };
        c.draft.havings.push({ measure, op, values: [value], negated: c.clause.negated });
        state.head = false;
        return true;
      }
      c.clause.relation = { dataset: entity.dataset, at, text: entity.text, count: { op, value } };
      if (told) state.head = false;
      return true;
    }) ?? false
  );
};

const OF_A_THING = /^(?:longer|shorter|older|younger|heavier|lighter|taller|later|earlier|faster|slower|wider)$/;

const SIGNS: Readonly<Record<string, '<' | '>' | '='>> = { negative: '<', positive: '>', zero: '=' };

/** "with negative profit": of each row where rows are named, else of the total of each group. */
export const sign: Rule = (c) =>
  attempt(c, () => {
    const op = Object.hasOwn(SIGNS, c.norm()) ? SIGNS[c.norm()]! : null;
    if (!op || c.clause.id === 0 || c.clause.negated || c.values(0).length > 0) return null;
    const from = c.at;
    c.accept(1, 'comparison');
    const found = rowField(c) ? readField(c, 'condition') : null;
    const numeric = found ? numericFields(found.candidates) : [];
    if (numeric.length > 0) return pushCondition(c, from, asOptions(numeric, [0]), op, { named: true }) && true;
    const measure = readMeasure(c);
    if (!measure || measure.kind === 'count') return null;
    c.draft.havings.push({ measure, op, values: [0], negated: false });
    return true;
  }) ?? false;

/** "with revenue over 1000", "number of tracks greater than 10": a condition on a measure, so on groups. */
export const having: Rule = (c) =>
  attempt(c, () => {
    const row = rowField(c);
    const single = /^an?$/.test(c.norm()) || /^an?$/.test(c.norm(-1));
    c.take(/(?:a|an|the)/, 'article');
    if (c.draft.shown.length === 0 && c.draft.entities.length === 0) return null;
    const measure = readMeasure(c);
    if (!measure || row) return null;
    // "with a deposit over 2000" is about one of the deposits, not about all together.
    if (single && measure.metrics?.some(({ name }) => /s$/.test(name)) && !/s$/i.test(measure.text))
      c.draft.faults.push(measure.text);
    c.take(/(?:that |which )?(?:is|are|was|were|of)(?= )/, 'copula');
    const between = c.match(/between # and #/);
    if (between > 0) {
      const values = [c.token(1)!.value!, c.token(3)!.value!];
      c.accept(between, 'comparison');
      c.draft.havings.push({ measure, op: 'between', values, negated: c.clause.negated });
      return true;
    }
    // "the number of courts longer than 20": courts may be longer, their number may not.
    if (measure.kind !== 'aggregate' && OF_A_THING.test(c.norm())) return null;
    const op = readComparison(c);
    const number = c.token();
    if (!op || number?.kind !== 'number') return null;
    const unit = measure.metrics?.[0]?.unit?.toLowerCase() ?? null;
    const percent = isPercent(number.unit) ? 1 : isPercent(c.norm(1)) ? 2 : 0;
    if (percent > 0) {
      const [metric] = measure.metrics ?? [];
      const value = metric ? percentOfMetric(c.vocabulary.lens, metric, number.value!) : null;
      if (value === null) return null;
      c.accept(percent, 'number');
      if (value !== number.value)
        c.draft.notes.push(`${number.value} % is ${value}, as ${metric!.name} is a share of 1.`);
      c.draft.havings.push({ measure, op, values: [value], negated: c.clause.negated });
      return true;
    }
    const kept = measure.slot?.candidates.every(({ fields }) => isAsKept(c, fields[0]!, number.unit ?? ''));
    if (number.unit && !(number.unit === '$' && unit === 'usd') && !kept) return null;
    c.accept(1, 'number');
    if (unit && c.norm().replace(/s$/, '') === (unit === 'usd' ? 'dollar' : unit)) c.accept(1, 'unit');
    c.draft.havings.push({ measure, op, values: [number.value!], negated: c.clause.negated });
    return true;
  }) ?? false;

/** Where rows are listed or counted, "sales over 500" is about the field of each row, not about a total. */
const rowField = (c: Cursor): boolean => {
  const rows = c.draft.entities.at(-1)?.dataset;
  if (!rows || c.draft.groups.length > 0) return false;
  return Boolean(
    peekField(c)?.candidates.some(
      (one) => one.dataset === rows && one.loose === 0 && one.fields.length === 1 && isNumeric(one.fields[0]!.datatype),
    ),
  );
};
