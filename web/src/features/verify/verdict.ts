import { ApiProblem, apiClient, unwrapData } from '../../api/client.ts';
import type { components, operations } from '../../api/schema.d.ts';

type VerifyResult = operations['verify']['responses']['200']['content']['application/json'];
export type VerifiedNumber = VerifyResult['numbers'][number];
export interface VerificationVerdict {
  passed: boolean;
  lines: string[];
  numbers: VerifiedNumber[];
}
type Receipt = components['schemas']['Receipt'];

const SIGNATURE_TEXTS = {
  valid: 'The signature is valid. This server issued the receipt, and it was not changed.',
  invalid: 'The signature is not valid. The receipt was changed, or another server issued it.',
  unsigned: 'The receipt has no signature, so it can’t prove the answer.',
  unkeyed: 'This server doesn’t have the key that signed the receipt.',
} as const;

export async function verifyText(text: string, sentence: string, signedIn: boolean): Promise<VerificationVerdict> {
  const parsed = parseReceiptText(text);
  if (!signedIn) {
    const receipt = parsed?.receipt ?? parsed;
    if (!receipt) throw createUnreadableProblem('Without signing in, you can check only a receipt. Paste it as JSON.');
    const { signature } = await unwrapData(apiClient.POST('/verify-signature', { body: receipt as never }));
    return { passed: signature === 'valid', lines: [SIGNATURE_TEXTS[signature]], numbers: [] };
  }
  const textPart = sentence.trim() ? { text: sentence } : {};
  const body = !parsed ? { text } : parsed.receipt ? { answer: parsed, ...textPart } : { receipt: parsed, ...textPart };
  const result = await unwrapData(apiClient.POST('/v1/verify', { body: body as never }));
  // A receipt without rows passes if it is valid. A text passes if all its numbers are in the logged answer.
  const passed = parsed
    ? result.ok || (!parsed.receipt && !sentence.trim() && result.receipt?.ok === true)
    : hasOnlyMatches(result);
  return { passed, lines: formatVerdict(result), numbers: result.numbers };
}

const hasOnlyMatches = ({ numbers }: VerifyResult): boolean =>
  numbers.length > 0 && numbers.every(({ value }) => value !== null);

const createUnreadableProblem = (message: string) => new ApiProblem(message, { status: 0, code: 'malformed' });

/** Parses an answer with its receipt, or a receipt alone. Returns null for a text. */
function parseReceiptText(text: string): { receipt?: Receipt } | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' ? parsed : null;
  } catch {
    return null;
  }
}

const ROWS_TEXTS = {
  match: ['The rows match the answer.'],
  differ: ['The rows differ from the answer.'],
  unknown: [],
};

const formatVerdict = ({ receipt, rows, mismatches, not_proven, logged }: VerifyResult): string[] => [
  ...(receipt ? formatReceiptVerdict(receipt) : []),
  ...ROWS_TEXTS[rows],
  ...mismatches.filter((mismatch) => !mismatch.startsWith('data: ')).map((mismatch) => `Differs: ${mismatch}.`),
  ...not_proven.map(
    (unprovenPart) =>
      `Not proven: ${unprovenPart.replace(/^data not compared: /, 'the rows were not compared, because ')}.`,
  ),
  ...(logged ? [`Logged answer: ${logged.answer ?? 'none.'}`] : []),
  ...(logged?.question ? [`Question: ${logged.question}`] : []),
];

export const formatReceiptVerdict = ({
  signature,
  trace_found,
  mismatches,
  question,
  ruling,
}: NonNullable<VerifyResult['receipt']>) => [
  SIGNATURE_TEXTS[signature],
  trace_found
    ? 'The log contains the answer for this receipt.'
    : 'The log contains no answer that you can see for this receipt.',
  ...(mismatches.length > 0 ? [`The receipt differs from the log in: ${mismatches.join(', ')}.`] : []),
  ...(question ? [`Question: ${question}`] : []),
  ...(ruling ? [`The reviewer’s decision: ${ruling.ruling}. ${ruling.note ?? ''}`] : []),
];
