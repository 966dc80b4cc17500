// Checks text that a model wrote. The text can use only the words and numbers of the result (prose-words.ts). Each
// number must be next to the label of its row or column. Links and markup aren't allowed.
import type { Column } from '../../../contract/ask.ts';
import { isNumeric } from '../../../contract/warehouse.ts';
import type { FetchedRows } from '../../outcome.ts';
import { toPlainNumber } from '../number-format.ts';
import { listLabelNames } from '../period-names.ts';
import { rewriteWithRowDigits } from '../use-row-digits.ts';
import { findUnsupportedPhrase } from './prose-words.ts';

const MARKUP_PATTERN =
  /[<>[\]`\u0000-\u0008\u200b-\u200f\u202a-\u202e\u2066-\u2069]|\w+:\/\/|\bwww\.|\bjavascript:|\bdata:/i;
const MAX_PROSE_LENGTH = 4_000;

/** The problem with the text, or null if the text states only facts that the rows show. */
export function findProseFault(prose: string, fetchedRows: FetchedRows): string | null {
  if (prose.length > MAX_PROSE_LENGTH) return 'it is too long';
  if (MARKUP_PATTERN.test(prose)) return 'it contains a link or markup';
  const exact = rewriteWithRowDigits(prose, fetchedRows);
  if (hasMisattributedNumber(exact.prose, exact.fetchedRows)) return 'it assigns a number to the wrong row or column';
  if (findUnsupportedPhrase(exact.prose, exact.fetchedRows) !== null)
    return 'it states something that the rows do not show';
  return null;
}

interface LabelMention {
  at: number;
  label: string;
}
/** A number in the text, and the cells with this value. */
interface NumberMention {
  at: number;
  end: number;
  cells: { row: number; column: string }[];
}
/** The rows (by index) or columns (by name) that each label represents. */
type LabelAxis = { side: 'row' | 'column'; labels: Map<string, Set<number | string>>; mentions: LabelMention[] };
const LABEL_POSITIONS = ['before', 'after', 'nearest'] as const;
type LabelPosition = (typeof LABEL_POSITIONS)[number];

/**
 * Whether a number is attributed to the wrong cell. For each label column, every number must be next to the label of
 * its row. If there are several number columns, each number must also be next to the name of its column. Numbers and
 * labels must have the same order throughout the text: "West 5, East 7" or "5 in the West and 7 in the East".
 */
function hasMisattributedNumber(prose: string, fetchedRows: FetchedRows): boolean {
  const { rows, columns } = fetchedRows;
  const numericColumns = columns.filter(({ datatype }) => isNumeric(datatype));
  const labels = columns.filter((column) => !isNumeric(column.datatype) && countDistinct(rows, column) > 1);
  if (numericColumns.length === 0) return false;
  if (rows.length > 1 && labels.length === 0) return true;
  const text = prose.toLowerCase();
  const axes = labels.map(({ name }): LabelAxis => createAxis(text, 'row', groupRowsByLabel(rows, name)));
  if (numericColumns.length > 1)
    axes.push(createAxis(text, 'column', groupColumnsByLabel(fetchedRows, numericColumns)));
  const labelMentions = findMentions(text, [...new Set(axes.flatMap((axis) => [...axis.labels.keys()]))]);
  const numbers = [...text.matchAll(/(?<!\b(?:top|bottom) )-?\d[\d,]*(?:\.\d+)?/g)]
    .filter(({ index }) => !labelMentions.some(({ at, label }) => index >= at && index < at + label.length))
    .map(
      ({ index, 0: match }): NumberMention => ({
        at: index,
        end: index + match.length,
        cells: findMentionedCells(match, fetchedRows, numericColumns),
      }),
    )
    .filter(({ cells }) => cells.length > 0);
  if (numbers.length === 0 || axes.length === 0) return false;
  if (axes.some(({ mentions }) => mentions.length === 0)) return true;
  const groups = axes.filter(({ side }) => side === 'row').map((axis) => countJoinedGroups(text, axis));
  if ((text.match(/\beach\b/g) ?? []).length > Math.max(0, ...groups)) return true;
  return !listPositionCombinations(axes.length).some((positions) =>
    numbers.every((number) => {
      const adjacentLabels = axes.map((axis, index) => findLabelsNextTo(text, axis, number, positions[index]!));
      return computeCartesianProduct(adjacentLabels).every((choice) =>
        number.cells.some((cell) => axes.every((axis, index) => axis.labels.get(choice[index]!)?.has(cell[axis.side]))),
      );
    }),
  );
}

const countDistinct = (rows: FetchedRows['rows'], { name }: Column): number =>
  new Set(rows.map((row) => String(row[name] ?? ''))).size;
const createAxis = (text: string, side: LabelAxis['side'], labels: LabelAxis['labels']): LabelAxis => ({
  side,
  labels,
  mentions: findMentions(text, [...labels.keys()]),
});
const computeCartesianProduct = (lists: string[][]): string[][] =>
  lists.reduce<string[][]>(
    (combinations, list) => combinations.flatMap((item) => list.map((label) => [...item, label])),
    [[]],
  );
const listPositionCombinations = (count: number): LabelPosition[][] =>
  computeCartesianProduct(Array(count).fill([...LABEL_POSITIONS])) as LabelPosition[][];

function findMentionedCells(text: string, { rows }: FetchedRows, numericColumns: Column[]): NumberMention['cells'] {
  const number = toPlainNumber(text);
  return rows.flatMap((row, rowIndex) =>
    numericColumns
      .filter(({ name }) => (row[name] ?? null) !== null && toPlainNumber(String(row[name])) === number)
      .map(({ name }) => ({ row: rowIndex, column: name })),
  );
}

const LIST_SEPARATOR_PATTERN = /^(?:[\s,·]|\b(?:and|the)\b)*$/;
/** The label next to a number. A list such as "West and East" isn't a label, unless "each" is near it. */
function findLabelsNextTo(
  text: string,
  { mentions }: LabelAxis,
  { at, end }: NumberMention,
  position: LabelPosition,
): string[] {
  const precedingIndex = mentions.findLastIndex((mention) => mention.at < at);
  const followingIndex = mentions.findIndex((mention) => mention.at > at);
  const distanceBetween = (from: number, to: number) =>
    to - from + (/[,;.]/.test(text.slice(from, to)) ? text.length : 0);
  const nearerSide =
    precedingIndex >= 0 &&
    followingIndex >= 0 &&
    distanceBetween(findMentionEnd(mentions[precedingIndex]!), at) <= distanceBetween(end, mentions[followingIndex]!.at)
      ? 'before'
      : 'after';
  const direction = position === 'nearest' ? nearerSide : position;
  const onlyIndex = mentions.length === 1 ? 0 : -1;
  const chosenIndex = Math.max(direction === 'before' ? precedingIndex : followingIndex, onlyIndex);
  if (chosenIndex < 0) return [''];
  let [from, to] = [chosenIndex, chosenIndex];
  while (isJoined(text, mentions, from - 1)) from--;
  while (isJoined(text, mentions, to)) to++;
  const group = mentions.slice(from, to + 1);
  const surroundings = text.slice(
    Math.min(at, group[0]!.at),
    mentions.find((mention) => mention.at > at && !group.includes(mention))?.at,
  );
  return group.length === 1 || /\beach\b/.test(surroundings) ? group.map(({ label }) => label) : [''];
}
/** Whether the mention at `index` and the next mention belong to one list. */
const isJoined = (text: string, mentions: LabelMention[], index: number): boolean =>
  mentions[index] !== undefined &&
  mentions[index + 1] !== undefined &&
  LIST_SEPARATOR_PATTERN.test(text.slice(findMentionEnd(mentions[index]), mentions[index + 1]!.at));
const countJoinedGroups = (text: string, { mentions }: LabelAxis): number =>
  mentions.filter((_, index) => isJoined(text, mentions, index) && !isJoined(text, mentions, index - 1)).length;
const findMentionEnd = ({ at, label }: LabelMention): number => at + label.length;

function groupRowsByLabel(rows: FetchedRows['rows'], column: string): LabelAxis['labels'] {
  const labels: LabelAxis['labels'] = new Map();
  for (const [rowIndex, row] of rows.entries())
    for (const name of row[column] === null ? [] : listLabelNames(column, String(row[column])))
      addLabel(labels, name, rowIndex);
  return labels;
}

function groupColumnsByLabel({ plan }: FetchedRows, numericColumns: Column[]): LabelAxis['labels'] {
  const labels: LabelAxis['labels'] = new Map();
  for (const { name } of numericColumns) {
    const metric = plan.grantedLens.lens.metrics.find((metric) => metric.name === name);
    for (const label of [name.replaceAll(/[_.]/g, ' '), ...(metric?.synonyms ?? [])])
      for (const form of new Set([label, label.replace(/(?<=[^s])s$/, ''), label.replace(/(?<=[^s])$/, 's')]))
        addLabel(labels, form, name);
  }
  return labels;
}

function addLabel(labels: LabelAxis['labels'], label: string, rowOrColumn: number | string): void {
  const key = label.toLowerCase();
  if (key.trim() !== '') labels.set(key, (labels.get(key) ?? new Set()).add(rowOrColumn));
}

/** The positions of labels in the text, from left to right, with the longest label at each position. */
function findMentions(text: string, labels: string[]): LabelMention[] {
  const mentions: LabelMention[] = [];
  for (const label of [...labels].sort((a, b) => b.length - a.length)) {
    for (let position = text.indexOf(label); position >= 0; position = text.indexOf(label, position + label.length)) {
      const isStandalone =
        !/[\p{L}\p{N}]/u.test(text[position - 1] ?? ' ') && !/[\p{L}\p{N}]/u.test(text[position + label.length] ?? ' ');
      const isFree = !mentions.some(
        (other) => position < other.at + other.label.length && other.at < position + label.length,
      );
      if (isStandalone && isFree) mentions.push({ at: position, label });
    }
  }
  return mentions.sort((a, b) => a.at - b.at);
}
