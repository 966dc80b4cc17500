// "Where is store 1 located?", "Where does the customer live?": the one field that tells the place of the thing, or of the
// one place it leads to. Where a city and a country could be told, it is for the asker to say which.
import type { LensField } from '../../lens/model/lens.ts';
import { words } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import { peekEntity } from './read-things.ts';
import { refuse } from './resolve.ts';
import { type Rule, show } from './rule.ts';

const PLACES = [
  /^(?:location|whereabouts)$/,
  /^address$/,
  /^(?:city|town|village|district|county|state|province|country|region|venue|site|place)$/,
];
const NO_PLACE = /^(?:e|mail|email|ip|mac|web|url|id|code|type)$/;

const placesOf = (c: Cursor, dataset: string, tiers: RegExp[]): LensField[] => {
  const texts = c.vocabulary.dataset(dataset).fields.filter(({ name, datatype, masked }) => {
    const said = words(name);
    return datatype === 'string' && !masked && !said.some((word) => NO_PLACE.test(word));
  });
  for (const tier of tiers) {
    const found = texts.filter(({ name }) => tier.test(words(name).at(-1) ?? ''));
    if (found.length > 0) return found;
  }
  return [];
};

export const where: Rule = (c, state) => {
  const opens = c.at === 0 || /^[.?!]$/.test(c.norm(-1));
  const length = opens ? c.match(/where (?:is|are|was|were|does|do|did)(?: (?:the|our|my|a|an))?/) : 0;
  const thing = length > 0 ? peekEntity(c, length) : null;
  const noun = thing && c.token(length + thing.length - 1)!;
  // "Where are the stores?" has a row for each, which the place alone does not tell apart.
  if (!thing || thing.role || noun!.norm !== noun!.stem) return false;
  const { graph } = c.vocabulary;
  const near = [...graph.reach(thing.dataset).values()].filter(({ hops }) => hops === 1);
  const own = placesOf(c, thing.dataset, PLACES.slice(0, 2)).map((field) => ({ dataset: thing.dataset, field }));
  const led = near.flatMap(({ dataset }) =>
    placesOf(c, dataset, PLACES.slice(0, 2))
      .filter(({ name }) => words(dataset).some((word) => word.startsWith(words(name).at(-1)!)))
      .map((field) => ({ dataset, field })),
  );
  const coarse = placesOf(c, thing.dataset, PLACES.slice(2)).map((field) => ({ dataset: thing.dataset, field }));
  const found = [own, led, coarse].find((list) => list.length > 0) ?? [];
  const [only, more] = found;
  const { at } = c;
  const text = c.textOf(at, 1);
  if (more)
    refuse(
      text,
      `Say whether the ${found.map(({ field }) => field.name.replaceAll('_', ' ')).join(' or the ')} is meant.`,
    );
  if (!only) return false;
  c.accept(length, 'question');
  const { dataset, field } = only;
  show(c, state, { slot: { at, text, candidates: [{ dataset, fields: [field], loose: 0 }], bound: dataset } });
  state.open = [];
  state.head = false;
  return true;
};
