// A field of rows said of something that has many of them: "top 10 customers by line amount", "accounts with an mrr over
// 100", "average fee per patient". Their total, or single ones? What the words leave open is asked back, never guessed.
import type { LensField } from '../../lens/model/lens.ts';
import type { Cursor } from '../grammar/cursor.ts';
import {
  type Draft,
  type EntityMention,
  type FieldCandidate,
  type FieldSlot,
  isMeasure,
  isSlot,
  type MeasureDraft,
  type RankDraft,
  type Shown,
} from '../grammar/draft.ts';
import { isKey } from '../grammar/read-things.ts';
import { refuse } from '../grammar/resolve.ts';
import { takenHow, waysOf } from '../grammar/taken-how.ts';
import { addsUp } from '../words/adds-up.ts';
import { isNumeric } from '../words/datatypes.ts';
import { phraseKey } from '../words/vocabulary.ts';

/** The words of the question from the first of what is mentioned to the last. */
const spanned = (c: Cursor, mentions: { at: number; text: string }[]): string => {
  const from = Math.min(...mentions.map(({ at }) => at));
  return c.textOf(from, Math.max(...mentions.map(({ at, text }) => at + text.split(' ').length)) - from);
};

/** A thing or a value that many rows of a dataset share. */
const coarser = (c: Cursor, thing: EntityMention | FieldSlot, rows: string): boolean => {
  const { graph } = c.vocabulary;
  const above = (dataset: string): boolean =>
    dataset !== rows && graph.paths(rows, dataset).length > 0 && graph.paths(dataset, rows).length === 0;
  if (!isSlot(thing)) return above(thing.dataset);
  const { primaryKey } = c.vocabulary.dataset(rows);
  const naming = [...primaryKey, ...c.vocabulary.display(rows).map(({ name }) => name)];
  return thing.candidates.every(({ dataset, fields }) =>
    dataset === rows ? !fields.some(({ name }) => naming.includes(name)) : above(dataset),
  );
};

const measured = (c: Cursor, { candidates }: FieldSlot): FieldCandidate[] =>
  candidates.filter(
    ({ dataset, fields }) => fields.length === 1 && isNumeric(fields[0]!.datatype) && !isKey(c, dataset, fields[0]!),
  );

/** The one field of finer rows that a mention means, where no field of the thing's own is called so. */
const finer = (c: Cursor, slot: FieldSlot, thing: EntityMention | FieldSlot): FieldCandidate | null => {
  const all = measured(c, slot);
  const bound = slot.bound ? all.filter(({ dataset }) => dataset === slot.bound) : all;
  const tightest = Math.min(...bound.map(({ loose }) => loose));
  const [only, more] = bound.filter(({ loose }) => loose === tightest);
  return only && !more && coarser(c, thing, only.dataset) ? only : null;
};

/** What the rank is of: said behind it, or the nearest thing said before. */
const rankedThing = (c: Cursor, shown: Shown[], { of, at }: RankDraft): EntityMention | FieldSlot | null => {
  if (of) return of;
  const said = [...c.draft.entities, ...shown.flatMap(({ slot, entity }) => slot ?? entity ?? [])];
  const before = said.filter((one) => one.at < at).sort((one, other) => other.at - one.at);
  return before[0] ?? said[0] ?? null;
};

/** "account with the highest mrr", where the metric is called total mrr, and each subscription has an mrr. */
const fieldBehind = (c: Cursor, { kind, metrics, text, at }: MeasureDraft): FieldSlot | null => {
  if (kind !== 'metric' || metrics?.length !== 1) return null;
  const key = phraseKey(text);
  const [metric] = metrics;
  if ([metric!.name, ...metric!.synonyms].some((name) => phraseKey(name) === key)) return null;
  const candidates = (c.vocabulary.phrases.get(key) ?? []).flatMap((term): FieldCandidate[] =>
    term.kind === 'field' && metric!.references.fields.some(({ field }) => field === term.field.name)
      ? [{ dataset: term.dataset, fields: [term.field], loose: term.loose }]
      : [],
  );
  return candidates.length > 0 ? { at, text, candidates } : null;
};

/** A rank of things by a field of their rows: by the total where that is the plain sense, else as the asker says. */
export const settleRank = (c: Cursor, shown: Shown[], rank: RankDraft): void => {
  const { by, direction, limit, offset } = rank;
  if (!by || 'about' in by || rank.often) return;
  const thing = rankedThing(c, shown, rank);
  const slot = isMeasure(by) ? fieldBehind(c, by) : by;
  const found = thing && slot && thing !== slot ? finer(c, slot, thing) : null;
  // "for the tours with a rating above 3, which house …": of those rows.
  if (!thing || !slot || !found || c.draft.scope === found.dataset) return;
  const [field] = found.fields as [LensField];
  const adds = addsUp(c.vocabulary.lens, found.dataset, field);
  const listed = (limit === null || limit > 1 || /\b(?:top|bottom)\b/i.test(rank.text)) && !offset;
  if (isMeasure(by) && listed) return;
  const extreme = direction === 'desc' ? 'highest' : 'lowest';
  // "the station with the highest temperature" has it at one time, which no sum could mean.
  const plural = /[^s]s$/i.test(slot.text) && !/s$/i.test(field.name);
  const plain = listed ? (adds === 'yes' ? 'total' : null) : adds === 'no' && !plural ? 'single' : null;
  const name = thing.text.toLowerCase();
  const taken =
    plain ??
    takenHow(
      c,
      spanned(c, [rank, slot]),
      found.dataset,
      field,
      waysOf(c, found.dataset, field, `the ${extreme} single one of each`),
    );
  if (taken === 'total' && plain)
    c.draft.notes.push(
      `${slot.text} is added up over the ${found.dataset.replaceAll('_', ' ')} of each of the ${name}.`,
    );
  if (isMeasure(by) && taken === 'total') return;
  if (taken === 'single' && !isSlot(thing)) {
    rank.by = { ...slot, candidates: [found] };
    return;
  }
  const fn = taken === 'single' ? (direction === 'desc' ? 'max' : 'min') : taken === 'total' ? 'sum' : 'avg';
  rank.by = { at: slot.at, text: slot.text, kind: 'aggregate', fn, slot: { ...slot, candidates: [found] } };
};

