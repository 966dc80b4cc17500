// Every phrase that can name something in a lens, and every value in its dictionaries. Built once per lens
// object and kept as long as the object exists.
import type { Lens, LensDataset, LensDefinition, LensField, LensMetric } from '../../lens/model/lens.ts';
import type { Language } from '../english/english.ts';
import { ENGLISH } from '../english/english.ts';
import { isParticiple, stem } from '../english/inflection.ts';
import { type JoinGraph, joinGraph } from './join-graph.ts';
import { unitKey } from './lexicon.ts';
import { otherSpellings } from './spelling.ts';
import { fold, foldValue } from './tokens.ts';

export interface FieldTerm {
  kind: 'field';
  dataset: string;
  field: LensField;
  /** 0: the name or a synonym. 1: the name after its dataset's name. 2: only the last word of the name. */
  loose: 0 | 1 | 2;
  /** Only in these roles ("origin city"). */
  role?: string;
  /** "product" for product_name (name) or product_id (key). */
  identity?: 'name' | 'key';
}
export type Term =
  | { kind: 'metric'; metric: LensMetric }
  | { kind: 'dataset'; dataset: string; role?: string }
  | FieldTerm
  | { kind: 'names'; dataset: string; fields: LensField[]; role?: string }
  | { kind: 'definition'; definition: LensDefinition };

export interface ValueEntry {
  folded: string;
  dataset: string;
  field: LensField;
  value: string;
  /** The declared synonym that matched. */
  synonym?: string;
}

export interface Vocabulary {
  lens: Lens;
  /** The language of the names, which can be any. */
  language: Language;
  /** A name as in `phrases`. */
  key(text: string): string;
  graph: JoinGraph;
  phrases: Map<string, Term[]>;
  longest: number;
  /** By the first sequence of letters and digits. */
  values: Map<string, ValueEntry[]>;
  dataset(name: string): LensDataset;
  /** Fields that name a row of the dataset: name, title, first and last name. Empty if there are none. */
  display(dataset: string): LensField[];
  /** Words in the lens's field names, for verbs: "shipped" and ship_date. */
  knownWords: Set<string>;
}

export const words = (name: string): string[] =>
  fold(name.replace(/([a-z])([A-Z])/g, '$1 $2'))
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
export const phraseKey = (text: string): string => words(text).map(stem).join(' ');
export const firstRun = (folded: string): string => /[\p{L}\p{N}]+/u.exec(folded)?.[0] ?? '';

const DISPLAY = ['name', 'title', 'label', 'full name', 'display name', 'company', 'description', 'descr'];

type KeyOf = (text: string) => string;
const displayFields = (dataset: LensDataset): LensField[] => {
  const own = phraseKey(dataset.name);
  const open = dataset.fields.filter((field) => field.datatype === 'string' || field.datatype === 'date');
  const called = (phrase: string) =>
    open.find((field) => {
      const key = phraseKey(field.name);
      return key === phrase || key === `${own} ${phrase}` || key === `${own.split(' ').at(-1)} ${phrase}`;
    });
  const said = (phrase: string) =>
    open.find(({ name, synonyms }) =>
      [name, ...synonyms].some((one) =>
        spellings(phraseKey(one), null).some((form) => form === phrase || form === `${own} ${phrase}`),
      ),
    );
  const first = called('first name') ?? called('forename') ?? called('given name');
  const last = called('last name') ?? called('surname') ?? called('family name');
  if (called('full name')) return [called('full name')!];
  if (first && last) return [first, last];
  const declared = open.filter(({ synonyms }) => synonyms.some((one) => phraseKey(one) === 'name'));
  const parts = [first ?? said('first name'), last ?? said('last name')];
  if (declared.length === 0 && parts[0] && parts[1]) return [parts[0], parts[1]];
  for (const phrase of DISPLAY) {
    const field = called(phrase);
    if (field) return [field];
  }
  const titles = [own, ...dataset.synonyms.map(phraseKey)];
  const same = open.filter((field) => titles.includes(phraseKey(field.name)));
  if (same.length === 1) return same;
  const title = open.filter((field) =>
    field.synonyms.some((synonym) =>
      [`name`, `${own} name`, `${own.split(' ').at(-1)} name`].includes(phraseKey(synonym)),
    ),
  );
  if (title.length === 1) return title;
  // The field's synonym is the thing's name: a turbine is its turbine_code.
  const alike = open.filter((field) => field.synonyms.some((synonym) => titles.includes(phraseKey(synonym))));
  if (alike.length === 1) return alike;
  const names = open.filter((field) => /(^| )(name|title|nm|ttl)$/.test(phraseKey(field.name)));
  return names.length === 1 ? names : [];
};

