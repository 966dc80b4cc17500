import { writeFile } from 'node:fs/promises';
import type { Envelope, JsonScalar } from '../contract/ask.ts';
import { connectToServer } from './client.ts';
import { Failure } from './terminal/failure.ts';
import { formatTable, printResult } from './terminal/print.ts';

export async function runAskCommand(
  lens: string,
  question: string,
  options: { choice?: string[]; chart?: string; format?: 'table' | 'json' | 'csv'; json?: boolean },
): Promise<void> {
  const choiceOptions = options.choice ?? [];
  const choices = readChoices(choiceOptions);
  const client = await connectToServer('caller');
  const envelope = await client.call<Envelope>('POST', `/v1/lenses/${encodeURIComponent(lens)}/query`, {
    q: question,
    choices,
    ...(options.chart ? { chart: true } : {}),
  });
  if (!options.json && options.format && envelope.status === 'answered') await printRows(envelope, options.format);
  else printResult(options, envelope, formatAnswer(envelope, choiceOptions));
  if (options.chart) await saveChart(options.chart, envelope);
  if (envelope.status === 'failed') throw new Failure(envelope.error?.message ?? 'The ask failed.');
  if (envelope.status !== 'answered') process.exitCode = NOT_ANSWERED_EXIT_CODE;
}

/** A refusal or a clarification is neither an answer nor a failure, so the command exits with a separate code. */
const NOT_ANSWERED_EXIT_CODE = 3;

/** The grade goes to stderr, so that a pipe receives only the rows. */
async function printRows({ data, columns, confidence, truncated, warnings }: Envelope, format: string): Promise<void> {
  const names = (columns ?? []).map(({ name }) => name);
  const rows = data ?? [];
  const cells = rows.map((row) => names.map((name) => row[name] ?? null));
  if (format === 'json') console.log(JSON.stringify(rows, null, 2));
  else if (format === 'table') console.log(formatTable(names, cells).join('\n'));
  else {
    const { toCsvCell, escapeFormula } = await import('../surfaces/http/csv.ts');
    const textColumns = new Set((columns ?? []).flatMap(({ name, datatype }) => (datatype === 'string' ? [name] : [])));
    const toSafeCell = (cell: JsonScalar, columnIndex: number) =>
      typeof cell === 'string' && textColumns.has(names[columnIndex]!) ? escapeFormula(cell) : cell;
    const lines = [names.map(escapeFormula), ...cells.map((row) => row.map(toSafeCell))];
    console.log(lines.map((row) => row.map((cell) => toCsvCell(cell)).join(',')).join('\r\n'));
  }
  console.error(`Confidence: ${confidence}.${truncated ? ' A row limit left out some rows.' : ''}`);
  for (const warning of warnings) console.error(`Note: ${warning}`);
}

/** Loads the chart code only when a chart is requested. */
async function saveChart(file: string, { chart, data, answer, status }: Envelope): Promise<void> {
  if (status !== 'answered') return;
  if (!chart || !data) throw new Failure(`There is no chart for this answer: ${answer ?? 'the answer has no rows.'}`);
  const { drawChart } = await import('../ask/present/chart/draw-chart.ts');
  await writeFile(file, await drawChart(chart, data));
  console.error(`Chart: ${file}`);
}

/** Splits each choice at its first equals sign, because an option can contain an equals sign and a term can't. */
function readChoices(choiceOptions: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    choiceOptions.map((choice) => {
      const separatorIndex = choice.indexOf('=');
      if (separatorIndex < 1) throw new Failure(`--choice ${choice} is not valid. Write --choice "term=option".`, 2);
      return [choice.slice(0, separatorIndex).trim(), choice.slice(separatorIndex + 1).trim()];
    }),
  );
}

function formatAnswer(envelope: Envelope, choices: readonly string[]): string[] {
  const lines = [envelope.answer ?? ''];
  const { term, options = [] } = envelope.clarification ?? {};
  for (const option of options)
    lines.push(`  - ${typeof option === 'string' ? option : [...new Set([option.key, option.label])].join(': ')}`);
  const [firstOption] = options;
  if (firstOption !== undefined) {
    const firstKey = typeof firstOption === 'string' ? firstOption : firstOption.key;
    const otherChoices = choices.filter((item) => item.slice(0, item.indexOf('=')).trim() !== term);
    lines.push(
      `Ask again with: ${[...otherChoices, `${term}=${firstKey}`].map((item) => `--choice "${item}"`).join(' ')}`,
    );
  }
  if (envelope.proposal)
    lines.push(
      `svc can answer this part: ${envelope.proposal.sentence}`,
      `  As a plan: ${JSON.stringify(envelope.proposal.plan)}`,
    );
  for (const suggestion of envelope.suggestions ?? [])
    lines.push(
      typeof suggestion === 'string' ? `  Try: ${suggestion}` : `  Lens ${suggestion.lens}: ${suggestion.why}`,
    );
  if (envelope.status === 'answered') {
    lines.push(
      '',
      `Confidence: ${envelope.confidence}. Certification: ${envelope.certification}. Data as of: ${envelope.data_as_of ?? 'unknown'}.`,
    );
    if (envelope.scope) lines.push(`Read as: ${envelope.scope.sentence}`);
    const failedChecks = envelope.checks.filter(({ outcome }) => outcome === 'fail' || outcome === 'unknown');
    for (const { name, detail } of failedChecks)
      if (!envelope.warnings.includes(detail)) lines.push(`Not proven (${name}): ${detail}`);
    lines.push('', envelope.sql ?? '', '');
  }
  return [...lines, ...envelope.warnings.map((warning) => `Note: ${warning}`), `Request: ${envelope.request_id}`];
}
