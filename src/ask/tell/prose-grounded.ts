// What model-written prose may say: no number, no stored value that the rows, the filters or the question do not hold;
// each number beside the row or the column that it stands in; nothing that a reader's screen would follow.
import type { Column, JsonValue } from '../../contract/ask.ts';
import type { Lens } from '../../lens/lens.ts';
import type { FetchedRows } from '../outcome.ts';
import { plainNumber, ungroundedNumbers } from './numbers-grounded.ts';
import { labelNames } from './period-names.ts';
import { foreignWord } from './prose-words.ts';

const ACTIVE = /[<>[\]`\u0000-\u0008\u200b-\u200f\u202a-\u202e\u2066-\u2069]|\w+:\/\/|\bwww\.|\bjavascript:|\bdata:/i;
const NUMERIC = new Set(['integer', 'decimal', 'float']);
const LONGEST_VALUE = 5; // words
const MAX_PROSE = 4_000;

/** What is wrong with the prose; null when it says only what the rows say. */
export function proseFault(prose: string, fetched: FetchedRows, question: string | null): string | null {
  if (prose.length > MAX_PROSE) return 'it is too long';
  if (ACTIVE.test(prose)) return 'it holds a link or markup';
  if (ungroundedNumbers(prose, fetched).length > 0) return 'it holds a number that is not in the rows';
  if (strangeValue(prose, fetched, question)) return 'it names a value that is not in the rows';
  if (misattributed(prose, fetched)) return 'it gives a number to another row or column';
  if (foreignWord(prose, fetched) !== null) return 'it says something that the rows do not say';
  return null;
}

interface Mention {
  at: number;
  label: string;
}

/** Every number must stand beside a label of its row, in each column of labels, and beside the name of its own column
 *  where there are several; in one order throughout: "West 5, East 7" or "5 in the West and 7 in the East". */
function misattributed(prose: string, fetched: FetchedRows): boolean {
  const { rows, columns } = fetched;
  const numeric = columns.filter(({ datatype }) => NUMERIC.has(datatype));
  const labels = columns.filter((column) => !NUMERIC.has(column.datatype) && distinct(rows, column) > 1);
  if (numeric.length === 0) return false;
  if (rows.length > 1 && labels.length === 0) return true;
  const owners = labels.map(({ name }) => ownersByRow(rows, name, numeric));
  if (numeric.length > 1) owners.push(ownersByColumn(fetched, numeric));
  const text = prose.toLowerCase();
  const taken = mentionsOf(text, [...new Set(owners.flatMap((some) => [...some.keys()]))]);
  const counted = [...text.matchAll(/-?\d[\d,]*(?:\.\d+)?/g)]
    .filter(({ index }) => !taken.some(({ at, label }) => index >= at && index < at + label.length))
    .map((found) => ({ at: found.index, number: plainNumber(found[0]) }));
  return owners.some((some) => standsWrong(text, some, counted));
}

function standsWrong(text: string, owners: Owners, counted: { at: number; number: string }[]): boolean {
  const mentions = mentionsOf(text, [...owners.keys()]);
  const numbers = counted.filter(({ number }) => [...owners.values()].some((owned) => owned.has(number)));
  if (mentions.length === 0) return numbers.length > 0;
  const wrong = (order: 'before' | 'after') =>
    numbers.some(({ at, number }) => {
      const before = mentions.filter((mention) => mention.at < at).at(-1);
      const after = mentions.find((mention) => mention.at > at);
      const beside = order === 'before' ? (before ?? after) : (after ?? before);
      return !owners.get(beside!.label)!.has(number);
    });
  return wrong('before') && wrong('after');
}

/** By label, the numbers that belong to it. */
type Owners = Map<string, Set<string>>;
const distinct = (rows: FetchedRows['rows'], { name }: Column): number =>
  new Set(rows.map((row) => String(row[name] ?? ''))).size;

function own(owners: Owners, label: JsonValue, values: (JsonValue | undefined)[]): void {
  if (label === null || String(label).trim() === '') return;
  const key = String(label).toLowerCase();
  const owned = owners.get(key) ?? new Set();
  for (const value of values) if (value !== null && value !== undefined) owned.add(plainNumber(String(value)));
  owners.set(key, owned);
}

function ownersByRow(rows: FetchedRows['rows'], label: string, numeric: Column[]): Owners {
  const owners: Owners = new Map();
  for (const row of rows)
    for (const name of row[label] === null ? [] : labelNames(label, String(row[label])))
      own(
        owners,
        name,
        numeric.map((column) => row[column.name]),
      );
  return owners;
}

function ownersByColumn({ rows, plan }: FetchedRows, numeric: Column[]): Owners {
  const owners: Owners = new Map();
  for (const { name } of numeric) {
    const metric = plan.granted.lens.metrics.find((one) => one.name === name);
    for (const called of [name.replaceAll(/[_.]/g, ' '), ...(metric?.synonyms ?? [])])
      own(
        owners,
        called,
        rows.map((row) => row[name]),
      );
  }
  return owners;
}

/** Where labels stand in the text, the longest at each place, left to right. */
function mentionsOf(text: string, labels: string[]): Mention[] {
  const found: Mention[] = [];
  for (const label of [...labels].sort((a, b) => b.length - a.length)) {
    for (let at = text.indexOf(label); at >= 0; at = text.indexOf(label, at + label.length)) {
      const alone = !/[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ') && !/[\p{L}\p{N}]/u.test(text[at + label.length] ?? ' ');
      const free = !found.some((other) => at < other.at + other.label.length && other.at < at + label.length);
      if (alone && free) found.push({ at, label });
    }
  }
  return found.sort((a, b) => a.at - b.at);
}

const dictionaries = new WeakMap<Lens, Set<string>>();
function dictionaryOf(lens: Lens): Set<string> {
  const known = dictionaries.get(lens);
  if (known) return known;
  const values = new Set(
    lens.datasets.flatMap(({ fields }) =>
      fields.flatMap(({ dictionary }) => (dictionary?.values ?? []).map(({ value }) => value.toLowerCase())),
    ),
  );
  dictionaries.set(lens, values);
  return values;
}

/** A stored value, written as one, that neither rows nor filters nor the question name. */
function strangeValue(prose: string, { rows, plan }: FetchedRows, question: string | null): boolean {
  const known = dictionaryOf(plan.granted.lens);
  if (known.size === 0) return false;
  const said = [
    question ?? '',
    plan.scope.sentence,
    ...plan.scope.filters.flatMap(({ values }) => values.map(String)),
    ...rows.flatMap((row) => Object.entries(row).flatMap(([name, value]) => [name, String(value)])),
  ]
    .join('\n')
    .toLowerCase();
  const words = [...prose.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'&.-]*/gu)];
  for (let from = 0; from < words.length; from++) {
    for (let to = from; to < Math.min(words.length, from + LONGEST_VALUE); to++) {
      const phrase = prose.slice(words[from]!.index, words[to]!.index + words[to]![0].length).replace(/[.'-]+$/, '');
      if (/^\p{Lu}/u.test(phrase) && known.has(phrase.toLowerCase()) && !said.includes(phrase.toLowerCase()))
        return true;
    }
  }
  return false;
}
