// "…, including the revenue and the number of ads", "… with their code, model name and install date": what is to be shown
// beside things that have been told already. One field behind a bare "with" is left to those who read conditions.
import type { Cursor } from './cursor.ts';
import { type EntityMention, type FieldSlot, isMeasure, type MeasureDraft, type Shown } from './draft.ts';
import { readMeasure } from './read-measures.ts';
import { attempt, peekEntity, peekField, readField } from './read-things.ts';
import type { Rule } from './rule.ts';

const BESIDE =
  /(?:, |and )*(?:(?:with|including|together with|along with|as well as|showing)(?: both)?(?: (?:the|that|this|their|its|his|her))?|and (?:their|its|his|her))/;
const JOINER = /(?:, and|,|and(?: also)?|as well as)(?: (?:the|that|their|its|his|her))?/;
const END =
  /(?:\.|\?|!|;|sorted|ordered|ranked|arranged|from (?:the )?(?:highest|lowest|most|largest|smallest)|in (?:ascending|descending)|(?:newest|oldest|highest|lowest) first|for each|per|by)/;
const ENDED =
  /, (?:sorted|ordered|ranked|arranged|starting|beginning|from|in (?:ascending|descending)|(?:newest|oldest|latest|earliest|highest|lowest|largest|smallest|most|fewest))/;

/** "the revenue" behind "by advertising revenue": what it is ranked by. */
const rankedBy = (c: Cursor): MeasureDraft | null => {
  const by = c.draft.ranks.find((one) => one.by !== null && isMeasure(one.by))?.by;
  if (!by || !isMeasure(by)) return null;
  const said = by.text.toLowerCase().split(' ');
  const noun = c.token();
  const another = c.phrase()?.terms.some(({ kind }) => kind !== 'field');
  if (noun?.kind !== 'word' || another || said.length < 2 || said.at(-1) !== noun.norm) return null;
  c.accept(1, 'measure');
  return by;
};

type Item = { slot: FieldSlot } | { measure: MeasureDraft };
const readItem = (c: Cursor, measured: boolean): Item | null => {
  const again = measured ? rankedBy(c) : null;
  if (again) return { measure: again };
  const measure = measured ? readMeasure(c) : null;
  if (measure) {
    // "how many ads they ran"
    c.take(/(?:they|it|he|she) (?:have|has|had|ran|run|made|placed|got|sold|bought|wrote|did)/, 'pronoun');
    return { measure };
  }
  const entity = peekEntity(c);
  const found = peekField(c);
  if (!found || (entity && entity.length >= found.length) || c.values(0).length > 0) return null;
  return { slot: readField(c)! };
};

/** What is listed is called by its name in front of what it has, unless that is among it. */
const named = (c: Cursor, shown: Shown[], { at, text, dataset, role }: EntityMention, slots: FieldSlot[]): void => {
  const display = c.vocabulary.display(dataset).filter(({ masked }) => !masked);
  const told = slots.some(({ candidates }) =>
    candidates.some((one) => one.dataset === dataset && one.fields.some((field) => display.includes(field))),
  );
  if (told || display.length === 0) return;
  const slot = {
    at,
    text,
    candidates: [{ dataset, role, fields: display, loose: 0 }],
    bound: dataset,
    boundRole: role,
  };
  shown.splice(
    shown.findIndex(({ entity }) => entity?.at === at),
    1,
    { slot },
  );
};

export const alsoShown: Rule = (c, state) => {
  const { shown, ranks } = c.draft;
  if (shown.length === 0 || c.clause.negated || c.clause.relation) return false;
  const measured = shown.some((item) => item.measure) || ranks.some(({ by }) => by !== null && isMeasure(by));
  const length = c.match(BESIDE);
  if (length === 0) return false;
  const theirs = /\b(?:their|its|his|her|including|showing|together|along)\b/i.test(c.textOf(c.at, length));
  // "all boats, including line 1 and line 2": those two are what is asked for.
  const including = /\bincluding\b(?! (?:their|its|his|her)\b)/i.test(c.textOf(c.at, length));
  return (
    attempt(c, () => {
      c.accept(length, 'conjunction');
      const items: Item[] = [];
      for (let joiner = 0; ; joiner = c.match(JOINER)) {
        if (items.length > 0 && (joiner === 0 || c.match(END, joiner) > 0)) break;
        if (joiner > 0) c.accept(joiner, 'conjunction');
        const item = readItem(c, measured);
        if (!item) return null;
        items.push(item);
      }
      // A comparison, a value or a clause behind a field restricts: "with a price above 10".
      if (c.token() && !c.match(END) && !c.match(ENDED)) return null;
      const fields = items.filter((item) => 'slot' in item).length;
      if (fields === items.length ? !theirs && fields < 2 : !measured) return null;
      if (measured && fields > 0) return null;
      const listed = shown.find(({ entity }) => entity)?.entity;
      const of = listed?.dataset;
      const slots = items.flatMap((item) => ('slot' in item ? [item.slot] : []));
      for (const slot of slots)
        if (of && slot.candidates.some(({ dataset, role }) => dataset === of && !role)) slot.bound = of;
      // Rows without a name, or that stand between things which have theirs, are not told apart by these fields.
      const nameless = listed && c.vocabulary.display(listed.dataset).length === 0;
      const between = listed && c.vocabulary.dataset(listed.dataset).primaryKey.length > 1;
      if (slots.length > 0 && (between || (nameless && theirs))) return null;
      if (listed && slots.length > 0 && !including) named(c, shown, listed, slots);
      shown.push(...items);
      state.open = [];
      state.head = false;
      return true;
    }) ?? false
  );
};
