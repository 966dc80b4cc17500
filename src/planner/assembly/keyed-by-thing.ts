// "the country of the customer who has the most orders": one customer is picked and their country told. Grouped by the
// country alone, the answer would be the country with the most orders, which is another question.
import type { Intent } from '../../lens/model/intent.ts';
import type { Cursor } from '../grammar/cursor.ts';
import { type EntityMention, isMeasure, isSlot, type Shown } from '../grammar/draft.ts';
import { pathsFrom, refuse } from '../grammar/resolve.ts';

const RELATIVE = /^(?:who|that|which|whose|with|having)$/;

/** The thing right in front of the clause that ranks or tests it; `many`: whether it is one thing or all of a kind is open. */
const thingTold = (c: Cursor, at: number): { thing: EntityMention; many: boolean } | null => {
  const before = c.draft.entities.filter((one) => one.clause.id === 0 && one.at < at);
  const thing = before.at(-1);
  if (!thing) return null;
  const end = thing.at + thing.text.split(' ').length;
  const word = c.tokens[end]?.norm ?? '';
  const between = c.draft.shown.some(({ slot }) => slot && slot.at >= end && slot.at < at);
  if (!RELATIVE.test(word) || between) return null;
  const last = c.tokens[end - 1]!;
  return { thing, many: word === 'with' && last.norm !== last.stem };
};

/** Adds the key of the thing that is picked to what the answer is grouped by. */
export const keyByThing = (c: Cursor, intent: Intent, shown: Shown[], home: string, keys: string[]): void => {
  const { draft } = c;
  const [rank] = draft.ranks;
  const [having] = draft.havings;
  const add = (thing: EntityMention, many = false): void => {
    const paths = pathsFrom(c, home, thing.dataset, thing.role);
    const [path] = paths;
    if (path !== undefined && keys.includes(path)) return;
    const { primaryKey } = c.vocabulary.dataset(thing.dataset);
    const keyed = intent.dimensions.some((ref) => ref.path === path && primaryKey.join() === ref.field);
    if (keyed) return;
    if (paths.length !== 1 || primaryKey.length === 0)
      refuse(thing.text, `Say of which ${thing.text}, or what is counted by.`);
    if (many) refuse(thing.text, `Say whether one of the ${thing.text} is meant, or all of a kind together.`);
    keys.push(path!);
  };
  if (!having && !(rank?.by && isMeasure(rank.by))) return;
  if (rank?.of) {
    if (!isSlot(rank.of)) add(rank.of);
    return;
  }
  const told = thingTold(c, rank?.at ?? having!.measure.at);
  if (told) add(told.thing, told.many && rank?.limit === 1);
  // "Which customer has the most orders? Show the country."
  const first = draft.shown.find(({ entity }) => entity && !shown.some((item) => item.entity === entity))?.entity;
  if (!told && first && draft.sentences.some((count) => count > 0)) add(first);
};
