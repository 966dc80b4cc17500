// Every hypothesis of what the words of a question may be: names, values, periods, numbers, words of English. Chooses
// nothing; what no word of it explains stays without an edge.
import { distance } from 'fastest-levenshtein';
import type { LensField } from '../../lens/lens.ts';
import {
  ACTIVE,
  BUYERS,
  BUYING,
  CLASSES,
  COMING,
  COUNTING,
  DOING,
  EMPTY,
  LIGHT,
  NAMED_BY,
  OVERDUE,
  PAUSES,
  PERFECT,
  POLITE,
  RANKED_BY,
  RATE,
  RELATING,
  UNENDED,
} from '../english/words.ts';
import { isNumeric, isTemporal } from '../grammar/read-things.ts';
import {
  field,
  measure,
  type NamedField,
  type NamedThing,
  type NamedValue,
  number,
  type Period,
  type Term,
  things,
  value,
  word,
} from '../meaning/terms.ts';
import { derives, isParticiple, stem, verbRoot } from '../words/inflection.ts';
import { unitKey } from '../words/lexicon.ts';
import { timeAt } from '../words/time-expressions.ts';
import type { Token } from '../words/token.ts';
import { foldValue, tokenise } from '../words/tokens.ts';
import {
  type FieldTerm,
  firstRun,
  type Term as Naming,
  phraseKey,
  type Vocabulary,
  words,
} from '../words/vocabulary.ts';
import { byKey } from './by-key.ts';

export interface Leaf {
  from: number;
  to: number;
  cat: string;
  term: Term;
}
export interface Lattice {
  tokens: readonly Token[];
  forms: ReadonlySet<string>[];
  empty: boolean[];
  leaves: Leaf[];
  /** Misspelled words, by what they were read as. */
  mended: { text: string; as: string }[];
}

const set = (list: string, by: string | RegExp): ReadonlySet<string> => new Set(list.split(by));
const empty = set(EMPTY, ' ');
const pauses = set(PAUSES, ' ');
const polite = set(POLITE, ' ');
const light = LIGHT.split(' ');
const naming = set(NAMED_BY, ' ');
const buying = set(BUYING, ' ');
const buyer = set(BUYERS, ' ');
const WHO = 'who';
const perfect = set(PERFECT, ' ');
const counting = set(COUNTING, ' ');
const phrases = new Map<string, { cat: string; term: Term }[]>();
const enter = (said: string, cat: string, term: Term): void => {
  for (const phrase of said.split('|')) phrases.set(phrase, [...(phrases.get(phrase) ?? []), { cat, term }]);
};
for (const { cat, value: meant, features, said } of CLASSES) enter(said, cat, word(meant, features));
enter(UNENDED, 'unended', word('open'));
enter(OVERDUE, 'overdue', word('overdue'));
for (const [at, { said }] of RANKED_BY.entries()) enter(said, 'ranking', word(String(at)));
const active = set(ACTIVE, '|');
const verbs = [RELATING, COMING, ...DOING.map(({ said }) => said)].flatMap((said) => said.split('|'));
for (const verb of new Set(verbs)) enter(verb, 'link', word(verb, active.has(verb) ? [] : ['valued']));
/** "in" is Indiana only in capitals. */
const isFunction = (norm: string): boolean =>
  empty.has(norm) || polite.has(norm) || (phrases.get(norm) ?? []).some(({ cat }) => cat === 'prep');
const LONGEST_PHRASE = 4;
const grammarWords = new Set([...phrases.keys()].flatMap((phrase) => phrase.split(' ')));

export function latticeOf(
  question: string,
  vocabulary: Vocabulary,
  context: { now: Date; timezone: string },
  known: ReadonlySet<string>,
): Lattice {
  const { list, folded } = tokenise(question);
  const mended: Lattice['mended'] = [];
  const tokens = list.map((token) => mend(token, vocabulary, known, mended));
  const leaves: Leaf[] = [];
  for (const at of tokens.keys()) {
    leaves.push(
      ...englishAt(tokens, at, vocabulary),
      ...namesAt(tokens, at, vocabulary),
      ...valuesAt(tokens, at, folded, vocabulary),
    );
    leaves.push(...numbersAt(tokens, at, context));
  }
  return {
    tokens,
    forms: tokens.map(
      ({ kind, norm, stem: root }) => new Set(kind === 'quoted' || kind === 'number' ? [] : [norm, root]),
    ),
    empty: emptyOf(tokens, leaves),
    leaves,
    mended,
  };
}

