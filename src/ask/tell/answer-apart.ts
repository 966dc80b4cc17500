// A saved answer held against its receipt: what the receipt says of it, its SQL, parameters and rows by their hashes, and
// the numbers of its sentence by the rows. The receipt itself is for the server to check.

import type { JsonValue } from '../../contract/ask.ts';
import type { PresentedReceipt, ReceiptVerification } from '../../contract/receipt.ts';
import type { SavedAnswer, Verdict } from '../../contract/verify.ts';
import { filledQuestion } from '../../domain/certified/filled-question.ts';
import { canonicalJson, sha256 } from '../../domain/receipts/canonical-json.ts';
import { servedHashes } from '../../domain/receipts/verify-receipt.ts';
import { spokenNumber } from './number-format.ts';
import { numbersApart, plainNumber } from './numbers-grounded.ts';

/** Larger ones are held against the log by their hash alone. */
const LONGEST_SENTENCE = 5_000;
const MOST_CELLS = 5_000;
const SURROUNDING = ['answer', 'columns', 'scope', 'citations'] as const;
const SAID = ['request_id', 'lens', 'lens_version', 'confidence', 'certification', 'row_count', 'data_as_of'] as const;

export function answerApart(
  answer: SavedAnswer,
  receipt: PresentedReceipt,
  verified: ReceiptVerification,
  hash: string | null,
): Pick<Verdict, 'rows' | 'mismatches' | 'not_proven'> {
  const rows = rowsApart(answer, hash, receipt, verified);
  // Of a result that was cut, the sentence may speak of rows that the answer does not hold.
  const sentence = sentenceApart(answer, rows.mismatch === null && rows.unknown === null);
  const said = SAID.filter((name) => answer[name] !== receipt[name]).map(
    (name) => `${name}: the answer says ${shown(answer[name])}, its receipt ${shown(receipt[name])}`,
  );
  return {
    rows: rows.mismatch ? 'differ' : rows.unknown ? 'unknown' : 'match',
    mismatches: [
      ...said,
      ...(hashOf(answer.sql) === receipt.sql_sha256 ? [] : ['sql: the text is not the one that ran']),
      ...(hashOf(answer.parameters && canonicalJson(answer.parameters)) === receipt.parameters_sha256
        ? []
        : ['parameters: they are not the ones that ran']),
      ...(rows.mismatch ? [`data: ${rows.mismatch}`] : []),
      ...questionApart(answer, verified),
      ...(rows.unknown ? [] : sentence),
      ...wordsApart(answer, verified, sentence.length > 0 && rows.unknown === null),
    ],
    not_proven: rows.unknown ? [`data cannot be compared: ${rows.unknown}`, ...sentence] : [],
  };
}

/** Names, units and the reading, by what the trace has kept of them. What a format left out says nothing wrong, and a
 *  sentence of a wrong number is told of once. */
function wordsApart(answer: SavedAnswer, { served_sha256 }: ReceiptVerification, told: boolean): string[] {
  const held = servedHashes(answer);
  return SURROUNDING.filter((name) => answer[name] !== null && !(told && name === 'answer'))
    .filter((name) => served_sha256 && held[name] !== served_sha256[name])
    .map((name) => `${name}: it is not as it was served`);
}

const cellsOf = (rows: readonly object[]): number => rows.reduce((sum, row) => sum + Object.keys(row).length, 0);
const hashOf = (text: string | null): string | null => (text === null ? null : sha256(text));
const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

interface Rows {
  mismatch: string | null;
  unknown: string | null;
}
/** The hash is over every row that was fetched, so that an answer cut by a cap holds too few of them to be held against it. */
function rowsApart(
  { data }: SavedAnswer,
  hash: string | null,
  receipt: PresentedReceipt,
  { rows_returned }: ReceiptVerification,
): Rows {
  if (!data) return { mismatch: null, unknown: 'the answer holds no rows' };
  const held = `the answer holds ${data.length} of ${receipt.row_count} rows`;
  const served = rows_returned ?? receipt.row_count;
  if (data.length !== served) return { mismatch: `${held}; ${served} were served`, unknown: null };
  if (data.length < Number(receipt.row_count)) return { mismatch: null, unknown: held };
  const same = hash === receipt.result_sha256;
  return { mismatch: same ? null : 'the rows are not the ones that were served', unknown: null };
}

