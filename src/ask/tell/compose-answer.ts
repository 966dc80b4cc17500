// The written answer without a language model: a plain, correct sentence made from the rows and the reading.
// Every number in it stands in the rows, or counts them; quotients are said to seven digits.
import type { Column, Envelope, JsonValue } from '../../contract/ask.ts';
import { filledQuestion } from '../../domain/certified/filled-question.ts';
import type { FetchedRows, Graded } from '../outcome.ts';
import { beyondData } from '../prove/checks/data-fresh.ts';
import { labels, spellValue } from '../read/spell-value.ts';
import { formatNumber } from './number-format.ts';

const SPELLED_ROWS = 10;

export function composeAnswer(fetched: FetchedRows, graded: Graded, truncated: Envelope['truncated']): string {
  const { plan, rows, columns } = fetched;
  const notes = [truncationNote(truncated, fetched), policyNote(fetched), beyondNote(fetched)].filter(
    (note) => note !== null,
  );
  if (graded.empty) return [emptySentence(graded.empty.reason, plan.scope.sentence), ...notes.slice(1)].join(' ');
  const lead = leadOf(fetched);
  const only = rows.length === 1 ? rows[0]! : null;
  if (only && columns.length === 1) {
    const value = spellValue(only[columns[0]!.name]!, columns[0]!);
    return [`${lead}: ${value}.`, ...notes].join(' ');
  }
  if (only) return [`${lead}: ${spellRow(only, columns, true)}.`, ...notes].join(' ');
  const shown = rows
    .slice(0, Math.min(SPELLED_ROWS, plan.granted.lens.maxRowsToCompose))
    .map((row) => spellRow(row, columns, false));
  return [`${lead}: ${shown.join('; ')}.`, writtenNote(shown.length, fetched), ...notes]
    .filter((part) => part !== null)
    .join(' ');
}

function leadOf({ plan }: FetchedRows): string {
  if (plan.plan !== 'certified') return plan.scope.sentence.replace(/[.\s]+$/, '') || 'Result';
  return `${filledQuestion(plan.entry.question.replace(/[?.!\s]+$/, ''), plan.parameters)} (certified answer)`;
}

function spellRow(row: Record<string, JsonValue>, columns: Column[], named: boolean): string {
  const [first, ...others] = columns;
  const spell = (column: Column) => spellValue(row[column.name]!, column);
  const withName = (column: Column) => `${column.name} ${spell(column)}`;
  if (named) return columns.map(withName).join(', ');
  if (others.length === 0) return spell(first!);
  if (!labels(first!)) return columns.map(withName).join(', ');
  // Several numbers side by side tell nobody which is which.
  const measured = others.filter((column) => !labels(column)).length > 1;
  return `${spell(first!)}: ${others.map(measured ? withName : spell).join(', ')}`;
}

function emptySentence(reason: NonNullable<Envelope['empty']>['reason'], sentence: string): string {
  const what = sentence.replace(/[.\s]+$/, '');
  switch (reason) {
    case 'filtered_by_policy':
      return `${what}: no rows that you may see. A row policy restricts what this identity sees, so this does not mean that there is no data.`;
    case 'source_stale':
      return `${what}: no rows, because the data does not reach that far.`;
    case 'value_absent':
      return `${what}: no rows; a value that was asked for does not occur.`;
    case 'no_matching_rows':
      return `${what}: no rows match.`;
  }
}

/** Whoever reads the words alone learns that there is more than they say. */
export function writtenNote(written: number, { rows, more }: Pick<FetchedRows, 'rows' | 'more'>): string | null {
  if (written >= rows.length) return null;
  return `Written out: ${formatNumber(written)} of ${more ? 'more than ' : ''}${formatNumber(rows.length)} rows.`;
}

export function truncationNote(truncated: Envelope['truncated'], { more }: Pick<FetchedRows, 'more'>): string | null {
  if (!truncated) return null;
  const returned = formatNumber(truncated.returned);
  if (truncated.total !== null)
    return `Truncated: only ${returned} of ${formatNumber(truncated.total)} rows are returned.`;
  return `Truncated: only ${returned} rows are returned${more ? '; there are more, and how many is not known' : ' and the true number of rows is not known'}.`;
}

function beyondNote({ plan, dataAsOf }: FetchedRows): string | null {
  if (!beyondData(plan.scope, dataAsOf)) return null;
  return `The data ends on ${dataAsOf!.slice(0, 10)}, before this window begins, so this says nothing about what happened in it.`;
}

function policyNote({ plan, rows }: FetchedRows): string | null {
  if (plan.scope.row_policies.length === 0 || rows.length === 0) return null;
  return `Limited to the rows this identity may see (row policy ${plan.scope.row_policies.join(', ')}).`;
}