/** A word that a value is called by is no empty one. */
const emptyOf = (tokens: readonly Token[], leaves: readonly Leaf[]): boolean[] => {
  const opening = tokens.findIndex(({ norm }) => !(polite.has(norm) || empty.has(norm) || pauses.has(norm)));
  return tokens.map(({ kind, norm }, at) => {
    if (leaves.some(({ cat, from, to }) => (cat === 'value' || cat === 'unclear') && from === at && to === at + 1))
      return false;
    return kind === 'word'
      ? empty.has(norm) || (polite.has(norm) && (at < opening || norm === 'please'))
      : pauses.has(norm) || norm === "'s";
  });
};

const TYPO_FROM = 5; // letters
/** A word that nothing knows, one letter away from a single word that a name of the lens or English has. */
const mend = (
  token: Token,
  { knownWords, values }: Vocabulary,
  known: ReadonlySet<string>,
  mended: Lattice['mended'],
): Token => {
  const { kind, norm, stem: root } = token;
  if (kind !== 'word' || norm.length < TYPO_FROM || /\d/.test(norm)) return token;
  const knows = (one: string): boolean =>
    knownWords.has(one) || known.has(one) || grammarWords.has(one) || empty.has(one);
  if (knows(norm) || knows(root) || values.has(norm) || values.has(root)) return token;
  const near = new Set<string>();
  for (const words of [knownWords, known, grammarWords])
    for (const one of words)
      if (
        one.length >= TYPO_FROM - 1 &&
        Math.abs(one.length - root.length) <= 1 &&
        one[0] === root[0] &&
        distance(one, root) === 1
      )
        near.add(one);
  const [only, more] = near;
  if (!only || more) return token;
  mended.push({ text: token.text, as: only });
  return { ...token, norm: only, stem: stem(only) };
};

/** A date of the lens is called by what happened. */
const isDated = (verb: string, { lens }: Vocabulary): boolean =>
  lens.datasets.some(({ fields }) =>
    fields.some(
      ({ name, synonyms, datatype }) =>
        isTemporal(datatype) &&
        [name, ...synonyms].some((one) => words(one).some((part) => derives(part, verbRoot(verb)))),
    ),
  );

const englishAt = (tokens: readonly Token[], at: number, vocabulary: Vocabulary): Leaf[] => {
  const found: Leaf[] = [];
  for (let to = at + 1; to <= Math.min(tokens.length, at + LONGEST_PHRASE); to++) {
    const span = tokens.slice(at, to);
    if (span.some(({ kind }) => kind !== 'word' && kind !== 'punct')) break;
    const said = new Set([span.map(({ norm }) => norm).join(' '), ...(to === at + 1 ? [span[0]!.stem] : [])]);
    const seen = new Set<Term>();
    for (const one of said)
      for (const { cat, term } of phrases.get(one) ?? [])
        if (!seen.has(term) && seen.add(term)) found.push({ from: at, to, cat, term });
  }
  if (
    tokens[at]!.kind === 'word' &&
    isParticiple(tokens[at]!.norm) &&
    !phrases.has(tokens[at]!.norm) &&
    isDated(tokens[at]!.norm, vocabulary)
  )
    found.push({ from: at, to: at + 1, cat: 'link', term: word(tokens[at]!.norm, ['valued']) });
  if (tokens[at]!.kind === 'word' && isParticiple(tokens[at]!.norm))
    found.push({ from: at, to: at + 1, cat: 'done', term: word(tokens[at]!.norm) });
  if (tokens[at]!.norm === WHO && tokens.some(({ norm }) => buying.has(norm))) {
    const buyers = vocabulary.lens.datasets.filter(({ name, synonyms }) =>
      [name, ...synonyms].some((one) => buyer.has(phraseKey(one))),
    );
    const [only, more] = buyers;
    if (only && !more && at === 0)
      found.push({
        from: at,
        to: at + 1,
        cat: 'things',
        term: things(only.name, [{ dataset: only.name }], [], ['many', 'rows']),
      });
  }
  // "have published", "has been written by": one verb.
  if (perfect.has(tokens[at]!.norm)) {
    let next = at + 1;
    while (tokens[next] && empty.has(tokens[next]!.norm)) next++;
    for (const { cat, term } of phrases.get(tokens[next]?.norm ?? '') ?? [])
      if (cat === 'link') found.push({ from: at, to: next + 1, cat, term });
  }
  return found;
};