function questionApart(
  { question, parameters }: SavedAnswer,
  { question: asked, context }: ReceiptVerification,
): string[] {
  if (question === null || asked === null) return [];
  const said = [...context, filledQuestion(question, parameters ?? {})].join(' → ');
  return said === asked ? [] : ['question: it is not the one that was asked'];
}

/** The plain sentence begins with its reading, whose own numbers stand in no row; what is left is held against the rows. */
function sentenceApart(answer: SavedAnswer, rowsHold: boolean): string[] {
  const { answer: sentence, data, scope } = answer;
  if (!sentence || !data || !scope || sentence.length > LONGEST_SENTENCE || cellsOf(data) > MOST_CELLS) return [];
  const lead = leadOf(answer);
  const [told = '', note = ''] = sentence
    .slice(lead.length)
    .replace(WRITTEN, countedIn(answer))
    .split(/(?=Truncated: )/);
  const text = withoutNames(told, answer);
  const counts = [answer.truncated?.returned, answer.truncated?.total].map(String);
  const apart = [
    ...numbersApart(text, data, scope),
    ...(note.match(NUMBER) ?? []).filter((count) => !counts.includes(plainNumber(count))),
  ];
  if (apart.length > 0)
    return [`answer: ${apart.map((one) => one.replace(/,$/, '')).join(', ')} in the sentence stands in no row`];
  return lead !== '' && rowsHold && !inOrder(text, data)
    ? ['answer: a number of the sentence stands beside another row than its own']
    : [];
}

const WRITTEN = /Written out: ([\d,]+) of (?:more than )?([\d,]+) rows\./;
/** How many rows the sentence spells: said of the rows, and no number of theirs. */
const countedIn =
  ({ row_count }: SavedAnswer) =>
  (note: string, written: string, of: string): string =>
    Number(plainNumber(of)) === row_count && Number(plainNumber(written)) < row_count ? ' ' : note;

function leadOf({ answer, scope, question, parameters }: SavedAnswer): string {
  const bare = (text: string) => text.replace(/[?.!\s]+$/, '');
  const reading = bare(scope!.sentence);
  const readings = [
    reading,
    reading.replace(/, as certified$/, ''),
    bare(filledQuestion(question ?? '', parameters ?? {})),
  ];
  return readings.find((one) => one !== '' && answer!.startsWith(one)) ?? '';
}

/** What the sentence says of no row: how far the data goes, and policies by their names. */
const withoutNames = (text: string, { data_as_of, scope }: SavedAnswer): string =>
  [...(scope?.row_policies ?? []), ...(data_as_of ? [data_as_of.slice(0, 10)] : [])].reduce(
    (rest, name) => rest.replaceAll(name, ' '),
    text,
  );

const isNumber = (cell: JsonValue | undefined): cell is string | number =>
  typeof cell === 'number' || (typeof cell === 'string' && /^-?\d+(?:\.\d+)?$/.test(cell));

const NUMBER = /(?<![\w.-])-?\d[\d,]*(?:\.\d+)?/g;

/** The plain sentence says the cells row by row; some may be left out, none may change its place. */
function inOrder(text: string, rows: readonly Record<string, JsonValue>[]): boolean {
  const numbersIn = (part: string) => (part.match(NUMBER) ?? []).map(plainNumber);
  const cells = rows.flatMap((row) =>
    Object.values(row).flatMap((cell) =>
      isNumber(cell) ? [plainNumber(String(spokenNumber(cell)))] : numbersIn(String(cell ?? '')),
    ),
  );
  let at = 0;
  for (const number of numbersIn(text).filter((one) => cells.includes(one))) {
    at = cells.indexOf(number, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