/** Common words for the abbreviations in column names. */
const SHORT: Readonly<Record<string, string>> = {
  fname: 'first name',
  lname: 'last name',
  dob: 'date of birth',
  qty: 'quantity',
  amt: 'amount',
  addr: 'address',
  dept: 'department',
  num: 'number',
  desc: 'description',
  pct: 'percent',
  tel: 'telephone',
  mgr: 'manager',
  emp: 'employee',
  cust: 'customer',
  prod: 'product',
  min: 'minimum',
  max: 'maximum',
  avg: 'average',
  dest: 'destination',
};
/**
 * The name itself, with abbreviations expanded, "number of X" for number_x, "email" for email_address,
 * "genre" for genre_is.
 */
const spellings = (name: string, unit: string | null): string[] => {
  const long = name
    .split(' ')
    .map((word) => (Object.hasOwn(SHORT, word) ? SHORT[word] : word))
    .join(' ');
  const counted = /^number (?!of )(.+)$/.exec(long)?.[1];
  const all = [name, long];
  if (counted) all.push(`number of ${counted}`);
  // "wait_min" in minutes: the unit isn't part of the name.
  const measured = /^(.+?)(?: in)? (\S+)$/.exec(name);
  if (measured && unit && unitKey(unit) !== null && unitKey(measured[2]!) === unitKey(unit)) all.push(measured[1]!);
  const said = /^(.+) (?:is|are|was)$/.exec(long)?.[1];
  if (said) all.push(said);
  if (/(?:^| )e ?mail address$/.test(long)) all.push(long.replace(/ address$/, ''));
  return all;
};

/** "first name" doesn't name a thing called "first". */
const ADJECTIVE = /^(?:first|last|middle|full|short|long|given|other|new|old|previous|current|main|common)$/;

/** "genre_is", "hired_by": function words don't name a field. */
const FUNCTION_WORD =
  /^(?:at|on|by|in|to|of|off|from|for|with|as|and|or|not|is|are|was|were|be|been|has|have|had|do|does|did|the|an?|it|its|than|per|each|all|any|no|up|out|if|so|who|what|which|when|where|how)$/;

const COUNT_NAME = /^(?:(?:number|count|no|num|n) (?:of )?(.+)|(.+?) (?:count|number))$/;

const metricPhrases = (metric: LensMetric, titles: ReadonlySet<string>, keyOf: KeyOf): string[] => {
  const names = [metric.name, ...metric.synonyms].map(keyOf);
  const all = new Set(names);
  for (const name of names) {
    const bare = /^(?:total|sum|overall) (?:of )?(.+)$/.exec(name)?.[1];
    // "total payments" is a sum, "most payments" counts the payments.
    const rows = bare !== undefined && titles.has(bare) && metric.references.aggregates.includes('sum');
    if (bare && !rows) all.add(bare);
    const counted = COUNT_NAME.exec(name);
    const thing = counted?.[1] ?? counted?.[2];
    if (thing)
      for (const form of [`number of ${thing}`, `count of ${thing}`, `${thing} count`, `number ${thing}`])
        all.add(form);
    const mean = /^(?:average|avg|mean) (?:of )?(.+)$/.exec(name)?.[1];
    if (mean) for (const form of [`average ${mean}`, `avg ${mean}`, `mean ${mean}`]) all.add(form);
  }
  return [...all];
};

/** A dataset's synonym such as "managed by" or "living in" links two things; as a noun, it would be listed. */
const LINKS = /^\w{2,}(?:ed|ing) (?:by|in|at|to|on|for|with|from)$/i;