const text = (tokens: readonly Token[], from: number, to: number): string =>
  tokens
    .slice(from, to)
    .map((token) => token.text)
    .join(' ');

/** The words at a span, and "type of food" for food_type. */
const namesAt = (tokens: readonly Token[], at: number, vocabulary: Vocabulary): Leaf[] => {
  const found: Leaf[] = [];
  for (let to = at + 1; to <= Math.min(tokens.length, at + vocabulary.longest + 1); to++) {
    const span = tokens.slice(at, to);
    if (span.some(({ kind, norm }) => kind === 'quoted' || (kind === 'punct' && !/^[-_/&]$/.test(norm)))) break;
    const said = span.flatMap(({ stem: root, kind }) => (kind === 'punct' ? [] : [root]));
    const keys = [said.join(' ')];
    const of = said.indexOf('of');
    const owner = of > 0 ? (vocabulary.phrases.get(said.slice(of + 1).join(' ')) ?? []) : [];
    // "email of customers" are fields of things, which compose; "type of food" is one name.
    const owned = owner.some(({ kind }) => kind === 'dataset');
    if (of > 0 && of < said.length - 1 && !owned && !counting.has(said[0]!))
      keys.push([...said.slice(of + 1), ...said.slice(0, of)].join(' '));
    const known = keys.flatMap((key) => vocabulary.phrases.get(key) ?? []);
    const terms = known.length > 0 ? known : looselyNamed(said, span, vocabulary);
    if (terms.length > 0 && !said.every((one) => counting.has(one)))
      found.push(
        ...leavesOf(terms, text(tokens, at, to), span[Math.max(0, of < 0 ? span.length - 1 : of - 1)]!).map((leaf) => ({
          ...leaf,
          from: at,
          to,
        })),
      );
  }
  return found;
};

const isEnglish = ({ norm }: Token): boolean =>
  empty.has(norm) || polite.has(norm) || counting.has(norm) || phrases.has(norm);

/** Names that are said shorter or longer than the lens has them, where nothing is named so: "freight" of freight amount,
 *  "country name" of country, "number of citations" of citation number, "transactions" of wallet transactions. */
const looselyNamed = (said: readonly string[], span: readonly Token[], vocabulary: Vocabulary): Naming[] => {
  if (span.length === 1 && isEnglish(span[0]!)) return [];
  const fieldsOf = (key: string): FieldTerm[] =>
    (vocabulary.phrases.get(key) ?? []).filter((term): term is FieldTerm => term.kind === 'field');
  const key = said.join(' ');
  if (counting.has(said[0]!) && said[1] === 'of') {
    const rest = said.slice(2).join(' ');
    const named = vocabulary.phrases.get(rest) ?? [];
    if (named.some(({ kind }) => kind === 'dataset')) return [];
    return [...counting]
      .flatMap((one) => fieldsOf(`${rest} ${one}`))
      .filter(({ field: { datatype } }) => isNumeric(datatype));
  }
  if (span.some(isEnglish)) return [];
  const shorter = light.flatMap((noun) => fieldsOf(`${key} ${noun}`)).map(loosened);
  if (shorter.length > 0) return shorter;
  if (said.length > 1 && naming.has(said.at(-1)!)) {
    const called = fieldsOf(said.slice(0, -1).join(' ')).filter(({ field: { datatype } }) => datatype === 'string');
    if (called.length > 0) return called;
  }
  const dataset = shortlyNamed(vocabulary).get(key);
  if (dataset) return [{ kind: 'dataset', dataset }];
  for (let cut = 1; cut < said.length; cut++) {
    const owner = shortlyNamed(vocabulary).get(said.slice(0, cut).join(' '));
    const own = owner
      ? fieldsOf(said.slice(cut).join(' ')).filter((one) => one.dataset === owner && one.loose < 2)
      : [];
    if (own.length > 0) return own;
  }
  return [];
};
const loosened = (term: FieldTerm): FieldTerm => ({ ...term, loose: term.loose === 0 ? 1 : term.loose });

