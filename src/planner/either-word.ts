// "by gross/total invoice size": two words for one thing, offered side by side. It is read with each; only where both
// readings come to the same intent is there one.
import { isDeepStrictEqual } from 'node:util';
import type { Reading } from './reading.ts';

const PAIR = /(?<![\p{L}\p{N}/])(\p{L}{3,})\/(\p{L}{3,})(?![\p{L}\p{N}/])/u;

export const readEitherWord = (question: string, read: (question: string) => Reading): Reading | null => {
  const pair = PAIR.exec(question);
  if (!pair) return null;
  const [first, second] = [pair[1]!, pair[2]!].map((word) => read(question.replace(pair[0], word)));
  if (first?.kind !== 'intent' || second?.kind !== 'intent') return null;
  return isDeepStrictEqual(first.intent, second.intent) ? first : null;
};