/** "average fee per patient": the mean of what each comes to, or each one's mean of single rows? */
export const settleAverages = (c: Cursor, drafts: MeasureDraft[]): void => {
  const group = c.draft.groups.find((one) => one.per);
  if (!group || c.draft.meanOver) return;
  for (const draft of drafts) {
    if (draft.fn !== 'avg' || !draft.slot || draft.combined || draft.window || draft.growth) continue;
    const found = averagedOver(c, draft.slot, group);
    // "average fee of visits per department" is of single visits.
    if (!found || c.draft.entities.some(({ dataset }) => dataset === found.dataset)) continue;
    const name = group.text.toLowerCase();
    const term = spanned(c, [draft, group]);
    const said = found.fields[0]!.name.replaceAll('_', ' ');
    const taken = takenHow(c, term, found.dataset, found.fields[0]!, {
      total: `the average of the total ${said} of each ${name}`,
      single: `the average single ${said}, for each ${name}`,
    });
    if (taken === 'single') continue;
    draft.fn = 'sum';
    c.draft.meanOver = group;
  }
};

/** Of the rows of a thing or of a period; a town or a kind is none, and "per town" is a row for each. */
const averagedOver = (c: Cursor, slot: FieldSlot, group: Draft['groups'][number]): FieldCandidate | null => {
  const { lens, display, dataset } = c.vocabulary;
  if (!('candidates' in group || 'dataset' in group)) {
    const [only, more] = measured(c, slot);
    return only && !more && addsUp(lens, only.dataset, only.fields[0]!) === 'yes' ? only : null;
  }
  const names = (one: FieldCandidate): boolean =>
    one.fields.every(
      (field) => dataset(one.dataset).primaryKey.includes(field.name) || display(one.dataset).includes(field),
    );
  const found = !isSlot(group) || group.candidates.some(names) ? finer(c, slot, group) : null;
  return found && addsUp(lens, found.dataset, found.fields[0]!) !== 'no' ? found : null;
};

/** "accounts with mrr over 100", where total mrr is measured and each subscription has an mrr; and "how many accounts with
 *  a total mrr over 100", where no groups are listed that a total could hold for. */
export const settleHavings = (c: Cursor, shown: Shown[]): void => {
  const { draft } = c;
  const counting =
    draft.groups.length === 0 &&
    shown.length > 0 &&
    shown.every(({ measure }) => measure?.kind === 'count' || countsRows(measure));
  draft.havings = draft.havings.filter((having) => {
    const { measure, op, values, negated } = having;
    const thing = draft.entities.findLast((entity) => entity.at < measure.at) ?? null;
    const slot = thing && (fieldBehind(c, measure) ?? null);
    const unsure = thing && slot ? finer(c, slot, thing) : null;
    const rows = unsure ?? (counting ? summedField(c, measure) : null);
    if (!rows || (!unsure && !counting)) return true;
    const text = spanned(c, thing ? [thing, measure] : [measure]);
    const [field] = rows.fields as [LensField];
    const taken = unsure
      ? takenHow(
          c,
          text,
          rows.dataset,
          field,
          waysOf(c, rows.dataset, field, `any single one of ${rows.dataset.replaceAll('_', ' ')}`),
        )
      : 'total';
    if (taken === 'total' && !counting) return true;
    // Of all they ever had, or of that period?
    if (draft.times.length > 0) refuse(draft.times.map((time) => time.text));
    const option = { dataset: rows.dataset, field, values, known: true, loose: 0 };
    const end = measure.at + measure.text.split(' ').length;
    draft.conditions.push({
      at: measure.at,
      end,
      text,
      options: [option],
      op,
      negated,
      clause: draft.clauses[0]!,
      or: false,
      named: true,
      bound: rows.dataset,
      taken,
    });
    return false;
  });
};

const countsRows = (measure: MeasureDraft | undefined): boolean =>
  measure?.kind === 'metric' &&
  measure.metrics!.every(({ expression }) => /^\s*count\s*\((?!\s*distinct)/i.test(expression));

const PLAIN_SUM = /^\s*sum\s*\(\s*\w+\.\w+\s*\)\s*$/i;
/** The one field that a measure adds up. */
const summedField = (c: Cursor, { kind, fn, slot, metrics }: MeasureDraft): FieldCandidate | null => {
  if (kind === 'aggregate') return fn === 'sum' && slot?.candidates.length === 1 ? slot.candidates[0]! : null;
  const [metric, more] = metrics ?? [];
  if (kind !== 'metric' || !metric || more || metric.filter || !PLAIN_SUM.test(metric.expression)) return null;
  const [ref] = metric.references.fields;
  const field = ref && c.vocabulary.dataset(ref.dataset).fields.find(({ name }) => name === ref.field);
  return field ? { dataset: ref.dataset, fields: [field], loose: 0 } : null;
};