const short = new WeakMap<Vocabulary, Map<string, string>>();
/** Runs of words of a dataset's name that no other dataset's name has. */
const shortlyNamed = (vocabulary: Vocabulary): Map<string, string> => {
  const known = short.get(vocabulary);
  if (known) return known;
  const owners = new Map<string, Set<string>>();
  for (const { name } of vocabulary.lens.datasets) {
    const parts = words(name).map(stem);
    for (let from = 0; from < parts.length; from++)
      for (let to = from + 1; to <= parts.length; to++) {
        const run = parts.slice(from, to).join(' ');
        if (run.length > 3) owners.set(run, (owners.get(run) ?? new Set()).add(name));
      }
  }
  const made = new Map<string, string>();
  for (const [run, names] of owners) if (names.size === 1) made.set(run, [...names][0]!);
  short.set(vocabulary, made);
  return made;
};

/** Of one of what a metric adds up, its total says nothing. */
const isPlural = (name: string): boolean => {
  const last = words(name).at(-1) ?? '';
  return stem(last) !== last;
};
const kindOf = ({ datatype }: LensField): string =>
  isTemporal(datatype) ? 'date' : isNumeric(datatype) ? 'number' : datatype === 'boolean' ? 'flag' : 'text';

function leavesOf(terms: readonly Naming[], said: string, last: Token): { cat: string; term: Term }[] {
  const made: { cat: string; term: Term }[] = [];
  const number = last.norm === last.stem ? 'one' : 'many';
  const fields: NamedField[] = terms.flatMap((term): NamedField[] =>
    term.kind === 'field'
      ? [{ dataset: term.dataset, role: term.role, fields: [term.field], loose: term.loose, identity: term.identity }]
      : term.kind === 'names'
        ? [{ dataset: term.dataset, role: term.role, fields: term.fields, loose: 0 }]
        : [],
  );
  const byKind = byKey(fields, (one) => kindOf(one.fields[0]!));
  for (const [kind, options] of byKind) made.push({ cat: 'field', term: field(said, options, [kind, number]) });
  const datasets: NamedThing[] = terms.flatMap((term) =>
    term.kind === 'dataset' ? [{ dataset: term.dataset, role: term.role }] : [],
  );
  if (datasets.length > 0) made.push({ cat: 'things', term: things(said, datasets, [], [number, 'rows']) });
  const values: NamedThing[] = fields
    .filter((one) => kindOf(one.fields[0]!) === 'text' && one.loose < 2)
    .map((by) => ({ dataset: by.dataset, role: by.role, by }));
  // A number called number may be one of how many.
  const keys = fields
    .filter(
      (one) =>
        one.identity === 'key' && kindOf(one.fields[0]!) === 'number' && /(?:id|key|code)$/i.test(one.fields[0]!.name),
    )
    .map((by) => ({ dataset: by.dataset, role: by.role, by }));
  if (values.length + keys.length > 0 && datasets.length === 0)
    made.push({ cat: 'things', term: things(said, [...values, ...keys], [], [number, 'values']) });
  const metrics = terms.flatMap((term) => (term.kind === 'metric' ? [term.metric] : []));
  if (metrics.length > 0)
    made.push({
      cat: 'measure',
      term: measure({ is: 'metric', metrics, conds: [] }, metrics.map(({ name }) => name).join('|'), [
        'metric',
        ...(made.some(({ cat }) => cat === 'things') ? ['thing'] : []),
        ...(number === 'one' && metrics.every(({ name }) => isPlural(name)) ? ['single'] : []),
      ]),
    });
  return made;
}

