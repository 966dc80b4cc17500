// Selects the lens that explains every word of a question, or declines. If two lenses read the question equally well,
// svc names both instead of guessing.
import type { Envelope } from '../../contract/ask.ts';
import type { CertifiedLibrary } from '../../domain/certified/certified-library.ts';
import type { ServedLens } from '../../domain/lenses/lens-repository.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { nextTurn } from '../../platform/schedule/in-turns.ts';
import type { WordUse } from '../../reader/reading.ts';
import { cachedReading } from './cached-reading.ts';
import { matchCertified } from './match-certified.ts';
import { namedLens } from './named-lens.ts';
import type { AskedQuestion } from './plan-question.ts';

export type Routed =
  | { lens: ServedLens; why: string }
  | {
      lens: null /** several lenses read the question equally well, so the caller chooses */;
      tied: boolean;
      message: string;
      suggestions: NonNullable<Envelope['suggestions']>;
    };

interface Candidate {
  served: ServedLens;
  why: string;
  /** The number of words that the lens's own vocabulary explains. */
  weight: number;
}

const MAX_SUGGESTIONS = 3;
const MAX_EARLIER_TURNS = 3;
const MAX_LENSES = 10; // lenses whose values svc reads for a caller with row policies
const OWN_VOCABULARY = /metric|field|dimension|dataset|value|definition/;

/**
 * In a conversation, the turn after a question without a lens can name one, and svc then asks that lens the question.
 * In other turns, svc reads a lens name as a question.
 */
export async function routeConversation(
  lenses: ServedLens[],
  request: AskedQuestion,
  using: RoutingContext,
  now: Date,
): Promise<{ asked: AskedQuestion; routed: Routed }> {
  const { asked, lens, just } = namedLens(lenses, request);
  if (!lens) return { asked: request, routed: await routeQuestion(lenses, request, using, now) };
  const routed = await routeQuestion(lenses, asked, using, now);
  if (routed.lens && just) return { asked: request, routed: await routeQuestion(lenses, request, using, now) };
  if (routed.lens) return { asked, routed };
  return { asked, routed: { lens, why: just ? 'You named it.' : 'The conversation named it.' } };
}

interface RoutingContext {
  library: Pick<CertifiedLibrary, 'rank'>;
  exactBand: number;
  /** The lens with the values that this caller can see, or null if row policies hide none. */
  withOwnValues: (served: ServedLens) => Promise<Lens | null>;
}

/** If several lenses read a follow-up equally well, uses the lens of the conversation. */
export async function routeQuestion(
  lenses: ServedLens[],
  asked: AskedQuestion,
  using: RoutingContext,
  now: Date,
): Promise<Routed> {
  const routed = await routeAlone(lenses, asked, using, now);
  if (routed.lens || !routed.tied) return routed;
  const earlierQuestions = asked.context ?? [];
  for (let back = 1; back <= Math.min(MAX_EARLIER_TURNS, earlierQuestions.length); back++) {
    const before = { question: earlierQuestions.at(-back)!, context: earlierQuestions.slice(0, -back), choices: {} };
    const { lens } = await routeAlone(lenses, before, using, now);
    if (
      lens &&
      routed.suggestions.some((suggestion) => typeof suggestion !== 'string' && suggestion.lens === lens.name)
    )
      return { lens, why: 'The conversation is about it.' };
  }
  return routed;
}

async function routeAlone(
  lenses: ServedLens[],
  asked: AskedQuestion,
  using: RoutingContext,
  now: Date,
): Promise<Routed> {
  const candidates: Candidate[] = [];
  let looked = 0;
  for (const liveLens of lenses) {
    await nextTurn(); // each reading takes some milliseconds
    const match = await matchCertified(using.library, using.exactBand, liveLens, asked.question);
    if (match) return { lens: liveLens, why: 'This lens has a certified answer to the question.' };
    let reading = cachedReading({ ...asked, lens: liveLens.lens, now });
    if (reading.kind === 'refused' && looked < MAX_LENSES) {
      const lens = await using.withOwnValues(liveLens);
      if (lens) looked++;
      if (lens) reading = cachedReading({ ...asked, lens, now });
    }
    if (reading.kind === 'refused') continue;
    const vocabularyWords = reading.words.filter(({ as }) => OWN_VOCABULARY.test(as));
    if (vocabularyWords.length > 0)
      candidates.push({
        served: liveLens,
        why: routingReason(vocabularyWords),
        weight: vocabularyWords.reduce((sum, word) => sum + word.text.split(/\s+/).length, 0),
      });
  }
  candidates.sort((a, b) => b.weight - a.weight);
  const [best, second] = candidates;
  if (best && (!second || second.weight < best.weight)) return { lens: best.served, why: best.why };
  if (best) {
    const equal = candidates.filter(({ weight }) => weight === best.weight);
    return {
      lens: null,
      tied: true,
      message: `More than one lens can answer this question: ${equal.map(({ served }) => served.name).join(', ')}. In a chat, send the name of one as the next message, or use the model svc/${equal[0]!.served.name}.`,
      suggestions: equal.map(({ served, why }) => ({
        lens: served.name,
        why,
        sample_questions: served.lens.sampleQuestions.slice(0, MAX_SUGGESTIONS),
      })),
    };
  }
  return {
    lens: null,
    tied: false,
    message: 'None of your lenses covers this question. See the suggestions for questions that they cover.',
    suggestions: lenses.slice(0, MAX_SUGGESTIONS).map((served) => ({
      lens: served.name,
      why: served.lens.description,
      sample_questions: served.lens.sampleQuestions.slice(0, MAX_SUGGESTIONS),
    })),
  };
}

const routingReason = (words: WordUse[]): string =>
  `This lens has ${words.map(({ text, as }) => `“${text}” (${as})`).join(', ')}.`;
