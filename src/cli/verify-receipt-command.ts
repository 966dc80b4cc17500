// Exits with 0 only if the server could verify everything in the file.
import { readFile } from 'node:fs/promises';
import type { VerificationVerdict, VerifyBody } from '../contract/verify.ts';
import { connectToServer } from './client.ts';
import { Failure } from './terminal/failure.ts';
import { printResult } from './terminal/print.ts';

export async function runVerifyReceiptCommand(file: string, options: { json?: boolean }): Promise<void> {
  const verifyBody = await readSavedAnswer(file);
  const client = await connectToServer('caller');
  const result = await client.call<VerificationVerdict>('POST', '/v1/verify', verifyBody);
  const isAnswer = 'answer' in verifyBody;
  printResult(options, isAnswer ? result : result.receipt, formatVerdict(result, isAnswer));
  if (!result.receipt!.ok) throw new Failure('The receipt is not valid.');
  if (result.mismatches.length > 0) throw new Failure('The answer differs from the one that svc served.');
  if (isAnswer && !result.ok)
    throw new Failure('svc could verify only a part of the answer. Ask again to get the missing part.');
}

function formatVerdict({ receipt, rows, mismatches, not_proven }: VerificationVerdict, isFull: boolean): string[] {
  const { signature, trace_found, mismatches: editedParts, question, caller, lens, withheld } = receipt!;
  return [
    `Signature: ${signature}. Trace: ${trace_found ? 'found' : 'not found'}.`,
    ...(editedParts.length > 0 ? [`Changed in the receipt: ${editedParts.join(', ')}.`] : []),
    ...(trace_found
      ? [
          `Question: ${question ?? (withheld ? 'withheld' : 'none (a plan or SQL)')} (asked by ${caller}; ${lens === null ? 'on a connection' : `lens ${lens}`})`,
        ]
      : []),
    ...(withheld ? [`Withheld: ${withheld}.`] : []),
    ...(rows === 'match' ? ['Rows: unchanged since svc served them.'] : []),
    ...(isFull ? not_proven : []).map((item) => `Not proven: ${item}.`),
    ...mismatches.map((mismatch) => `Differs: ${mismatch}.`),
  ];
}

/** The file contains a receipt, or an answer with its receipt, as received over HTTP, MCP or chat. */
async function readSavedAnswer(file: string): Promise<VerifyBody> {
  let savedJson: Record<string, unknown>;
  try {
    savedJson = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  } catch (fault) {
    throw new Failure(`${file} has no receipt: ${(fault as Error).message}`, 2);
  }
  const savedAnswer = (savedJson['svc'] ?? savedJson) as NonNullable<VerifyBody['answer']>;
  if (!('status' in savedAnswer)) return { receipt: savedJson as NonNullable<VerifyBody['receipt']> };
  if (!savedAnswer.receipt)
    throw new Failure(`${file} has no receipt: its status is ${String(savedAnswer['status'])}.`, 2);
  return { answer: savedAnswer };
}
