// Writes the answer in words, without a language model: "Revenue was 187,480.18 USD (region: West; order date: 2016)."
// Each number is a cell or a count of rows. Amounts of money have two decimal places, and quotients have seven digits.
// The rows have all digits.
import type { Column, Envelope, JsonScalar } from '../../contract/ask.ts';
import { fillQuestion } from '../../domain/certified/parameters.ts';
import { type ChangeMeasure, findPlainMetricName } from '../../plan/lens-plan.ts';
import { createPlainNames } from '../../plan/sentence/names.ts';
import { type SentenceParts, writeAnswerParts } from '../../plan/sentence/plan-sentence.ts';
import type { FetchedRows, Grading } from '../outcome.ts';
import { startsAfterDataEnds } from '../prove/checks/data-fresh.ts';
import { formatCell, isLabelColumn } from '../read/values/format-cell.ts';
import { isStoredAsFraction } from './column-names.ts';
import { findPlanComparison, writeGroupComparison, writePeriodComparison } from './comparison-words.ts';
import { formatNumber, formatShare } from './number-format.ts';

const MAX_SPELLED_ROWS = 10;
type AnswerRow = Record<string, JsonScalar>;

/** If `withRows` is true, the response has the rows. Otherwise, the text must not refer to rows. */
export function composeAnswer(
  fetchedRows: FetchedRows,
  grading: Grading,
  truncated: Envelope['truncated'],
  withRows: boolean,
): string {
  const { plan, rows } = fetchedRows;
  const extraNotes = [writePolicyNote(fetchedRows), writePeriodAfterDataNote(fetchedRows)].filter(
    (note) => note !== null,
  );
  if (grading.empty)
    return [explainEmptyResult(grading.empty.reason, writeSubject(fetchedRows)), ...extraNotes].join(' ');
  const subject = writeSubject(fetchedRows);
  if (rows.length === 0) return `${subject}: the first row exceeds the size limit for results.`;
  const columns = fetchedRows.columns.map((column) => toFormattedColumn(column, fetchedRows));
  const spelledCount = Math.min(rows.length, MAX_SPELLED_ROWS, plan.grantedLens.lens.maxRowsToCompose);
  const notes = [...writeExtentNotes(spelledCount, fetchedRows, truncated, withRows), ...extraNotes];
  const onlyRow = rows.length === 1 ? rows[0]! : null;
  const compared = findPlanComparison(fetchedRows);
  const showNames = onlyRow !== null && columns.length > 1 && columns.filter(isLabelColumn).length > 1;
  const textOf = (row: AnswerRow): string =>
    compared ? writeComparedRow(compared, row, fetchedRows) : writeRow(row, columns, showNames);
  const sentence = onlyRow && writeValueSentence(fetchedRows, textOf(onlyRow), compared);
  if (sentence) return [sentence, ...notes].join(' ');
  const rowTexts = rows.slice(0, spelledCount).map(textOf);
  return [`${subject}: ${rowTexts.join('; ')}.`, ...notes].join(' ');
}

/** Formats a column's values for the text: shares as percentages, and times as days if all times are midnight. */
interface FormattedColumn extends Column {
  share: boolean;
}
const MIDNIGHT_PATTERN = /^\d{4}-\d\d-\d\d[T ]00:00(?::00(?:\.0+)?)?$/;
function toFormattedColumn(column: Column, fetchedRows: FetchedRows): FormattedColumn {
  const cells = fetchedRows.rows.map((row) => row[column.name] ?? null).filter((cell) => cell !== null);
  const areDays =
    column.datatype === 'datetime' && cells.length > 0 && cells.every((cell) => MIDNIGHT_PATTERN.test(String(cell)));
  return { ...column, datatype: areDays ? 'date' : column.datatype, share: isStoredAsFraction(column, fetchedRows) };
}
/** The maximum length of a cell in a sentence. The rows have the complete text. */
const MAX_CELL_TEXT_LENGTH = 500;

function writeCell(value: JsonScalar, column: FormattedColumn): string {
  if (column.share && value !== null) return formatShare(value as string | number);
  if (typeof value !== 'string' || value.length <= MAX_CELL_TEXT_LENGTH) return formatCell(value, column);
  return formatCell(`${value.slice(0, MAX_CELL_TEXT_LENGTH)}…`, column);
}

function writeSubject({ plan }: FetchedRows): string {
  if (plan.plan === 'certified')
    return `${fillQuestion(plan.entry.question.replace(/[?.!\s]+$/, ''), plan.parameters)} (certified answer)`;
  if (plan.plan !== 'compiled') return plan.scope.sentence.replace(/[.\s]+$/, '') || 'Result';
  const parts = writeAnswerParts(createPlainNames(plan.grantedLens.lens), plan.lensPlan);
  return `${parts.subject}${writeScopeSuffix(parts)}`;
}

