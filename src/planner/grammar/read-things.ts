// Noun phrases: fields ("the first and last names") and datasets. A reader moves on only when it has read something whole.
import type { LensField } from '../../lens/model/lens.ts';
import { type FieldTerm, phraseKey, type Term } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import { dateOfEvent } from './date-of-event.ts';
import type { EntityMention, FieldCandidate, FieldSlot } from './draft.ts';

/** A number that tells rows apart measures nothing: its sum and its mean say nothing. */
export const isKey = (c: Cursor, dataset: string, { name }: LensField): boolean => {
  const { lens } = c.vocabulary;
  return (
    lens.datasets.some((one) => one.name === dataset && one.primaryKey.length === 1 && one.primaryKey[0] === name) ||
    lens.relationships.some(({ from }) => from.dataset === dataset && from.columns.includes(name)) ||
    /(?:^|_)(?:id|no|nr|key|code)$/i.test(name)
  );
};

/** What a reader did is undone when it returns null. */
export const attempt = <T>(c: Cursor, read: () => T | null): T | null => {
  const { at, clause, draft } = c;
  const { length } = c.uses;
  const lists = [
    draft.entities,
    draft.owners,
    draft.conditions,
    draft.shown,
    draft.faults,
    draft.groups,
    draft.ranks,
    draft.havings,
    draft.clauses,
    draft.verbs,
    draft.definitions,
    draft.times,
    draft.orders,
    draft.notes,
    draft.plainCounts,
  ];
  const lengths = lists.map((list) => list.length);
  const { both, relation } = clause;
  const result = read();
  if (result === null) {
    c.at = at;
    c.clause = clause;
    clause.both = both;
    clause.relation = relation;
    c.uses.length = length;
    lists.forEach((list, index) => {
      list.length = lengths[index]!;
    });
  }
  return result;
};

/** `counted`: of a thing's name and key the key is counted; otherwise its name is shown. */
export const candidatesOf = (all: readonly Term[], counted = false): FieldCandidate[] => {
  const wanted = counted ? 'key' : 'name';
  const identified = all.flatMap((term) => (term.kind === 'field' && term.identity ? [term] : []));
  const fits = (term: FieldTerm): boolean => term.identity === wanted && (counted || !term.field.masked);
  const terms = all.filter(
    (term) =>
      term.kind !== 'field' ||
      !term.identity ||
      fits(term) ||
      !identified.some(
        (other) => other !== term && other.dataset === term.dataset && (fits(other) || (term.field.masked && !counted)),
      ),
  );
  const found: FieldCandidate[] = [];
  for (const term of terms) {
    if (term.kind === 'field')
      found.push({ dataset: term.dataset, role: term.role, fields: [term.field], loose: term.loose });
    if (term.kind === 'names') found.push({ dataset: term.dataset, role: term.role, fields: term.fields, loose: 0 });
  }
  const tight = found.filter((candidate) => candidate.loose < 2);
  return tight.length > 0 ? tight : found;
};

/** A governed term with several meanings is asked back, whatever else bears its name. */
export const hasSenses = (term: Term): boolean => term.kind === 'definition' && term.definition.senses.length > 0;

const coordinated = (c: Cursor): { length: number; candidates: FieldCandidate[] } | null => {
  return sharedHead(c, 0) ?? (c.norm(2) === 'and' ? sharedHead(c, 1) : null);
};
/** `before`: words that belong to the first, and perhaps to the second: "booking start and end dates". */
const sharedHead = (c: Cursor, before: number): { length: number; candidates: FieldCandidate[] } | null => {
  // "first and last name": the last word belongs to both.
  if (c.norm(before + 1) !== 'and' && c.norm(before + 1) !== 'or') return null;
  const [one, two, head] = [c.token(before)?.stem, c.token(before + 2)?.stem, c.token(before + 3)?.stem];
  if (!one || !two || !head) return null;
  const led = before > 0 ? `${c.token()!.stem} ` : '';
  const named = (key: string): FieldCandidate[] => candidatesOf(c.vocabulary.phrases.get(key) ?? []);
  const first = named(`${led}${one} ${head}`);
  const second = [named(`${led}${two} ${head}`), named(`${two} ${head}`)].find((list) => list.length > 0) ?? [];
  const candidates = first.flatMap((left) => {
    const right = second.find((other) => other.dataset === left.dataset && other.role === left.role);
    return right ? [{ ...left, fields: [...left.fields, ...right.fields] }] : [];
  });
  return candidates.length > 0 ? { length: before + 4, candidates } : null;
};

const UNINVERTED =
  /^(?:numbers?|counts?|totals?|sums?|averages?|means?|medians?|shares?|percentages?|lists?|orders?|kinds?|rates?|ratios?|top|first|last|most|least|all|each|every|any|some|part)$/;
/** "the codes of countries" where a field is called country code, and no thing of that name has codes of its own. */
const inverted = (c: Cursor, offset: number): { length: number; candidates: FieldCandidate[] } | null => {
  const head = c.token(offset);
  if (head?.kind !== 'word' || c.norm(offset + 1) !== 'of' || UNINVERTED.test(head.norm)) return null;
  let at = offset + 2;
  while (/^(?:the|all|their|our)$/.test(c.norm(at))) at++;
  const entity = peekEntity(c, at);
  const own = c.phrase(offset)?.terms.some((term) => 'dataset' in term && term.dataset === entity?.dataset);
  if (entity && (own || /^(?:names?|titles?|ids?)$/.test(head.norm))) return null;
  for (const length of [2, 1]) {
    const words = Array.from({ length }, (_, index) => c.token(at + index));
    if (words.some((word) => word?.kind !== 'word')) continue;
    const terms = c.vocabulary.phrases.get([...words.map((word) => word!.stem), head.stem].join(' ')) ?? [];
    const candidates = terms.some(hasSenses) ? [] : candidatesOf(terms).filter(({ loose }) => loose < 2);
    // "the age of losers and winners" is two ages.
    const more =
      /^(?:and|or|,)$/.test(c.norm(at + length)) && (peekEntity(c, at + length + 1) ?? c.phrase(at + length + 1));
    if (candidates.length > 0) return more ? null : { length: at - offset + length, candidates };
  }
  return null;
};

