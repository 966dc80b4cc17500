// svc verify-receipt FILE: the receipt by the server, and the answer around it by its receipt.
import { readFile } from 'node:fs/promises';
import type { Envelope } from '../contract/ask.ts';
import type { Receipt, ReceiptVerification } from '../contract/receipt.ts';
import { answerApart, type Compared } from './answer-apart.ts';
import { connect } from './client.ts';
import { Failure } from './failure.ts';

export async function verifyReceiptCommand(file: string, options: { json?: boolean }): Promise<void> {
  const { receipt, answer } = await readSaved(file);
  const client = await connect('caller');
  const result = await client.call<ReceiptVerification>('POST', '/v1/verify-receipt', receipt);
  // Without its trace nothing is known of what was served.
  const compared = answer && result.trace_found ? answerApart(answer, receipt, result) : null;
  if (options.json) console.log(JSON.stringify({ ...result, answer: compared }, null, 2));
  else console.log(readable(result, compared).join('\n'));
  if (!result.ok) throw new Failure('The receipt does not hold.');
  if (compared && compared.mismatches.length > 0) throw new Failure('The answer is not the one that was served.');
}

function readable(result: ReceiptVerification, compared: Compared | null): string[] {
  const asked = `${result.question ?? 'no question in words'} (asked by ${result.caller} of ${result.lens ?? 'a connection'})`;
  return [
    `Signature: ${result.signature}. Trace: ${result.trace_found ? 'found' : 'not found'}.`,
    ...(result.mismatches.length > 0 ? [`Edited in the receipt: ${result.mismatches.join(', ')}.`] : []),
    ...(result.trace_found ? [`Question: ${asked}`] : []),
    ...(compared?.rows === 'match' ? ['Rows: as they were served.'] : []),
    ...(compared?.unknown ?? []).map((what) => `Not proven: ${what}.`),
    ...(compared?.mismatches ?? []).map((what) => `Differs: ${what}.`),
  ];
}

/** A receipt by itself, or an answer with its receipt, as it came over HTTP, MCP or chat. */
async function readSaved(file: string): Promise<{ receipt: Receipt; answer: Envelope | null }> {
  let saved: Record<string, unknown>;
  try {
    saved = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  } catch (fault) {
    throw new Failure(`${file} holds no receipt: ${(fault as Error).message}`, 2);
  }
  const answer = (saved['svc'] ?? saved) as Envelope;
  if (!('status' in answer)) return { receipt: saved as unknown as Receipt, answer: null };
  if (!answer.receipt) throw new Failure(`${file} holds no receipt: its status is ${answer.status}.`, 2);
  return { receipt: answer.receipt, answer };
}
