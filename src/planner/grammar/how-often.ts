// "the most common status", "the product that was ordered most often", "the type that occurs the fewest times": what is
// counted is not said; it is the rows that have the value, or those of the one dataset that refers to the thing.

import { phraseKey } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import { type EntityMention, type FieldSlot, isSlot, type MeasureDraft, type RankDraft } from './draft.ts';
import { namesRow } from './names-row.ts';
import { peekEntity, readField } from './read-things.ts';
import { eventOf, subjectOf } from './rules-event.ts';

/** How often a value occurs: "the most common status", "which product was ordered most often". */
export const commonness = (c: Cursor, rank: RankDraft): MeasureDraft | null => {
  const { at } = c;
  const verb = c.draft.verbs.at(-1);
  const told = verb && verb.at === rank.at - 1 ? verb : null;
  const subject = subjectOf(c);
  const event = told && subject ? eventOf(c, told.text, subject) : null;
  if (event) {
    c.draft.verbs.pop();
    return { at, text: told!.text, kind: 'count', dataset: event };
  }
  const shown = c.draft.shown.length === 1 ? c.draft.shown[0]!.slot : undefined;
  // "which status is the most common"
  const predicate = c.draft.shown.length === 1 && /^(?:is|are|was|were)$/.test(c.tokens[rank.at - 1]?.norm ?? '');
  const slot = told || predicate ? shown : c.draft.shown.length === 0 ? fieldOfThing(c) : null;
  const thing = told || predicate ? c.draft.shown[0]?.entity : undefined;
  const used = told || predicate ? whereUsed(c, slot ?? thing) : null;
  if (used) return { at, text: (slot ?? thing)!.text, kind: 'count', dataset: used };
  const [only, more] = slot?.candidates ?? [];
  if (!slot || !only || more || only.fields.length !== 1 || only.fields[0]!.datatype !== 'string') return null;
  // Where lines of one order repeat its status, the number of rows is not how often it occurs.
  const counted = c.vocabulary.phrases.get(`number of ${phraseKey(only.dataset)}`) ?? [];
  if (counted.some((term) => term.kind === 'metric' && /distinct/i.test(term.metric.expression))) return null;
  // Each name or key occurs once, or stands for things that are counted otherwise.
  const { primaryKey } = c.vocabulary.dataset(only.dataset);
  const naming = [...primaryKey, ...c.vocabulary.display(only.dataset).map(({ name }) => name)];
  const part = partOfName(c, only.dataset, only.fields[0]!.name);
  if (!part && (naming.includes(only.fields[0]!.name) || /_(?:id|name)$/.test(only.fields[0]!.name))) return null;
  if (!part && namesRow(c, slot, only.dataset)) return null;
  // "the most popular product" may be the one that sells best; a first name of people is the one that most of them have.
  const popular = c.tokens.slice(at - 1, slot.at).some(({ norm }) => norm === 'popular');
  if (popular && !(peekEntity(c, c.match(/(?:of|among|amongst|for)(?: (?:all|the|our))*/))?.dataset === only.dataset))
    return null;
  if (told || predicate) rank.often = true;
  else rank.of = slot;
  return { at, text: slot.text, kind: 'count', dataset: only.dataset };
};

/** "the most common first name": one of two that make a name, which many share. */
const partOfName = (c: Cursor, dataset: string, name: string): boolean =>
  c.vocabulary.display(dataset).length > 1 && c.vocabulary.display(dataset).some((field) => field.name === name);

/** "the most common first name of the actors": theirs, whoever else has one. */
const fieldOfThing = (c: Cursor): FieldSlot | null => {
  const slot = readField(c);
  const ahead = slot && slot.candidates.length > 1 ? c.match(/(?:of|among|amongst|for)(?: (?:all|the|our))*/) : 0;
  const thing = ahead > 0 ? peekEntity(c, ahead) : null;
  const theirs = slot?.candidates.filter(({ dataset, role }) => dataset === thing?.dataset && !role) ?? [];
  if (slot && thing && !thing.role && theirs.length === 1) slot.candidates = theirs;
  return slot;
};

/** "the transaction type that occurs most often": in the one dataset that refers to the types. A code that both have is
 *  taken from where it occurs. */
const whereUsed = (c: Cursor, slot: FieldSlot | EntityMention | null | undefined): string | null => {
  const { relationships } = c.vocabulary.lens;
  if (!slot) return null;
  const owners = isSlot(slot) ? [...new Set(slot.candidates.map(({ dataset }) => dataset))] : [slot.dataset];
  const codes = owners.filter((dataset) => {
    if (!isSlot(slot) || slot.bound === dataset) return true;
    const named = [
      ...c.vocabulary.display(dataset).map(({ name }) => name),
      ...c.vocabulary.dataset(dataset).primaryKey,
    ];
    return slot.candidates.some(
      (one) => one.dataset === dataset && one.fields.every(({ name }) => named.includes(name)),
    );
  });
  const [code, other] = codes;
  const users = [...new Set(relationships.filter(({ to }) => to.dataset === code).map(({ from }) => from.dataset))];
  if (
    !code ||
    other ||
    users.length !== 1 ||
    users[0] === code ||
    owners.some((one) => one !== code && one !== users[0])
  )
    return null;
  if (relationships.filter(({ from, to }) => from.dataset === users[0] && to.dataset === code).length > 1) return null;
  const own = isSlot(slot) ? slot.candidates.filter(({ dataset }) => dataset === users[0]) : [];
  if (isSlot(slot) && own.length > 0 && !slot.bound) slot.candidates = own;
  return users[0]!;
};