/** A sentence for one measure without groups, such as "Revenue was 187,480.18 USD." */
function writeValueSentence(
  { plan, rows, columns }: FetchedRows,
  value: string,
  compared: ChangeMeasure | null,
): string | null {
  if (plan.plan !== 'compiled' || plan.lensPlan.dimensions.length > 0) return null;
  const measures = compared ? [compared.of] : plan.lensPlan.measures;
  if (measures.length !== 1) return null;
  const parts = writeAnswerParts(createPlainNames(plan.grantedLens.lens), { ...plan.lensPlan, measures });
  const isName = findPlainMetricName(measures[0]) !== null;
  const subject = isName ? parts.subject : `The ${parts.subject.charAt(0).toLowerCase()}${parts.subject.slice(1)}`;
  const hasNoValue = rows[0]![columns[0]!.name] === null;
  return `${subject} ${hasNoValue ? 'has' : 'was'} ${value}${writeScopeSuffix(parts)}.`;
}

function writeComparedRow(compared: ChangeMeasure, row: AnswerRow, { plan, columns }: FetchedRows): string {
  // The measures are the last columns. Two dimensions can share a column.
  const groupCount = plan.plan === 'compiled' ? columns.length - plan.lensPlan.measures.length : 0;
  const cells = { columns: columns.slice(groupCount), row };
  if (groupCount === 0) return writePeriodComparison(compared, cells);
  const groups = columns.slice(0, groupCount).map((column) => formatCell(row[column.name]!, column));
  return `${groups.join(', ')}: ${writeGroupComparison(cells)}`;
}

function writeScopeSuffix({ conditions, rows }: SentenceParts): string {
  const parts = [...conditions, ...rows];
  return parts.length > 0 ? ` (${parts.join('; ')})` : '';
}

function writeRow(row: AnswerRow, columns: FormattedColumn[], showNames: boolean): string {
  const [firstColumn, ...otherColumns] = columns;
  const cell = (column: FormattedColumn) => writeCell(row[column.name]!, column);
  const withName = (column: FormattedColumn) => `${column.name} ${cell(column)}`;
  if (showNames) return columns.map(withName).join(', ');
  if (otherColumns.length === 0) return cell(firstColumn!);
  if (!isLabelColumn(firstColumn!)) return columns.map(withName).join(', ');
  // If there are several numbers, each number needs its column name.
  const hasManyMeasures = otherColumns.filter((column) => !isLabelColumn(column)).length > 1;
  return `${cell(firstColumn!)}: ${otherColumns.map(hasManyMeasures ? withName : cell).join(', ')}`;
}

function explainEmptyResult(reason: NonNullable<Envelope['empty']>['reason'], subject: string): string {
  switch (reason) {
    case 'filtered_by_policy':
      return `${subject}: no visible rows. A row policy restricts your rows, so data may exist.`;
    case 'source_stale':
      return `${subject}: no rows, because the data does not cover this period.`;
    case 'value_absent':
      return `${subject}: no rows, because a requested value does not exist.`;
    case 'no_matching_rows':
      return `${subject}: no rows match.`;
  }
}

/** States what is missing: rows that the text doesn't mention, and rows that svc didn't fetch. */
export function writeExtentNotes(
  writtenCount: number,
  { rows, more, bytesCut }: Pick<FetchedRows, 'rows' | 'more' | 'bytesCut'>,
  truncated: Envelope['truncated'],
  withRows: boolean,
): string[] {
  const isCut = more || bytesCut;
  const isPartial = writtenCount < rows.length || (!withRows && isCut);
  const extent = `${formatNumber(writtenCount)} of ${isCut ? 'more than ' : ''}${formatNumber(rows.length)} rows`;
  const note = truncated && !withRows ? `Truncated: the text shows only ${extent}.` : `Written out: ${extent}.`;
  const truncation = withRows ? writeTruncationNote(truncated, { more }) : null;
  return [...(isPartial ? [note] : []), ...(truncation ? [truncation] : [])];
}

export function writeTruncationNote(
  truncated: Envelope['truncated'],
  { more }: Pick<FetchedRows, 'more'>,
): string | null {
  if (!truncated) return null;
  const returnedText = formatNumber(truncated.returned);
  if (truncated.total !== null)
    return `Truncated: only ${returnedText} of ${formatNumber(truncated.total)} rows are returned.`;
  return `Truncated: only ${returnedText} rows are returned${more ? '. There are more rows, but the total is not known.' : ', and the total number of rows is not known.'}`;
}

function writePeriodAfterDataNote({ plan, dataAsOf }: FetchedRows): string | null {
  if (!startsAfterDataEnds(plan, dataAsOf)) return null;
  return `The data ends on ${dataAsOf!.slice(0, 10)}, before this period begins.`;
}

function writePolicyNote({ plan, rows }: FetchedRows): string | null {
  if (plan.scope.row_policies.length === 0 || rows.length === 0) return null;
  return `Limited to the rows that you may see (row policy ${plan.scope.row_policies.join(', ')}).`;
}
