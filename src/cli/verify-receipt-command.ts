// svc verify-receipt FILE: verifies a receipt, or an answer with its receipt, on the server. Exits with 0 only if
// everything in the file is proven.
import { readFile } from 'node:fs/promises';
import type { Verdict, VerifyBody } from '../contract/verify.ts';
import { connect } from './client.ts';
import { Failure } from './terminal/failure.ts';

export async function verifyReceiptCommand(file: string, options: { json?: boolean }): Promise<void> {
  const saved = await readSaved(file);
  const client = await connect('caller');
  const result = await client.call<Verdict>('POST', '/v1/verify', saved);
  if (options.json) console.log(JSON.stringify(result, null, 2));
  else console.log(printableVerdict(result, 'answer' in saved).join('\n'));
  if (!result.receipt!.ok) throw new Failure('The receipt is not valid.');
  if (result.mismatches.length > 0) throw new Failure('The answer differs from the one that svc served.');
  if ('answer' in saved && !result.ok)
    throw new Failure('Only a part of the answer is proven. Ask again for the missing part.');
}

function printableVerdict({ receipt, rows, mismatches, not_proven }: Verdict, isFull: boolean): string[] {
  const { signature, trace_found, mismatches: edited, question, caller, lens } = receipt!;
  return [
    `Signature: ${signature}. Trace: ${trace_found ? 'found' : 'not found'}.`,
    ...(edited.length > 0 ? [`Changed in the receipt: ${edited.join(', ')}.`] : []),
    ...(trace_found
      ? [`Question: ${question ?? 'none (a plan or SQL)'} (asked by ${caller} of ${lens ?? 'a connection'})`]
      : []),
    ...(rows === 'match' ? ['Rows: unchanged since svc served them.'] : []),
    ...(isFull ? not_proven : []).map((item) => `Not proven: ${item}.`),
    ...mismatches.map((mismatch) => `Differs: ${mismatch}.`),
  ];
}

/** Reads a receipt, or an answer with its receipt, as received over HTTP, MCP or chat. */
async function readSaved(file: string): Promise<VerifyBody> {
  let saved: Record<string, unknown>;
  try {
    saved = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  } catch (fault) {
    throw new Failure(`${file} has no receipt: ${(fault as Error).message}`, 2);
  }
  const answer = (saved['svc'] ?? saved) as NonNullable<VerifyBody['answer']>;
  if (!('status' in answer)) return { receipt: saved as NonNullable<VerifyBody['receipt']> };
  if (!answer.receipt) throw new Failure(`${file} has no receipt: its status is ${String(answer['status'])}.`, 2);
  return { answer };
}
