// Stored values are escaped, so they can't become markup, links or table borders.
import { sanitizeText } from '../../ask/present/sanitize-text.ts';
import type { Clarification, Envelope } from '../../contract/ask.ts';

const MAX_SHOWN_ROWS = 20;
const MAX_CELL_LENGTH = 500;

export function writeChatContent(envelope: Envelope): string {
  const parts = envelope.status === 'answered' ? writeAnsweredLines(envelope) : writeNotAnsweredLines(envelope);
  return parts.filter((part) => part !== null && part !== '').join('\n\n');
}

function writeAnsweredLines(envelope: Envelope): (string | null)[] {
  const { answer, scope, row_count, columns } = envelope;
  const table = row_count === 1 && columns?.length === 1 && answer ? null : writeTable(envelope);
  return [answer ?? scope?.sentence ?? null, table, writeGradeLine(envelope), writeWarnings(envelope)];
}

function writeTable({ columns, data, row_count, truncated }: Envelope): string | null {
  if (!columns || !data || data.length === 0) return null;
  const header = columns.map(({ name, unit }) => writeCell(unit ? `${name} (${unit})` : name));
  const lines = data.slice(0, MAX_SHOWN_ROWS).map((row) => columns.map(({ name }) => writeCell(row[name])));
  const table = [header, header.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  if (data.length <= MAX_SHOWN_ROWS && !truncated) return table;
  const totalText = truncated?.total === null ? `more than ${row_count}` : row_count;
  return `${table}\n\nThe table shows ${Math.min(MAX_SHOWN_ROWS, data.length)} of ${totalText} rows.`;
}

function writeGradeLine({ confidence, certification, certified_id, data_as_of, routing, checks }: Envelope): string {
  const notPassedNames = checks
    .filter(({ outcome }) => outcome === 'fail' || outcome === 'unknown')
    .map(({ name }) => name);
  return [
    `Confidence: ${confidence}.`,
    notPassedNames.length > 0 ? `Not passed: ${notPassedNames.join(', ')}.` : null,
    `Certification: ${certification}${certified_id ? ` (${writeCell(certified_id)})` : ''}.`,
    data_as_of ? `Data as of ${data_as_of.slice(0, 10)}.` : null,
    routing ? `Lens: ${routing.lens}.` : null,
  ]
    .filter((part) => part !== null)
    .join(' ');
}

function writeNotAnsweredLines(envelope: Envelope): (string | null)[] {
  const { clarification, answer, error, suggestions, proposal } = envelope;
  const suggestionLines = (suggestions ?? []).map((suggestion) =>
    typeof suggestion === 'string'
      ? `- ${escapeMarkdown(suggestion)}`
      : `- ${escapeMarkdown(`${suggestion.lens}: ${suggestion.why}`)}${suggestion.sample_questions.map((question) => `\n  - ${escapeMarkdown(question)}`).join('')}`,
  );
  return [
    answer ?? clarification?.message ?? error?.message ?? null,
    clarification ? writeOptions(clarification) : null,
    proposal ? `svc can answer this part: ${escapeMarkdown(proposal.sentence)}` : null,
    suggestionLines.length > 0 ? `You could ask:\n${suggestionLines.join('\n')}` : null,
    writeWarnings(envelope),
  ];
}

const writeOptions = ({ options }: Clarification): string =>
  options
    .map((option) =>
      typeof option === 'string'
        ? escapeMarkdown(option)
        : escapeMarkdown([...new Set([option.key, option.label])].join(': ')),
    )
    .map((option) => `- ${option}`)
    .join('\n');

const writeWarnings = ({ warnings, answer }: Envelope): string | null => {
  const otherWarnings = warnings.filter((warning) => !answer?.includes(warning));
  return otherWarnings.length > 0
    ? otherWarnings.map((warning) => `Note: ${escapeMarkdown(warning)}`).join('\n')
    : null;
};

function writeCell(value: unknown): string {
  const text = String(value ?? '');
  const shortText = text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH)}…` : text;
  return escapeMarkdown(shortText).replaceAll('|', '\\|');
}

/**
 * Escapes text for every Markdown renderer. Leaves an underscore inside a word, because it has no meaning in Markdown.
 */
const escapeMarkdown = (text: string): string =>
  sanitizeText(text)
    .replace(/[\\`*[\]<>&~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/(?<=\b(?:https?|ftp)):|(?<=\bwww)\.|@/gi, '\\$&');