/** Stored values, in their own spelling or a declared one; a quoted text that is none. */
const valuesAt = (tokens: readonly Token[], at: number, folded: string, vocabulary: Vocabulary): Leaf[] => {
  const token = tokens[at]!;
  const found: Leaf[] = [];
  const leaf = (to: number, said: string, options: NamedValue[]): void => {
    found.push({
      from: at,
      to,
      cat: 'value',
      term: value(said, [{ text: said, options }], {}, token.kind === 'word' && !token.capital),
    });
  };
  if (token.kind === 'quoted') {
    const exact = (vocabulary.values.get(firstRun(token.norm)) ?? []).filter((one) => one.folded === token.norm);
    leaf(
      at + 1,
      token.text,
      exact.map(({ dataset, field: of, value: meant }) => ({ dataset, field: of, value: meant })),
    );
    if (exact.length > 0) leaf(at + 1, token.text, []);
    return found;
  }
  if (token.kind === 'punct') return found;
  if (token.kind === 'word' && !token.capital && isFunction(token.norm)) {
    if (polite.has(token.norm) && vocabulary.values.get(token.norm)?.some((one) => one.folded === token.norm))
      found.push({ from: at, to: at + 1, cat: 'unclear', term: word(token.norm) });
    return found;
  }
  const byEnd = new Map<number, NamedValue[]>();
  for (const one of vocabulary.values.get(firstRun(token.norm)) ?? []) {
    const end = token.start + one.folded.length;
    const to = tokens.findIndex((other, index) => index >= at && other.end === end);
    const same = folded.startsWith(one.folded, token.start) || (to === at && foldValue(token.norm) === one.folded);
    if (to >= at && same)
      byEnd.set(to + 1, [...(byEnd.get(to + 1) ?? []), { dataset: one.dataset, field: one.field, value: one.value }]);
  }
  // One word of another number: "chair" for Chairs, "published" stays what it is.
  for (const one of vocabulary.values.get(token.stem) ?? [])
    if (!byEnd.has(at + 1) && one.folded === token.stem)
      byEnd.set(at + 1, [{ dataset: one.dataset, field: one.field, value: one.value }]);
  if (!byEnd.has(at + 1))
    for (const one of vocabulary.values.get(`${token.norm}s`) ?? [])
      if (one.folded === `${token.norm}s`)
        byEnd.set(at + 1, [...(byEnd.get(at + 1) ?? []), { dataset: one.dataset, field: one.field, value: one.value }]);
  // "cancellation rate" of what is cancelled.
  if (token.kind === 'word' && tokens[at + 1]?.norm === RATE && !byEnd.has(at + 1)) {
    const states = [...vocabulary.values.values()]
      .flat()
      .filter(({ folded: one }) => isParticiple(one) && derives(token.norm, verbRoot(one)));
    if (states.length > 0)
      byEnd.set(
        at + 1,
        states.map(({ dataset, field: of, value: meant }) => ({ dataset, field: of, value: meant })),
      );
  }
  for (const [to, options] of byEnd) {
    leaf(to, text(tokens, at, to), options);
    // "Italian food" of food_type: the word says no more than which field it is.
    const next = tokens[to]?.stem;
    const own = options.filter(
      ({ field: of }) => next !== undefined && words(of.name).length > 1 && words(of.name).map(stem).includes(next),
    );
    if (own.length > 0) leaf(to + 1, text(tokens, at, to), own);
  }
  return found;
};

const numbersAt = (tokens: readonly Token[], at: number, context: { now: Date; timezone: string }): Leaf[] => {
  const found: Leaf[] = [];
  const token = tokens[at]!;
  if (token.kind === 'number' && token.value !== undefined) {
    found.push({ from: at, to: at + 1, cat: 'number', term: number(token.value, token.unit ?? null) });
    const unit = tokens[at + 1]?.kind === 'word' ? unitKey(tokens[at + 1]!.stem) : null;
    if (unit !== null && !token.unit)
      found.push({ from: at, to: at + 2, cat: 'number', term: number(token.value, unit) });
  }
  const mention = timeAt(tokens, at, context);
  if (mention && !mention.fault) {
    const to = at + mention.length;
    const said = text(tokens, at, to);
    const closed = mention.from !== null && mention.to !== null;
    const period: Period = {
      t: 'period',
      text: said,
      mention,
      key: `${mention.from}..${mention.to}`,
      features: closed ? ['closed'] : ['open'],
    };
    found.push({ from: at, to, cat: 'period', term: period });
  }
  return found;
};

/** What the words of a phrase name in the lens, for names that the data of a language knows. */
export const namedBy = (said: string, vocabulary: Vocabulary): Naming[] =>
  said.split('|').flatMap((phrase) => vocabulary.phrases.get(phraseKey(phrase)) ?? []);
