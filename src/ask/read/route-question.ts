// Selects the lens that explains every word of a question, or declines. If several lenses fit the question equally
// well, svc names them instead of guessing.
import type { Envelope } from '../../contract/ask.ts';
import type { CertifiedLibrary } from '../../domain/certified/certified-library.ts';
import type { LiveLens } from '../../domain/lenses/lens-repository.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { waitForTurn } from '../../platform/schedule/in-turns.ts';
import { findChosenOption } from '../../reader/clarification-reply.ts';
import type { WordUse } from '../../reader/reader-result.ts';
import { readWithCache } from './cached-reading.ts';
import { matchCertified } from './match-certified.ts';
import type { AskedQuestion } from './plan-question.ts';

export type RoutingResult =
  | { lens: LiveLens; why: string }
  | {
      lens: null;
      /** True if several lenses fit the question equally well, so that the caller must choose. */
      isTied: boolean;
      /** The lens that leaves the fewest words unexplained, if only one does. */
      nearest: LiveLens | null;
      message: string;
      suggestions: NonNullable<Envelope['suggestions']>;
    };

interface LensCandidate {
  liveLens: LiveLens;
  why: string;
  /** The number of words in the question that the lens's own vocabulary explains. */
  weight: number;
}

const MAX_SUGGESTIONS = 3;
const MAX_EARLIER_TURNS = 3;
const MAX_LENSES = 10; // lenses whose values svc reads for a caller with row policies
const LENS_VOCABULARY_KIND_PATTERN = /metric|field|dimension|dataset|value|definition/;

/**
 * If svc couldn't choose a lens for the previous question of a conversation, this turn can name a lens, and svc then
 * asks this lens the previous question. In any other turn, svc treats a lens name as a question.
 */
export async function routeConversation(
  lenses: LiveLens[],
  request: AskedQuestion,
  routingContext: RoutingContext,
  now: Date,
): Promise<{ askedQuestion: AskedQuestion; routingResult: RoutingResult }> {
  const { askedQuestion, lens, isNameOnly } = findNamedLens(lenses, request);
  if (!lens)
    return { askedQuestion: request, routingResult: await routeQuestion(lenses, request, routingContext, now) };
  const routingResult = await routeQuestion(lenses, askedQuestion, routingContext, now);
  if (routingResult.lens && isNameOnly)
    return { askedQuestion: request, routingResult: await routeQuestion(lenses, request, routingContext, now) };
  if (routingResult.lens) return { askedQuestion, routingResult };
  return {
    askedQuestion,
    routingResult: { lens, why: isNameOnly ? 'You named this lens.' : 'The conversation named this lens.' },
  };
}

interface RoutingContext {
  library: Pick<CertifiedLibrary, 'rank'>;
  exactBand: number;
  /** The lens with the values that this caller can see, or null if row policies hide no values. */
  lookUpCallerLens: (liveLens: LiveLens) => Promise<Lens | null>;
}

/** If several lenses fit a follow-up equally well, uses the lens of the conversation. */
export async function routeQuestion(
  lenses: LiveLens[],
  askedQuestion: AskedQuestion,
  routingContext: RoutingContext,
  now: Date,
): Promise<RoutingResult> {
  const routingResult = await routeSingleQuestion(lenses, askedQuestion, routingContext, now);
  if (routingResult.lens || !routingResult.isTied) return routingResult;
  const earlierQuestions = askedQuestion.context ?? [];
  for (let turnsBack = 1; turnsBack <= Math.min(MAX_EARLIER_TURNS, earlierQuestions.length); turnsBack++) {
    const earlierQuestion = {
      question: earlierQuestions.at(-turnsBack)!,
      context: earlierQuestions.slice(0, -turnsBack),
      choices: {},
    };
    const { lens } = await routeSingleQuestion(lenses, earlierQuestion, routingContext, now);
    if (
      lens &&
      routingResult.suggestions.some((suggestion) => typeof suggestion !== 'string' && suggestion.lens === lens.name)
    )
      return { lens, why: 'The conversation is about this lens.' };
  }
  return routingResult;
}

