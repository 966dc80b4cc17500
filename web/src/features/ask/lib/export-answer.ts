// CSV and Markdown exports escape stored text.
import { formatCell } from '../../../ui/format.ts';
import { type Envelope, type Inquiry, toRequest } from '../api/ask.ts';
import { toDisplayColumns } from './display-columns.ts';

const FORMULA_PATTERN = /^[=+\-@\t\r＝＋－＠]/;

export function toCsv({ columns, data }: Envelope): string {
  const names = (columns ?? []).map(({ name }) => escapeFormula(name));
  const rows = (data ?? []).map((row) =>
    (columns ?? []).map(({ name, datatype }) => {
      const value = row[name];
      const text = value === null || value === undefined ? '' : String(value);
      return datatype === 'string' ? escapeFormula(text) : text;
    }),
  );
  return [names, ...rows].map((cells) => cells.map(quoteCsv).join(',')).join('\r\n');
}

const escapeFormula = (text: string): string => (FORMULA_PATTERN.test(text) ? `'${text}` : text);
const quoteCsv = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

const MAX_MARKDOWN_ROWS = 50;

export function toMarkdown(envelope: Envelope, link: string): string {
  const { answer, data, confidence, certification, data_as_of, scope, row_count } = envelope;
  const columns = toDisplayColumns(envelope);
  const lines = (data ?? [])
    .slice(0, MAX_MARKDOWN_ROWS)
    .map((row) => columns.map((column) => escapeMarkdown(formatCell(row[column.name], column))));
  const table = [
    columns.map(({ name, unit }) => escapeMarkdown(unit ? `${name} (${unit})` : name)),
    columns.map(() => '---'),
    ...lines,
  ];
  return [
    envelope.question ? `**${escapeMarkdown(envelope.question)}**` : null,
    escapeMarkdown(answer ?? scope?.sentence ?? ''),
    columns.length > 0 ? table.map((cells) => `| ${cells.join(' | ')} |`).join('\n') : null,
    (row_count ?? 0) > lines.length ? `The first ${lines.length} of ${row_count} rows.` : null,
    [
      `Grade: ${confidence}`,
      certification === 'certified' ? 'certified' : null,
      data_as_of ? `data as of ${data_as_of.slice(0, 10)}` : null,
      `answer: ${link}`,
    ]
      .filter(Boolean)
      .join(' · '),
  ]
    .filter(Boolean)
    .join('\n\n');
}

const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>|#]/g, '\\$&').replace(/\s*\n\s*/g, ' ');

/** Returns a `curl` command that reads the key from a variable. */
export function toCurlCommand(inquiry: Inquiry, origin: string): string {
  const { path, body } = toRequest(inquiry);
  const json = JSON.stringify(body).replaceAll("'", `'\\''`);
  return [
    `curl -s '${origin}${path}'`,
    `-H "Authorization: Bearer $SVC_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d '${json}'`,
  ].join(' \\\n  ');
}
