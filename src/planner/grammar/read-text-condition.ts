// Texts within names: "titles that start with A", "tracks that contain the word you", "artists that have 'a' in their names".
import type { Cursor } from './cursor.ts';
import type { ConditionDraft, FieldCandidate } from './draft.ts';
import { pushCondition } from './push-condition.ts';
import { attempt, peekField } from './read-things.ts';

const VERBS: [RegExp, 'starts_with' | 'ends_with' | 'contains'][] = [
  // "companies started by Andy" says who did it.
  [
    /(?:(?:starts?|starting|begins?|beginning)(?: with| by)|(?:began|started) with)(?: the)?(?: letters?| word)?/,
    'starts_with',
  ],
  [/(?:ends?|ending|ended) (?:with|in)(?: the)?(?: letters?| word)?/, 'ends_with'],
  [
    /(?:contains?|containing|includes?|including|(?:have|has|with) the|have|has|with)(?: the)*(?: (?:phrase|words?|letters?|string|text|substring|term))?/,
    'contains',
  ],
];

export const readTextCondition = (c: Cursor): ConditionDraft | null =>
  attempt(c, () => {
    const from = c.at;
    // The relative clause may have taken "that have the" already.
    const bare = c.match(
      /(?:(?:the )?(?:phrase|word|letter|string|text|substring|term) )?\S+ in (?:their|its|his|her|the)/,
    );
    if (bare > 0 && c.clause.id > 0) {
      const noun = peekField(c, bare);
      const length = c.match(/(?:the )?(?:phrase|word|letter|string|text|substring|term)/);
      const text = c.token(length);
      if (noun && text && (text.kind === 'quoted' || length > 0)) {
        c.accept(length + 1, 'value');
        c.accept(c.match(/in (?:their|its|his|her|the)/), 'link');
        c.accept(noun.length, 'field');
        return made(c, from, strings(noun.candidates), 'contains', text.text);
      }
    }
    // "that includes the text 'Korea'", where a field is called text
    const called = c.match(/(?:contains?|containing|includes?|including)(?: the)?/);
    const field = called > 0 ? peekField(c, called) : null;
    const thing = c.draft.entities.at(-1)?.dataset;
    if (field && thing && c.token(called + field.length)?.kind === 'quoted') {
      const fields = strings(field.candidates).filter(({ dataset }) => dataset === thing);
      const said = c.token(called + field.length)!.text;
      c.accept(called + field.length + 1, 'value');
      return made(c, from, fields, 'contains', said);
    }
    const entity = c.draft.entities.at(-1);
    // "the names of the artists who made a song that has the word love in its title": in that of the song.
    const of = [c.clause.about, c.clause.relation].find((one) => one?.dataset === entity?.dataset);
    const only = c.draft.shown.length === 1 ? c.draft.shown[0]!.slot : undefined;
    const other = only && of && of.dataset !== (only.bound ?? of.dataset);
    const slot = other ? undefined : only;
    const display = entity ? c.vocabulary.display(entity.dataset) : [];
    // "descriptions of products that contain the word pro": in the description, or in the name?
    const within = slot && entity && display.length === 1 && c.clause.id > 0 && entity.at > slot.at;
    if (within && !slot.candidates.some((one) => one.fields.includes(display[0]!))) return null;
    const candidates = slot
      ? strings(slot.candidates).filter((one) => !slot.bound || one.dataset === slot.bound)
      : display.length === 1 && entity
        ? [{ dataset: entity.dataset, role: entity.role, fields: display, loose: 0 }]
        : [];
    if (candidates.length === 0) return null;
    const word = c.match(/(?:the )?(?:phrase|word|letter|string|text|substring|term)/);
    for (const [pattern, op] of VERBS) {
      const length = c.match(pattern) || (op === 'contains' ? word : 0);
      if (length === 0) continue;
      const said = c.textOf(c.at, length).toLowerCase();
      const text = c.token(length);
      const plain = text && (text.kind === 'word' || text.kind === 'number');
      const spoken = op !== 'contains' || /phrase|word|letter|string|text|term/.test(said);
      if (
        !text ||
        !(text.kind === 'quoted'
          ? /contain|includ|start|begin|end|phrase|word|letter|string|text|term/.test(said)
          : plain && spoken)
      )
        continue;
      const rest = c.norm(length + 1);
      if (text.kind !== 'quoted' && rest && !/^(?:in|,|\.|\?|and|or|sorted|ordered|by)$/.test(rest)) continue;
      c.accept(length, 'comparison');
      c.accept(1, 'value');
      c.take(/in (?:them|it|(?:their|its|the) (?:names?|titles?))/, 'pronoun');
      return made(c, from, candidates, op, text.text);
    }
    return null;
  });

const strings = (candidates: FieldCandidate[]): FieldCandidate[] =>
  candidates.filter((one) => one.fields.length === 1 && one.fields[0]!.datatype === 'string' && !one.fields[0]!.masked);

const made = (
  c: Cursor,
  from: number,
  candidates: FieldCandidate[],
  op: 'starts_with' | 'ends_with' | 'contains',
  text: string,
): ConditionDraft | null =>
  candidates.length === 0
    ? null
    : pushCondition(
        c,
        from,
        candidates.map((one) => ({
          dataset: one.dataset,
          role: one.role,
          field: one.fields[0]!,
          values: [text],
          known: true,
          loose: one.loose,
        })),
        op,
        { named: true },
      );
