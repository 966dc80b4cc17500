// What a receipt, an answer or a text proves. Signed in: signature, log, rows and numbers; otherwise the signature alone.
import canonicalize from 'canonicalize';
import { ApiProblem, api, told } from '../../api/client.ts';
import { type Held, held } from './numbers.ts';

export interface Verdict {
  good: boolean;
  lines: string[];
  numbers: Held[];
}
interface Presented {
  request_id: string;
  lens: string | null;
  served_at: string;
  result_sha256?: string;
}
interface Given {
  receipt: Presented | null;
  rows: Record<string, unknown>[] | null;
}

const SIGNATURES = {
  valid: 'The signature is valid: this server issued this receipt, and nothing in it was changed.',
  invalid: 'The signature does not hold: the receipt was changed, or another server issued it.',
  unsigned: 'The receipt has no signature, so it proves nothing.',
  unkeyed: 'The key that signed it is not known here any more.',
} as const;
const REQUEST = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
const unreadable = (message: string) => new ApiProblem(message, { status: 0, code: 'malformed' });

export async function verdictOn(text: string, sentence: string, signedIn: boolean): Promise<Verdict> {
  const given = read(text);
  if (!signedIn) {
    if (!given?.receipt) throw unreadable('Only a receipt can be checked without signing in. Paste it as JSON.');
    const { signature } = await told(api.POST('/verify-signature', { body: given.receipt as never }));
    return { good: signature === 'valid', lines: [SIGNATURES[signature]], numbers: [] };
  }
  if (given?.receipt) return ofReceipt(given.receipt, given.rows, sentence);
  return ofText(text);
}

function read(text: string): Given | null {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof given !== 'object' || given === null) return null;
  const { receipt, data } = given as { receipt?: Presented; data?: unknown };
  const rows = Array.isArray(data) ? (data as Record<string, unknown>[]) : null;
  return { receipt: receipt ?? (given as Presented), rows };
}

async function ofReceipt(receipt: Presented, rows: Given['rows'], sentence: string): Promise<Verdict> {
  const said = await told(api.POST('/v1/verify-receipt', { body: receipt as never }));
  const matching = rows ? await rowsMatch(rows, receipt.result_sha256) : null;
  const numbers = rows && sentence.trim() ? held(sentence, rows) : [];
  return {
    good: said.ok && matching !== false && numbers.every(({ found }) => found),
    lines: [
      SIGNATURES[said.signature],
      said.trace_found
        ? 'The log holds the answer that it was issued for.'
        : 'The log holds no answer that you may see.',
      ...(said.mismatches.length > 0 ? [`It differs from the log in: ${said.mismatches.join(', ')}.`] : []),
      ...(matching === null
        ? []
        : [matching ? 'The rows are those that were answered.' : 'The rows are not those that were answered.']),
      ...(sentence.trim() && !rows
        ? ['A receipt holds no rows: paste the whole answer to hold a sentence against it.']
        : []),
      ...(said.question ? [`Asked was: ${said.question}`] : []),
      ...(said.ruling ? [`A reviewer ruled it ${said.ruling.ruling}. ${said.ruling.note ?? ''}`] : []),
    ],
    numbers,
  };
}

async function rowsMatch(rows: unknown, digest: string | undefined): Promise<boolean | null> {
  if (!digest || !globalThis.crypto.subtle) return null; // browsers hash on https and on this machine only
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalize(rows)));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('') === digest;
}

/** A text that names its request: its numbers against those of the sentence that the log holds. */
async function ofText(text: string): Promise<Verdict> {
  const id = REQUEST.exec(text)?.[0];
  if (!id)
    throw unreadable(
      'This is no JSON and names no request. Paste a receipt, an answer, or a text with the link to its request.',
    );
  const { envelope, question } = await told(
    api.GET('/mgmt/observe/requests/{request_id}', { params: { path: { request_id: id } } }),
  );
  const logged = (envelope.answer ?? '').replaceAll(/(?<=\d),(?=\d{3})/g, '').match(/-?\d+(?:\.\d+)?/g) ?? [];
  const numbers = held(text, [Object.fromEntries(logged.map((number, at) => [`number ${at + 1}`, number]))]);
  return {
    good: numbers.length > 0 && numbers.every(({ found }) => found),
    lines: [`The log holds: ${envelope.answer ?? 'no answer.'}`, ...(question ? [`Asked was: ${question}`] : [])],
    numbers,
  };
}
