// Comparisons without a field in front: "above 1000 dollars", "older than 20", "3 credits".
import type { Operator } from '../../lens/model/intent.ts';
import type { LensField } from '../../lens/model/lens.ts';
import { isNumeric } from '../words/datatypes.ts';
import { AMOUNT_WORDS, COMPARATIVES, verbSenses } from '../words/lexicon.ts';
import { isPercent } from '../words/percent.ts';
import { words } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import type { ConditionDraft } from './draft.ts';
import { fieldsAbout } from './measures.ts';
import { personOf } from './person-of.ts';
import { pushCondition } from './push-condition.ts';
import { asOptions, inUnitOf, inUnits, numericFields, readComparison, readNumber, unitIs } from './read-comparison.ts';
import { averagedOver } from './read-conditions.ts';
import { attempt, peekField } from './read-things.ts';

/** "above 1000 dollars", "older than 20", "cheaper than the average", "3 credits", without a field in front: the one field
 *  of the dataset that the unit, the adjective or the noun behind names. */
export const readBareComparison = (c: Cursor, dataset: string | undefined): ConditionDraft | null =>
  attempt(c, () => {
    if (!dataset) return null;
    const from = c.at;
    const own = c.vocabulary.dataset(dataset).fields.filter((field) => isNumeric(field.datatype) && !field.masked);
    const made = (
      fields: LensField[],
      op: Operator,
      values: number[],
      extra: Partial<ConditionDraft> = {},
    ): ConditionDraft | null =>
      fields.length === 0
        ? null
        : pushCondition(
            c,
            from,
            fields.map((field) => ({ dataset, field, values, known: true, loose: 0 })),
            op,
            { named: true, bound: dataset, ...extra },
          );
    const quantity = (fields: LensField[], op: Operator, value: number, unit: string | null): ConditionDraft | null => {
      const candidates = fields.map((field) => ({ dataset, fields: [field], loose: 0 }));
      const options = inUnits(c, candidates, [value], unit);
      return options.length === 0 ? null : pushCondition(c, from, options, op, { named: true, bound: dataset });
    };
    // "between 500 and 1,000 miles"
    if (c.norm() === 'between' && c.token(1)?.kind === 'number') {
      c.accept(1, 'comparison');
      const low = readNumber(c);
      const high = low && c.take(/and/, 'comparison') ? readNumber(c) : null;
      const unit = high?.unit ?? low?.unit;
      if (!low || !high || !unit || (low.unit && high.unit !== low.unit) || isPercent(unit)) return null;
      const sized = sizes(own, unit, high.value).map((field) => ({ dataset, fields: [field], loose: 0 }));
      const options = inUnits(c, sized, [low.value, high.value], unit);
      return options.length === 0 ? null : pushCondition(c, from, options, 'between', { named: true, bound: dataset });
    }
    const adjective = c.match(/(?:is |are |was |were )?\S+ than/);
    const sense = adjective > 0 ? COMPARATIVES.get(c.norm(adjective - 2)) : undefined;
    if (sense) {
      c.accept(adjective, 'comparison');
      const person = fieldsAbout(c, dataset, sense.about).length === 0 ? personOf(c, dataset) : null;
      if (person) {
        c.at = from;
        return readBareComparison(c, person);
      }
      const about = fieldsAbout(c, dataset, sense.about);
      if (
        c.take(/(?:the )?(?:overall )?(?:average|mean)(?: (?:age|price|weight|height|length|duration|one))?/, 'average')
      ) {
        averagedOver(
          c,
          about.map((field) => ({ dataset, fields: [field], loose: 0 })),
        );
        return about.length === 1 ? made(about, sense.op, [], { than: true }) : null;
      }
      const number = readNumber(c);
      if (!number) return null;
      const unit = number.unit;
      if (sense.about === 'age') c.take(/years?(?: old)?/, 'unit');
      const fits = (field: LensField): boolean => inUnitOf(field, number.value, unit!) !== null;
      const fitting = unit ? about.filter(fits) : about;
      const measured =
        fitting.length > 0 || !unit
          ? fitting
          : own.filter((field) => fits(field) && !/delay|late|wait/.test(field.name));
      return measured.length === 1 ? quantity(measured, sense.op, number.value, unit) : null;
    }
    // "a greater weight than 10"
    const way = c.match(/(?:an? )?(?:greater|larger|higher|bigger|lower|smaller|shorter|longer)/);
    const compared = way > 0 ? peekField(c, way) : null;
    if (compared && c.norm(way + compared.length) === 'than') {
      const less = /^(?:lower|smaller|shorter)$/.test(c.norm(way - 1));
      c.accept(way + compared.length + 1, 'comparison');
      const numeric = numericFields(compared.candidates);
      const mean = c.take(/(?:the )?(?:average|mean)/, 'average');
      const value = mean ? null : readNumber(c);
      if (!mean && !value) return null;
      const options = value ? inUnits(c, numeric, [value.value], value.unit) : asOptions(numeric, []);
      if (options.length === 0) return null;
      return pushCondition(c, from, options, less ? '<' : '>', { named: true, ...(mean ? { than: true } : {}) });
    }
    // "3 years old"
    if (c.token()?.kind === 'number' && !c.token()!.unit && c.match(/# years? (?:old|of age)/) > 0) {
      const { value } = c.token()!;
      c.accept(c.match(/# years? (?:old|of age)/), 'number');
      const ages = fieldsAbout(c, dataset, 'age');
      return ages.length === 1 ? made(ages, '=', [value!]) : null;
    }
    const counted = c.clause.id > 0 || c.draft.verbs.length > 0;
    const op = readComparison(c) ?? (counted && c.token()?.kind === 'number' ? '=' : null);
    // "above age 40", "above the average age"
    const mean = op && op !== '=' ? c.match(/(?:the )?(?:average|avg|mean)/) : 0;
    const first = op ? peekField(c, mean) : null;
    const before = first ? numericFields(first.candidates) : [];
    if (op && first && before.length > 0 && (mean > 0 || c.token(first.length)?.kind === 'number')) {
      c.accept(mean + first.length, mean > 0 ? 'average' : 'field');
      if (mean > 0) return pushCondition(c, from, asOptions(before, []), op, { named: true, than: true });
      const value = readNumber(c);
      const options = value ? inUnits(c, before, [value.value], value.unit) : [];
      return options.length > 0 ? pushCondition(c, from, options, op, { named: true }) : null;
    }
    const number = op && readNumber(c);
    if (!op || !number) return null;
    const next = peekField(c);
    const behind = next ? numericFields(next.candidates) : [];
    if (behind.length > 0 && !number.unit) {
      c.accept(next!.length, 'field');
      return pushCondition(c, from, asOptions(behind, [number.value]), op, { named: true });
    }
    // "doctors who earn more than 90000": the one number of theirs that the verb is about.
    const verb = c.draft.verbs.at(-1);
    if (!number.unit && op !== '=' && verb?.at === from - 1) {
      const needs = (verbSenses(verb.text) ?? []).flatMap((one) => [...(one.needs ?? [])]);
      const meant = own.filter((field) => words(field.name).some((word) => needs.includes(word.replace(/s$/, ''))));
      return meant.length === 1 ? made(meant, op, [number.value]) : null;
    }
    // "members under 30", where they have an age and no price.
    const ages = own.filter(({ name }) => words(name).at(-1) === 'age');
    const priced = own.some(({ name }) => words(name).some((word) => AMOUNT_WORDS.has(word.replace(/s$/, ''))));
    const closes = !c.token() || c.match(/(?:\.|\?|!|,|and|or|by|in|from|with|who|per|of|at)(?= |$)/) > 0;
    const theirs = standsBefore(c, from, dataset);
    if (!number.unit && op !== '=' && ages.length === 1 && !priced && closes && theirs && number.value <= 120) {
      c.draft.notes.push(`${number.value} was read as an age.`);
      return made(ages, op, [number.value]);
    }
    // "sales above 50 %" is about no other field that is kept as a share.
    if (!number.unit || isPercent(number.unit)) return null;
    if (op === '=') return null;
    return quantity(sizes(own, number.unit, number.value), op, number.value, number.unit);
  });

/** The fields that a unit says; of several in money, the one that is the size of a row. */
const sizes = (own: LensField[], unit: string, value: number): LensField[] => {
  const said = own.filter((field) => unitIs(field.unit, unit));
  const fitting = said.length > 0 ? said : own.filter((field) => inUnitOf(field, value, unit) !== null);
  const amounts = fitting.filter((field) => words(field.name).some((word) => AMOUNT_WORDS.has(word.replace(/s$/, ''))));
  return amounts.length === 1 ? amounts : fitting;
};

/** The things themselves stand right before the comparison. */
const standsBefore = (c: Cursor, from: number, dataset: string): boolean =>
  c.draft.entities.some((entity) => entity.dataset === dataset && entity.at + entity.text.split(' ').length === from) ||
  c.draft.shown.some(
    ({ measure }) =>
      measure?.kind === 'count' && measure.dataset === dataset && measure.at + measure.text.split(' ').length === from,
  );