const build = (lens: Lens, language: Language): Vocabulary => {
  const keyOf: KeyOf = (text) => words(text).map(language.inflection.stem).join(' ');
  const graph = joinGraph(lens);
  const phrases = new Map<string, Term[]>();
  let longest = 1;
  const knownWords = new Set<string>();
  const add = (key: string, term: Term): void => {
    if (!key) return;
    const list = phrases.get(key);
    if (!list) phrases.set(key, [term]);
    else {
      const at = list.findIndex((known) => same(known, term));
      const known = list[at];
      if (at < 0) list.push(term);
      else if (known?.kind === 'field' && term.kind === 'field' && term.loose < known.loose) list[at] = term;
    }
    const parts = key.split(' ');
    longest = Math.max(longest, parts.length);
    for (const part of parts) knownWords.add(part);
  };
  const displays = new Map(lens.datasets.map((dataset) => [dataset.name, displayFields(dataset)]));
  const identities: { thing: string; dataset: string; field: LensField; named: boolean }[] = [];
  const rolesTo = (dataset: string) =>
    lens.relationships.filter((relationship) => relationship.to.dataset === dataset && relationship.role !== dataset);

  for (const dataset of lens.datasets) {
    const nouns = dataset.synonyms.filter((one) => !LINKS.test(one));
    const titles = [...new Set([dataset.name, ...nouns].map(keyOf))];
    const roles = rolesTo(dataset.name);
    for (const title of titles) {
      add(title, { kind: 'dataset', dataset: dataset.name });
      // "dim_customer", "tbl_orders": the prefix belongs to the warehouse, not to the caller's vocabulary.
      const bare = /^(?:dim|fact|fct|tbl|stg|vw|mart) (.+)$/.exec(title)?.[1];
      if (bare) titles.push(bare);
    }
    for (const relationship of roles)
      add(keyOf(relationship.role), { kind: 'dataset', dataset: dataset.name, role: relationship.role });
    for (const { role } of roles)
      for (const title of titles)
        if (!keyOf(role).split(' ').includes(title))
          add(`${keyOf(role)} ${title}`, { kind: 'dataset', dataset: dataset.name, role });
    for (const field of dataset.fields) {
      const spelled = [field.name, ...field.synonyms].map(keyOf).flatMap((name) => spellings(name, field.unit));
      const names = [...new Set(spelled)];
      for (const name of names) {
        add(name, { kind: 'field', dataset: dataset.name, field, loose: 0 });
        const parts = name.split(' ');
        // "orders posted" are orders, not a date named posted.
        const dated = ['date', 'datetime', 'datetimetz'].includes(field.datatype) || words(field.name).includes('year');
        const event = isParticiple(name) && dated;
        for (const title of event ? [] : titles) {
          if (!name.startsWith(`${title} `))
            add(`${title} ${name}`, { kind: 'field', dataset: dataset.name, field, loose: 0 });
          else add(name.slice(title.length + 1), { kind: 'field', dataset: dataset.name, field, loose: 1 });
        }
        for (const { role } of roles)
          add(`${keyOf(role)} ${name}`, { kind: 'field', dataset: dataset.name, field, loose: 0, role });
        // "type of pet": the pet is the thing itself.
        if (
          parts.length > 1 &&
          !titles.includes(parts.at(-1)!) &&
          !/^(?:id|number|no|nr|num|code|key)$/.test(parts.at(-1)!) &&
          !FUNCTION_WORD.test(parts.at(-1)!)
        )
          add(parts.at(-1)!, { kind: 'field', dataset: dataset.name, field, loose: 2 });
        // "product" if there is a product_name or a product_id, but no dataset of products.
        const thing = /^(.+) (?:name|title|id|code|key|number|no)$/.exec(name)?.[1];
        const own = titles.some((title) => title === thing);
        if (thing && !own && !ADJECTIVE.test(thing) && !dataset.primaryKey.includes(field.name))
          identities.push({ thing, dataset: dataset.name, field, named: /(?:name|title)$/.test(name) });
        const predicate = field.datatype === 'boolean' && /^(?:is|has|was|are) (.+)$/.exec(name)?.[1];
        if (predicate) add(predicate, { kind: 'field', dataset: dataset.name, field, loose: 0 });
      }
    }
    const key =
      dataset.primaryKey.length === 1
        ? dataset.fields.find((field) => field.name === dataset.primaryKey[0])
        : undefined;
    // A row's name isn't its id.
    if (key && !/(?:^| )(?:name|title)$/.test(keyOf(key.name)))
      for (const form of ['id', ...titles.map((title) => `${title} id`)])
        add(form, { kind: 'field', dataset: dataset.name, field: key, loose: 1 });
    const display = displays.get(dataset.name)!;
    if (display.length === 2) {
      for (const form of ['full name', 'name', 'first and last name', 'first name and last name']) {
        const names: Term = { kind: 'names', dataset: dataset.name, fields: display };
        // One of them is declared as the name.
        if (
          phrases
            .get(keyOf(form))
            ?.some((term) => term.kind === 'field' && term.dataset === dataset.name && term.loose === 0)
        )
          continue;
        add(keyOf(form), names);
        for (const title of titles) add(`${title} ${keyOf(form)}`, names);
        for (const { role } of roles) add(`${keyOf(role)} ${keyOf(form)}`, { ...names, role } as Term);
      }
    }
  }
  for (const { thing, dataset, field, named } of identities) {
    if (
      phrases
        .get(thing)
        ?.some(
          (term) => term.kind === 'dataset' || (term.kind === 'field' && term.dataset === dataset && term.loose === 0),
        )
    )
      continue;
    add(thing, { kind: 'field', dataset, field, loose: 1, identity: named ? 'name' : 'key' });
  }
  const things = new Set(lens.datasets.flatMap(({ name, synonyms }) => [name, ...synonyms].map(keyOf)));
  for (const metric of lens.metrics)
    for (const phrase of metricPhrases(metric, things, keyOf)) add(phrase, { kind: 'metric', metric });
  for (const definition of lens.definitions)
    for (const term of [definition.term, ...definition.synonyms].map(keyOf)) {
      add(term, { kind: 'definition', definition });
      for (const sense of definition.senses)
        for (const said of [`${keyOf(sense.key)} ${term}`, `${term} ${keyOf(sense.key)}`])
          if (!phrases.get(said)?.some(({ kind }) => kind === 'metric'))
            add(said, { kind: 'definition', definition: { ...definition, ...sense, senses: [] } });
    }

  const values = new Map<string, ValueEntry[]>();
  for (const dataset of lens.datasets) {
    for (const field of dataset.fields) {
      if (field.masked) continue;
      const stored = new Set<string>();
      const enter = (folded: string, value: string, synonym?: string): void => {
        if (!folded) return;
        const key = firstRun(folded);
        const list = values.get(key) ?? [];
        list.push({ folded, dataset: dataset.name, field, value, synonym });
        values.set(key, list);
        stored.add(folded);
      };
      const known = field.dictionary?.values ?? [];
      for (const { value, synonyms } of known)
        for (const text of [value, ...synonyms]) enter(foldValue(text), value, text === value ? undefined : text);
      // An alternative spelling never replaces a value with exactly that spelling.
      for (const { value } of known)
        for (const other of otherSpellings(foldValue(value))) if (!stored.has(other)) enter(other, value);
    }
  }
  const byName = new Map(lens.datasets.map((dataset) => [dataset.name, dataset]));
  return {
    lens,
    language,
    key: keyOf,
    graph,
    phrases,
    longest,
    values,
    knownWords,
    dataset: (name) => byName.get(name)!,
    display: (name) => displays.get(name) ?? [],
  };
};

const same = (one: Term, other: Term): boolean => {
  if (one.kind === 'field' && other.kind === 'field')
    return one.dataset === other.dataset && one.field === other.field && one.role === other.role;
  if (one.kind === 'metric' && other.kind === 'metric') return one.metric === other.metric;
  if (one.kind === 'dataset' && other.kind === 'dataset')
    return one.dataset === other.dataset && one.role === other.role;
  if (one.kind === 'names' && other.kind === 'names') return one.dataset === other.dataset && one.role === other.role;
  return one.kind === 'definition' && other.kind === 'definition' && one.definition === other.definition;
};

const vocabularies = new WeakMap<Lens, Vocabulary>();
export const vocabularyOf = (lens: Lens): Vocabulary => {
  const made = vocabularies.get(lens) ?? build(lens, ENGLISH);
  vocabularies.set(lens, made);
  return made;
};