async function routeSingleQuestion(
  lenses: LiveLens[],
  askedQuestion: AskedQuestion,
  routingContext: RoutingContext,
  now: Date,
): Promise<RoutingResult> {
  const candidates: LensCandidate[] = [];
  const refusals: { liveLens: LiveLens; unknownWordCount: number }[] = [];
  let lookupCount = 0;
  for (const liveLens of lenses) {
    await waitForTurn(); // Each interpretation takes a few milliseconds.
    const match = await matchCertified(
      routingContext.library,
      routingContext.exactBand,
      liveLens,
      askedQuestion.question,
    );
    if (match) return { lens: liveLens, why: 'This lens has a certified answer to the question.' };
    let reading = readWithCache({ ...askedQuestion, lens: liveLens.lens, now });
    if (reading.kind === 'refused' && lookupCount < MAX_LENSES) {
      const lens = await routingContext.lookUpCallerLens(liveLens);
      if (lens) lookupCount++;
      if (lens) reading = readWithCache({ ...askedQuestion, lens, now });
    }
    if (reading.kind === 'refused') {
      refusals.push({ liveLens, unknownWordCount: reading.words.length });
      continue;
    }
    const vocabularyWords = reading.words.filter(({ as }) => LENS_VOCABULARY_KIND_PATTERN.test(as));
    if (vocabularyWords.length > 0)
      candidates.push({
        liveLens: liveLens,
        why: explainRouting(vocabularyWords),
        weight: vocabularyWords.reduce((sum, word) => sum + word.text.split(/\s+/).length, 0),
      });
  }
  candidates.sort((a, b) => b.weight - a.weight);
  const [bestCandidate, second] = candidates;
  if (bestCandidate && (!second || second.weight < bestCandidate.weight))
    return { lens: bestCandidate.liveLens, why: bestCandidate.why };
  if (bestCandidate) {
    const tiedCandidates = candidates.filter(({ weight }) => weight === bestCandidate.weight);
    return {
      lens: null,
      isTied: true,
      nearest: null,
      message: `More than one lens can answer this question: ${tiedCandidates.map(({ liveLens }) => liveLens.name).join(', ')}. In a chat, send the name of a lens as the next message, or use the model svc/${tiedCandidates[0]!.liveLens.name}.`,
      suggestions: tiedCandidates.map(({ liveLens, why }) => ({
        lens: liveLens.name,
        why,
        sample_questions: liveLens.lens.sampleQuestions.slice(0, MAX_SUGGESTIONS),
      })),
    };
  }
  const [nearest, next] = refusals.sort((a, b) => a.unknownWordCount - b.unknownWordCount);
  return {
    lens: null,
    isTied: false,
    nearest: nearest && nearest.unknownWordCount < (next?.unknownWordCount ?? Infinity) ? nearest.liveLens : null,
    message:
      lenses.length > 0
        ? 'None of your lenses covers this question. See the suggestions for questions that they cover.'
        : 'No lens is granted to you. Ask an admin to grant one.',
    suggestions: lenses.slice(0, MAX_SUGGESTIONS).map((liveLens) => ({
      lens: liveLens.name,
      why: liveLens.lens.description,
      sample_questions: liveLens.lens.sampleQuestions.slice(0, MAX_SUGGESTIONS),
    })),
  };
}

const explainRouting = (words: WordUse[]): string =>
  `This lens has ${words.map(({ text, as }) => `“${text}” (${as})`).join(', ')}.`;

interface NamedLens {
  /** The conversation without the turns that only name a lens. */
  askedQuestion: AskedQuestion;
  /** The most recently named lens. */
  lens: LiveLens | null;
  /** True if the last turn only names a lens, so that the question is in the turn before it. */
  isNameOnly: boolean;
}

const MAX_NAME_LENGTH = 80;

function findNamedLens(lenses: readonly LiveLens[], askedQuestion: AskedQuestion): NamedLens {
  const options = lenses.flatMap(({ name, lens }) => [
    { key: name, label: lens.title, meaning: null },
    { key: name, label: `svc/${name}`, meaning: null },
    { key: name, label: `${name} lens`, meaning: null },
  ]);
  const questions = [...(askedQuestion.context ?? []), askedQuestion.question];
  const names = questions.map((question, index) =>
    index === 0 || question.length > MAX_NAME_LENGTH || question.includes('?') ? null : findLensName(options, question),
  );
  const lastName = names.findLast((name) => name !== null) ?? null;
  const remainingTurns = questions.filter((_turn, index) => names[index] === null);
  return {
    askedQuestion: { ...askedQuestion, question: remainingTurns.at(-1)!, context: remainingTurns.slice(0, -1) },
    lens: lenses.find(({ name }) => name === lastName) ?? null,
    isNameOnly: names.at(-1) !== null,
  };
}

function findLensName(options: { key: string; label: string; meaning: null }[], question: string): string | null {
  const matches = new Set(
    options.flatMap(
      (option) =>
        findChosenOption({ kind: 'ambiguous_term', term: 'lens', message: '', options: [option] }, question) ?? [],
    ),
  );
  const [first, second] = matches;
  return first && !second ? first : null;
}
