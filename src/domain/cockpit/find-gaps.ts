// Why a question was not answered well, by the lens as it is now: a gap that has been filled since is none any more.
import { setImmediate as pause } from 'node:timers/promises';
import type { Lens } from '../../lens/model/lens.ts';
import { normaliseQuestion } from '../../planner/meaning-check.ts';
import { readWithFillers } from '../lenses/read-with-fillers.ts';
import type { Asked } from '../observe/asked-repository.ts';
import { type Suggestion, suggestFix } from './suggest-fix.ts';

export interface Gap {
  place: string;
  lens: string | null;
  kind: 'unread' | 'uncovered' | 'low_confidence' | 'failed';
  missing: string[];
  questions: { question: string; asks: number; request_id: string }[];
  asks: number;
  callers: number;
  lastAt: Date;
  suggestion: Suggestion;
}
const SHOWN = 10;
const READINGS = 2_000;

/** Asks go on meanwhile: reading is handed back every few questions, and no lens is tried once the readings are used up. */
export async function findGaps(asked: readonly Asked[], lenses: readonly Lens[], now: Date): Promise<Gap[]> {
  const gaps = new Map<string, Gap>();
  const left = { readings: READINGS };
  for (const [at, one] of asked.entries()) {
    if (at % 20 === 19) await pause();
    const found = whyNot(one, lenses, now, left);
    if (!found) continue;
    const place = JSON.stringify([found.lens, found.kind, ...found.missing]);
    const known = gaps.get(place) ?? {
      ...found,
      place,
      questions: [],
      asks: 0,
      callers: 0,
      lastAt: one.lastAt,
      suggestion: suggestionFor(found, lenses, one.question),
    };
    known.asks += one.asks;
    known.callers = Math.max(known.callers, one.callers);
    if (one.lastAt > known.lastAt) known.lastAt = one.lastAt;
    if (known.questions.length < SHOWN)
      known.questions.push({ question: one.question, asks: one.asks, request_id: one.requestId });
    gaps.set(place, known);
  }
  return [...gaps.values()].sort((a, b) => b.asks - a.asks || (a.place < b.place ? -1 : 1));
}

type Why = Pick<Gap, 'lens' | 'kind' | 'missing'>;
function whyNot(
  { question, lens: name, status, outcome, failing }: Asked,
  lenses: readonly Lens[],
  now: Date,
  left: { readings: number },
): Why | null {
  const unread = (lens: Lens): string[] | null => {
    const reading = readWithFillers({ question, lens, choices: {}, now });
    return reading.kind === 'refused'
      ? [...new Set(reading.words.map((word) => normaliseQuestion(word) || word.toLowerCase()))].sort()
      : null;
  };
  if (status === 'clarification') {
    // Asked back by a model's reading, over a term that no one has defined.
    const lens = lenses.find((one) => one.name === name);
    const missing = lens ? unread(lens) : null;
    return missing && { lens: name, kind: 'unread', missing };
  }
  if (status === 'answered') return { lens: name, kind: 'low_confidence', missing: [...failing].sort() };
  if (status === 'failed') return outcome === 'cancelled' ? null : { lens: name, kind: 'failed', missing: [outcome] };
  if (name !== null) {
    const lens = lenses.find((one) => one.name === name);
    const missing = lens ? unread(lens) : null;
    return missing && { lens: name, kind: 'unread', missing };
  }
  left.readings -= lenses.length;
  const tried = left.readings < 0 ? [] : lenses;
  const nearest = tried
    .map((lens) => ({ lens: lens.name, missing: unread(lens) }))
    .sort((a, b) => (a.missing?.length ?? 0) - (b.missing?.length ?? 0))[0];
  if (!nearest) return { lens: null, kind: 'uncovered', missing: [] };
  return (
    nearest.missing && {
      lens: nearest.missing.length <= 3 ? nearest.lens : null,
      kind: 'uncovered',
      missing: nearest.missing,
    }
  );
}

function suggestionFor(
  { lens: name, kind, missing }: Why,
  lenses: readonly Lens[],
  question: string,
): Gap['suggestion'] {
  const lens = lenses.find((one) => one.name === name);
  if (kind === 'failed')
    return {
      text: 'The warehouse could not answer. Check the requests, then GET /mgmt/lenses/{name}/drift.',
      change: null,
    };
  if (kind === 'low_confidence')
    return {
      text: `What keeps the grade down: ${missing.join(', ')}. Certify the question, or govern what it measures with a metric.`,
      change: null,
    };
  if (!lens)
    return {
      text: `No lens covers “${question}”. Draft one: POST /mgmt/semantic/introspect/draft.`,
      change: null,
    };
  return suggestFix(lens, missing, question);
}
