// The written answer. Without a model it is the deterministic sentence.
import type { Envelope } from '../contract/ask.ts';
import type { AskDeps } from './ask-deps.ts';
import { composeAnswer } from './compose-answer.ts';
import type { Journal } from './journal.ts';
import type { FetchedRows, Graded } from './outcome.ts';

export interface Prose {
  answer: string;
  warnings: string[];
}

export function composeProse(_deps: AskDeps, _journal: Journal, fetched: FetchedRows, graded: Graded, truncated: Envelope['truncated'], _signal: AbortSignal): Prose {
  return { answer: composeAnswer(fetched, graded, truncated), warnings: [] };
}
