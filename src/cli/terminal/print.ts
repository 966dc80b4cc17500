import { styleText } from 'node:util';

const MAX_COLUMN_WIDTH = 60;
const COLUMN_GAP = '  ';

export const printResult = ({ json }: { json?: boolean }, result: unknown, lines: readonly string[]): void =>
  console.log(json ? JSON.stringify(result, null, 2) : lines.join('\n'));

/** Node.js checks the variable NO_COLOR. */
export const colorText = (style: Parameters<typeof styleText>[0], text: string): string =>
  process.stdout.isTTY && process.stdout.hasColors() ? styleText(style, text) : text;

/** Replaces the last line on a terminal. An empty line ends the progress. */
export function showProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`);
}

const formatCell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(formatCell).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** On a terminal, the header is bold and no line is wider than the window. */
export function formatTable(header: readonly string[], rows: readonly (readonly unknown[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => shortenText(formatCell(cell).replaceAll(/\s+/g, ' '))));
  const widths = header.map((name, columnIndex) =>
    Math.max(name.length, ...cells.map((row) => row[columnIndex]!.length)),
  );
  const numeric = header.map(
    (_, columnIndex) => rows.length > 0 && rows.every((row) => typeof (row[columnIndex] ?? 0) === 'number'),
  );
  const writeRow = (row: readonly string[]): string =>
    row
      .map((cell, columnIndex) =>
        numeric[columnIndex] ? cell.padStart(widths[columnIndex]!) : cell.padEnd(widths[columnIndex]!),
      )
      .join(COLUMN_GAP)
      .trimEnd();
  const { isTTY, columns } = process.stdout;
  const fitToWidth = (text: string): string =>
    isTTY && text.length > columns ? `${text.slice(0, columns - 1)}…` : text;
  const [headerLine, ...rowLines] = [writeRow(header), ...cells.map(writeRow)].map(fitToWidth);
  return [isTTY ? styleText('bold', headerLine!) : headerLine!, ...rowLines];
}

const shortenText = (text: string): string =>
  text.length > MAX_COLUMN_WIDTH ? `${text.slice(0, MAX_COLUMN_WIDTH - 1)}…` : text;