/** The field phrase at the head, longest first; the head does not move. */
export const peekField = (c: Cursor, offset = 0): { length: number; candidates: FieldCandidate[] } | null => {
  const here = (offset === 0 ? coordinated(c) : null) ?? inverted(c, offset) ?? dateOfEvent(c, offset);
  if (here) return here;
  const phrase = c.phrase(offset);
  if (!phrase || phrase.terms.some(hasSenses)) return null;
  const candidates = candidatesOf(phrase.terms);
  return candidates.length > 0 ? { length: phrase.length, candidates } : null;
};

export const readField = (c: Cursor, as = 'field'): FieldSlot | null => {
  const found = peekField(c);
  if (!found) return null;
  const { at } = c;
  const names = found.candidates.map(
    (candidate) => `${candidate.role ?? candidate.dataset}.${candidate.fields.map((field) => field.name).join('+')}`,
  );
  let text = c.accept(found.length, as, names.length === 1 ? names[0] : undefined);
  // "the number of final tables made": the last word of its own name.
  const rest = `${c.tokens[c.at - 1]!.stem} ${c.token()?.stem ?? ''}`;
  const own = found.candidates.length === 1 ? found.candidates[0]!.fields : [];
  if (own.some(({ name, synonyms }) => [name, ...synonyms].some((one) => phraseKey(one).endsWith(` ${rest}`))))
    text += ` ${c.accept(1, as)}`;
  // "millisecond length": both words name the same field.
  const again = peekField(c);
  const shared =
    again?.candidates.filter((other) =>
      found.candidates.some(
        (one) => one.dataset === other.dataset && one.fields[0] === other.fields[0] && other.loose === 0,
      ),
    ) ?? [];
  if (again && shared.length > 0) {
    text += ` ${c.accept(again.length, as)}`;
    return { at, text, candidates: shared };
  }
  // "country name": the name of a country is the country.
  if (
    c.token()?.stem === 'name' &&
    found.candidates.every((one) => one.fields.length === 1 && one.fields[0]!.datatype === 'string')
  )
    text += ` ${c.accept(1, as)}`;
  return { at, text, candidates: found.candidates };
};

export const peekEntity = (
  c: Cursor,
  offset = 0,
): { length: number; dataset: string; role?: string; owner?: string } | null => {
  const phrase = c.phrase(offset);
  const term = phrase?.terms.find((candidate) => candidate.kind === 'dataset');
  if (!phrase || !term) return null;
  const own = term.role ? null : theirs(c, offset, phrase.length, term.dataset);
  return own ?? { length: phrase.length, dataset: term.dataset, role: term.role };
};
/** "company offices", where an office is of one company. */
const theirs = (
  c: Cursor,
  offset: number,
  length: number,
  owner: string,
): { length: number; dataset: string; owner: string } | null => {
  const last = c.token(offset + length - 1)!;
  const next = c.token(offset + length);
  if (last.norm !== last.stem || next?.kind !== 'word') return null;
  const before = c.norm(offset - 1);
  if (next.norm === next.stem && !/^(?:each|every|any|no|an?)$/.test(before)) return null;
  const phrase = c.phrase(offset + length);
  const things = phrase?.terms.filter((one) => one.kind === 'dataset') ?? [];
  const [thing] = things;
  if (!phrase || thing?.kind !== 'dataset' || things.length !== 1 || thing.role) return null;
  if (phrase.terms.some((one) => one !== thing && !(one.kind === 'field' && one.loose === 2))) return null;
  if (thing.dataset === owner || c.vocabulary.graph.paths(thing.dataset, owner).length !== 1) return null;
  // Rows that are called by nothing are told apart by what they are of.
  const counted =
    /^(?:most|fewest|least|of|than|no|any|many|one)$/.test(before) || c.token(offset - 1)?.kind === 'number';
  const { primaryKey, fields } = c.vocabulary.dataset(thing.dataset);
  const called = c.vocabulary.display(thing.dataset).length > 0 || fields.some(({ name }) => name === primaryKey[0]);
  return counted || called ? { length: length + phrase.length, dataset: thing.dataset, owner } : null;
};
export const readEntity = (c: Cursor, as = 'dataset'): EntityMention | null => {
  const found = peekEntity(c);
  if (!found) return null;
  const { at } = c;
  const text = c.accept(found.length, as, found.role ?? found.dataset);
  const mention: EntityMention = { at, text, dataset: found.dataset, role: found.role, clause: c.clause };
  c.draft.entities.push(mention);
  bothSexes(c, c.tokens[c.at - 1]!.stem);
  if (found.owner) c.draft.owners.push(found.owner);
  return mention;
};
/** "actors and actresses", "actors (actresses)": all of them, where the lens knows them by the one word. */
const bothSexes = (c: Cursor, noun: string): void => {
  const ahead = c.match(/(?:and|or|\/|\()(?: the)?/);
  const other = ahead > 0 ? c.norm(ahead) : '';
  const root = /^(.{3,}?)r?ess(?:es)?$/.exec(other)?.[1];
  if (!root || root !== noun.replace(/(?:er|or)$/, '') || c.phrase(ahead) || c.values(ahead).length > 0) return;
  c.accept(ahead + 1, 'dataset');
  c.take(/\)/, 'punctuation');
};
