// What the rules of the grammar share: their shape, and the moves that several make.

import { phraseKey } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import type { FieldSlot, Shown } from './draft.ts';
import { namesAnother, personOf } from './person-of.ts';
import { peekField, readField } from './read-things.ts';

export interface State {
  /** Still naming what is to be shown. */
  head: boolean;
  /** Shown fields that a following "of customers" binds. */
  open: FieldSlot[];
  /** The next condition is joined to the one before by "or". */
  pendingOr: boolean;
  /** The next condition stands behind "only". */
  only: boolean;
  /** Where the second of "both a … and a …" begins. */
  twin?: { at: number; dataset: string };
}
/** True when it read something and moved on. */
export type Rule = (c: Cursor, state: State) => boolean;

const SILENT = /^(?:the|a|an|all|their|his|her|its|our|also|every|each|of|is|are|was|were)$/;
/** Two things are shown side by side only when something joins them; else the second may restrict the first. */
const joined = (c: Cursor, at: number): boolean => {
  let before = at - 1;
  while (before >= 0 && SILENT.test(c.tokens[before]!.norm)) before--;
  return (
    before < 0 ||
    /^(?:and|,|;|:|plus|with|including|both|corresponding|respective|or|&|what|which|\.|\?)$/.test(
      c.tokens[before]!.norm,
    ) ||
    /^well$/.test(c.tokens[before]!.norm) ||
    (c.tokens[before]!.norm === 'as' && c.tokens[before - 1]?.norm === 'well')
  );
};

export const show = (c: Cursor, state: State, item: Shown): void => {
  const at = item.slot?.at ?? item.entity?.at ?? item.measure?.at ?? 0;
  const shown = c.draft.shown.slice(c.draft.sentences.at(-1) ?? 0);
  if (item.slot) ofTheSame(c, item.slot, shown);
  if (item.slot) besideNamed(c, item.slot, shown);
  if (shown.length > 0 && item.slot && !joined(c, at)) c.draft.faults.push(item.slot.text);
  // "How many …? List the number and the id": what was counted, and no number of something else.
  const again = item.slot && /^(?:numbers?|counts?)$/i.test(item.slot.text) && c.draft.shown.some((one) => one.measure);
  if (again) c.draft.faults.push(item.slot!.text);
  // "average, minimum and maximum age": read at once.
  const together = item.measure && shown.at(-1)?.measure?.at === at;
  if (shown.length > 0 && item.measure && !together && !joined(c, at)) c.draft.faults.push(item.measure.text);
  const last = c.draft.shown.at(-1);
  // "the names of the countries": the name of a field is the field.
  if (item.slot && last?.slot && /^names?$/i.test(last.slot.text) && !last.slot.bound && followsOf(c, at)) {
    c.draft.shown.pop();
    state.open.pop();
    c.draft.faults = c.draft.faults.filter((fault) => fault !== item.slot!.text);
  }
  c.draft.shown.push({ ...item });
  if (item.slot) state.open.push(item.slot);
};
/** "type codes and descriptions": the second of them is of what the first is of, where that has one. */
const ofTheSame = (c: Cursor, slot: FieldSlot, shown: Shown[]): void => {
  const before = shown.at(-1)?.slot;
  const [first, ...others] = new Set(before?.candidates.map(({ dataset }) => dataset));
  if (!before || !first || others.length > 0 || slot.candidates.some(({ dataset }) => dataset === first)) return;
  const theirs = /^(?:their|its)$/.test(c.tokens[slot.at - 1]?.norm ?? '') ? 2 : 1;
  if (c.draft.entities.length > 0 || !/^(?:and|,)$/.test(c.tokens[slot.at - theirs]?.norm ?? '')) return;
  const same = (c.vocabulary.phrases.get(phraseKey(slot.text)) ?? []).flatMap((term) =>
    term.kind === 'field' && term.dataset === first ? [term] : [],
  );
  if (same.length === 1) slot.candidates = [{ dataset: first, fields: [same[0]!.field], loose: same[0]!.loose }];
};
/** "account name, id and number of orders": a bare id or name is of what was called by its own name right before. */
const besideNamed = (c: Cursor, slot: FieldSlot, shown: Shown[]): void => {
  const before = shown.at(-1)?.slot;
  const owners = new Set(before?.candidates.map(({ dataset }) => dataset));
  if (!before || owners.size !== 1 || before.text.split(' ').length < 2 || !/^(?:ids?|names?)$/i.test(slot.text))
    return;
  if (/^(?:and|,)$/.test(c.tokens[slot.at - 1]?.norm ?? '')) slot.beside = [...owners][0];
};
const followsOf = (c: Cursor, at: number): boolean => {
  let before = at - 1;
  while (before >= 0 && /^(?:the|all|top|bottom|\d+|different|distinct|every|each)$/.test(c.tokens[before]!.norm))
    before--;
  return c.tokens[before]?.norm === 'of';
};

