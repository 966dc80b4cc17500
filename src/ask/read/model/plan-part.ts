// One part of a plan, and which words are words for it.
import type { MetricsBody } from '../../../contract/ask.ts';
import type { Lens } from '../../../lens/lens.ts';
import { SUPERLATIVES } from '../../../planner/words/lexicon.ts';
import { numberWordAt } from '../../../planner/words/number-words.ts';
import type { Token } from '../../../planner/words/token.ts';
import { foldValue } from '../../../planner/words/tokens.ts';
import { phraseKey, type Term, vocabularyOf } from '../../../planner/words/vocabulary.ts';

type Node = unknown;

/** Words of asking, and what of a part they are words for. */
const SIGNS: readonly (readonly [words: string, sign: RegExp])[] = [
  ['how many number count', /"fn":"count|counts_rows/],
  ['total sum', /"fn":"(?:sum|total|groups_sum)"|sums_up/],
  ['average avg mean', /"fn":"(?:avg|groups_avg)"|"take":"avg"|averages/],
  ['median', /"(?:fn|take)":"median"/],
  ['distinct different unique', /count_distinct|"distinct":true/],
  ['share percent percentage proportion', /share_of_total|"percent":true/],
  ['ratio', /"fn":"ratio"/],
  ['not no never without except excluding neither', /"op":"(?:!=|not_in|is_null)"|"not"|not_exists/],
  ['or', /"op":"in"|"any"/],
  ['more greater over above exceeding higher after than since', /"op":">|"at_least"|"from"|"than"/],
  ['less fewer under below lower before than', /"op":"<|"at_most"|"to"/],
  ['least', /"op":">="|"at_least"/],
  ['most', /"op":"<="|"at_most"/],
  ['between', /"op":"between"|"from"/],
  ['order ordered sort sorted rank ranked top bottom', /^order_by|"direction"|^limit/],
  ['year yearly annual', /\.year"|during|"from"/],
  ['month monthly', /\.month"|during|"from"/],
  ['quarter quarterly', /\.quarter"|during|"from"/],
  ['week weekly', /\.week"|during|"from"/],
  ['day daily', /\.day"|during|"from"/],
];
const SIGNS_OF = new Map<string, RegExp[]>();
for (const [words, sign] of SIGNS)
  for (const word of words.split(' ')) SIGNS_OF.set(word, [...(SIGNS_OF.get(word) ?? []), sign]);

const PART = /^[a-z_]+(?:\[\d{1,3}\])?(?:\.[a-z_]+(?:\[\d{1,3}\])?)*$/;
const OWN = ['metrics', 'measures', 'dimensions', 'filters', 'having', 'per', 'order_by'] as const;
const SINGLE = ['time', 'every', 'offset', 'limit_per', 'distinct'] as const;

export class PlanPart {
  readonly path: string;
  readonly constants: string[];
  readonly #lens: Lens;
  readonly #text: string;
  readonly #names: ReadonlySet<string>;

  private constructor(lens: Lens, path: string, node: Node) {
    this.path = path;
    this.#lens = lens;
    this.constants = constantsOf(node);
    this.#names = new Set(namesOf(node));
    const metrics = lens.metrics.filter(({ name }) => this.#names.has(name));
    const signs = metrics.map(({ expression }) =>
      /^\s*count\s*\(/i.test(expression)
        ? 'counts_rows'
        : /^\s*sum\s*\(/i.test(expression)
          ? 'sums_up'
          : /^\s*avg\s*\(/i.test(expression)
            ? 'averages'
            : '',
    );
    this.#text = [path, JSON.stringify(node), ...signs].join(' ');
  }

  static at(lens: Lens, body: MetricsBody, path: string): PlanPart | null {
    if (!PART.test(path)) return null;
    let node: Node = body;
    for (const key of path.split(/[.[\]]+/).filter(Boolean)) {
      if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return null;
      node = (node as Record<string, Node>)[key];
    }
    if (node === undefined || node === null) return null;
    return new PlanPart(lens, path, typeof node === 'number' || typeof node === 'boolean' ? { [path]: node } : node);
  }

  /** Each measure, grouping, condition and order of a plan, inner conditions by themselves. */
  static all(lens: Lens, body: MetricsBody): PlanPart[] {
    const lists = OWN.flatMap((key) =>
      (body[key] ?? []).map((node: Node, at: number): [string, Node] => [`${key}[${at}]`, node]),
    );
    const singles = SINGLE.flatMap((key): [string, Node][] => (body[key] ? [[key, body[key]]] : []));
    const limit: [string, Node][] = body.limit === undefined ? [] : [['limit', { limit: body.limit }]];
    return [...lists, ...singles, ...limit].flatMap(([path, node]) => [
      new PlanPart(lens, path, node),
      ...innerConditions(path, node).map(([inner, one]) => new PlanPart(lens, inner, one)),
    ]);
  }

  /** Which of the words it hears, by their places, and which of its constants they say. */
  hears(words: readonly Token[]): { words: Set<number>; literals: string[] } {
    const heard = new Set<number>();
    const literals: string[] = [];
    for (let at = 0; at < words.length; ) {
      const length = this.#nameAt(words, at);
      const constant = this.#constantAt(words, at);
      const taken = Math.max(length, constant?.length ?? 0, this.#signAt(words[at]!) ? 1 : 0);
      if (constant) literals.push(...constant.said);
      for (let nth = at; nth < at + taken; nth++) heard.add(nth);
      at += Math.max(1, taken);
    }
    return { words: heard, literals };
  }

  /** The longest name of the lens that begins here and that the part has. */
  #nameAt(words: readonly Token[], at: number): number {
    const { phrases, longest } = vocabularyOf(this.#lens);
    for (let to = Math.min(words.length, at + longest); to > at; to--) {
      const phrase = phraseKey(
        words
          .slice(at, to)
          .map(({ norm }) => norm)
          .join(' '),
      );
      if ((phrases.get(phrase) ?? []).some((term) => this.#has(term))) return to - at;
    }
    return 0;
  }

  #has(term: Term): boolean {
    switch (term.kind) {
      case 'metric':
        return this.#names.has(term.metric.name);
      case 'dataset':
        return (
          [...this.#names].some(
            (name) =>
              name === term.dataset ||
              name.startsWith(`${term.role ?? term.dataset}.`) ||
              name.startsWith(`${term.dataset}.`),
          ) || this.#measures(term.dataset)
        );
      case 'field':
        return term.loose < 2 && this.#hasField(term.dataset, term.field.name, term.role);
      case 'names':
        return term.fields.some((field) => this.#hasField(term.dataset, field.name, term.role));
      case 'definition':
        return this.#hasDefinition(term.definition);
    }
  }

  /** A metric that counts the rows of a dataset is called as they are. */
  #measures(dataset: string): boolean {
    return this.#lens.metrics.some(
      ({ name, home, expression }) =>
        this.#names.has(name) && home === dataset && /^\s*count\s*\(\s*\*\s*\)/i.test(expression),
    );
  }

  #hasField(dataset: string, field: string, role: string | undefined): boolean {
    return [...this.#names].some((name) => {
      const [path, own] = name.includes('.') ? name.split('.') : [null, name];
      return own === field && (path === null || path === dataset || path === role);
    });
  }

  #hasDefinition({ metric, field, filter, senses }: Extract<Term, { kind: 'definition' }>['definition']): boolean {
    if (senses.length > 0) return false;
    if (filter) {
      const plain = (text: string) => text.replaceAll(/[\s'"]/g, '').toLowerCase();
      const [name] = [...this.#names];
      return (
        name !== undefined &&
        this.constants.length === 1 &&
        plain(filter).endsWith(`${name.split('.').at(-1)}=${plain(this.constants[0]!)}`)
      );
    }
    return (metric !== null && this.#names.has(metric)) || (field !== null && this.#names.has(field));
  }

  #constantAt(words: readonly Token[], at: number): { length: number; said: string[] } | null {
    const word = words[at]!;
    const number = word.kind === 'number' ? word.value : numberWordAt(words, at)?.value;
    const same = (one: string) =>
      foldValue(one) === word.norm || (number !== undefined && one.trim() !== '' && Number(one) === number);
    const said = this.constants.filter(same);
    if (said.length > 0) return { length: Math.max(1, numberWordAt(words, at)?.length ?? 1), said };
    for (let to = words.length; to > at + 1; to--) {
      const text = words
        .slice(at, to)
        .map(({ norm }) => norm)
        .join(' ');
      const long = this.constants.filter((one) => foldValue(one) === text);
      if (long.length > 0) return { length: to - at, said: long };
    }
    if (number !== undefined && Number.isInteger(number)) {
      const year = [`${number}-01-01`, `${number + 1}-01-01`];
      if (year.every((day) => this.constants.includes(day))) return { length: 1, said: year };
    }
    const inPeriod = this.constants.filter(
      (one) =>
        PERIOD.test(one) &&
        foldValue(one)
          .split(/[\s-]+/)
          .includes(word.norm),
    );
    return inPeriod.length > 0 && this.constants.length === 1 ? { length: 1, said: inPeriod } : null;
  }

  #signAt({ kind, norm }: Token): boolean {
    if (kind !== 'word') return false;
    const superlative = SUPERLATIVES.get(norm);
    if (superlative?.about === null) {
      const down = superlative.direction === 'desc';
      if (this.#text.includes(`"direction":"${superlative.direction}"`)) return true;
      if (this.#text.includes(down ? '"fn":"max"' : '"fn":"min"')) return true;
    }
    return (SIGNS_OF.get(norm) ?? SIGNS_OF.get(norm.replace(/s$/, '')) ?? []).some((sign) => sign.test(this.#text));
  }
}

const PERIOD = /^(?:\d{4}(?:-Q[1-4]|-\d\d)?|(?:this|last|previous|past) [a-z0-9 ]+)$/i;
const NAMES = new Set([
  'field',
  'metric',
  'rows',
  'of',
  'exists',
  'not_exists',
  'through',
  'via',
  'measure',
  'by',
  'per',
  'every',
]);

/** The names of the lens within a part; grains left aside. */
function namesOf(node: Node, key = 'field'): string[] {
  if (typeof node === 'string')
    return NAMES.has(key) ? [node.replace(/\.(?:day|week|month|quarter|year|weekday|hour)$/, '')] : [];
  if (Array.isArray(node)) return node.flatMap((one) => namesOf(one, key));
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, one]) => namesOf(one, name));
}

/** What is compared with, and how many: inner conditions have their own. */
function constantsOf(node: Node): string[] {
  if (Array.isArray(node) || typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, one]) => {
    if (key === 'values' && Array.isArray(one)) return one.map(String);
    if (
      ['during', 'from', 'to', 'at_least', 'at_most', 'exactly', 'limit', 'amount', 'bin'].includes(key) &&
      typeof one !== 'object'
    )
      return [String(one)];
    if (key === 'rows' && typeof one === 'number') return [String(one)];
    return key === 'by' && typeof one === 'number' ? [String(one)] : [];
  });
}

const CONDITIONS = new Set(['where', 'any', 'all', 'not', 'having']);
function innerConditions(path: string, node: Node): [string, Node][] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, one]): [string, Node][] => {
    const at = Array.isArray(node) ? `${path}[${key}]` : `${path}.${key}`;
    const own: [string, Node][] =
      CONDITIONS.has(key) && Array.isArray(one)
        ? one.map((inner, nth): [string, Node] => [`${at}[${nth}]`, inner])
        : [];
    return [...own, ...(typeof one === 'object' ? innerConditions(at, one) : [])];
  });
}