/** "type codes of the template types", where only templates have a field of that name, which refers to them. */
const ownKey = (c: Cursor, slot: FieldSlot, dataset: string, role?: string): boolean => {
  const [only, more] = slot.candidates;
  if (!only || more || only.fields.length !== 1) return false;
  const { fields, primaryKey } = c.vocabulary.dataset(dataset);
  const refers = c.vocabulary.lens.relationships.some(
    ({ from, to }) =>
      from.dataset === only.dataset &&
      to.dataset === dataset &&
      from.columns.join() === only.fields[0]!.name &&
      to.columns.join() === primaryKey.join(),
  );
  const key = refers ? fields.find(({ name }) => name === primaryKey[0]) : undefined;
  if (!key) return false;
  slot.candidates = [{ dataset, role, fields: [key], loose: only.loose }];
  slot.bound = dataset;
  slot.boundRole = role;
  return true;
};

/** "the room's full name": what it is called by, though only guests have a first and a last name. */
const ownName = (c: Cursor, slot: FieldSlot, dataset: string, role?: string): boolean => {
  const display = c.vocabulary.display(dataset);
  if (!/^(?:full )?(?:names?|titles?)$/i.test(slot.text) || display.length === 0) return false;
  slot.candidates = [{ dataset, role, fields: display, loose: 0 }];
  slot.bound = dataset;
  slot.boundRole = role;
  return true;
};

/** "names of customers" binds what is shown to customers. What they do not have is not looked for elsewhere: a name or
 *  title of theirs is what they are called by, and anything else must be the only thing of that name. */
export const bind = (c: Cursor, state: State, dataset: string, role?: string): void => {
  for (const slot of state.open) {
    if (slot.bound) continue;
    if (slot.candidates.some((one) => one.dataset === dataset)) {
      slot.bound = dataset;
      slot.boundRole = role;
      continue;
    }
    const person = personOf(c, dataset);
    if (person && slot.candidates.some((one) => one.dataset === person)) {
      slot.bound = person;
      continue;
    }
    if (ownKey(c, slot, dataset, role)) continue;
    if (ownName(c, slot, dataset, role)) continue;
    const of = [...new Set(slot.candidates.map((one) => one.dataset))];
    if (of.length === 1 && !namesAnother(c, slot.text, of, dataset)) continue;
    c.draft.faults.push(slot.text);
  }
  state.open = [];
};

const MEASURED = /(?:the |their )*(?:total |overall )?(?:number|count|total|average|avg|sum|maximum|minimum)/;
/** "customers' first and last name": the fields behind belong to it. */
export const possessive = (c: Cursor, state: State, dataset?: string, role?: string): boolean => {
  if (!c.take(/(?:'s|')/, 'possessive')) return false;
  for (let first = true; ; first = false) {
    const joiner = first ? 0 : c.match(/(?:, and|,|and|as well as)(?: (?:the|their))?/);
    if (!first && (joiner === 0 || !peekField(c, joiner) || c.match(MEASURED, joiner) > 0)) return true;
    if (joiner > 0) c.accept(joiner, 'conjunction');
    const slot = readField(c);
    if (!slot) return true;
    if (dataset && slot.candidates.some((one) => one.dataset === dataset))
      Object.assign(slot, { bound: dataset, boundRole: role });
    else if (dataset && !ownName(c, slot, dataset)) {
      const of = slot.candidates.map((one) => one.dataset);
      const person = personOf(c, dataset);
      if (person && of.includes(person)) slot.bound = person;
      else if (namesAnother(c, slot.text, of, dataset)) c.draft.faults.push(slot.text);
    }
    c.draft.shown.push({ slot });
    state.open.push(slot);
  }
};
