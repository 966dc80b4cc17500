// A no that leads on: the words that could not be placed and no others, what each may have been meant for, what could be
// placed as a plan, and questions that are known to have a reading.
import type { Unplaced } from '../../contract/ask.ts';
import type { Lens } from '../../lens/lens.ts';
import { stem } from '../english/inflection.ts';
import type { PlannerInput, Reading } from '../grammar/reading.ts';
import { readQuestion } from '../read-question.ts';
import { words } from '../words/vocabulary.ts';
import { type NearName, nearestTo } from './nearest-names.ts';
import { leavingOut, type Plan, partialPlan, saysMore } from './partial-plan.ts';
import { type Placed, placedPlan } from './placed-plan.ts';
import { type Sight, type Sighted, sightOf } from './sight.ts';

export interface Refusal {
  message: string;
  unplaced: Unplaced[];
  proposal: { plan: Plan; sentence: string } | null;
  suggestions: string[];
}

type Refused = Extract<Reading, { kind: 'refused' }>;
type Unknown = Extract<Sighted, { is: 'unknown' }>;
const NAMED = 12;

/** `untold`: fields whose values a file lists, and of which a policy may hide some from this asker. */
export const tellRefusal = (input: PlannerInput, reading: Refused, untold?: ReadonlySet<string>): Refusal => {
  const sight = sightOf(input, reading.words, reading.read);
  const { lens } = input;
  const unknown = unknownOf(sight).slice(0, NAMED);
  const near = new Map(unknown.map(({ norm }) => [norm, nearestTo(lens, norm, untold)]));
  const mended = mendedQuestion(input, unknown, near);
  const whole = mended ? placedPlan(lens, sightOf({ ...input, question: mended }, [], [])) : null;
  const placed = whole ?? placedPlan(lens, sight);
  const partial = whole ? null : partialPlan(input);
  const read = partial && (!placed || saysMore(partial.plan, placed.plan)) ? partial : null;
  const left = read ? read.left : whole ? [] : reading.words;
  const proposal = read ?? placed;
  const unplaced = unknown.map(({ text, norm }) => ({
    text,
    nearest: near.get(norm)!.map(({ kind, name, field }) => ({ kind, name, ...(field ? { field } : {}) })),
  }));
  const asked = read ? (isRead(input, read.placed) ? read.placed : null) : placed && asQuestion(input, placed, sight);
  const made = [...new Set([mended, asked].flatMap((one) => one ?? []))];
  return {
    message: reading.explained ? reading.message : messageOf(unknown, near, reading),
    unplaced,
    proposal: proposal && { plan: proposal.plan, sentence: leavingOut(proposal.sentence, left) },
    suggestions: made.length > 0 ? made : nearestSamples(lens, unknown, sight),
  };
};

const unknownOf = ({ seen }: Sight): Unknown[] => {
  const found = new Map<string, Unknown>();
  for (const one of seen) if (one.is === 'unknown' && !found.has(one.norm)) found.set(one.norm, one);
  return [...found.values()];
};

function messageOf(unknown: Unknown[], near: ReadonlyMap<string, NearName[]>, { words: unread }: Refused): string {
  if (unknown.length === 0) {
    const quoted = [...new Set(unread)].map((word) => `"${word}"`).join(', ');
    return `Each word is known here, but not what ${quoted} asks for in this sentence. Ask one thing at a time, or send a plan.`;
  }
  const list = unknown.map(({ text }) => `"${text}"`).join(', ');
  const guesses = unknown.flatMap(({ text, norm }) => {
    const names = near.get(norm)!.map(({ name, kind, field }) => (kind === 'value' ? `${name} (${field})` : name));
    return names.length === 0 ? [] : [`${unknown.length > 1 ? `for "${text}" ` : ''}${names.join(' or ')}`];
  });
  const meant = guesses.length === 0 ? '' : ` Did you mean ${guesses.join('; ')}?`;
  return `I can't place ${list} in what this lens holds.${meant}`;
}

/** The question with each slip of the fingers put right; null where that is no question with a reading. */
function mendedQuestion(input: PlannerInput, unknown: Unknown[], near: ReadonlyMap<string, NearName[]>): string | null {
  let mended = input.question;
  for (const { text, norm } of unknown) {
    const [nearest] = near.get(norm)!;
    if (!nearest?.spelled) return null;
    mended = mended.replace(text, nearest.said);
  }
  return unknown.length > 0 && isRead(input, mended) ? mended : null;
}

/** Where nothing could be placed: what the lens is asked, those first that have a word of the question. */
function nearestSamples({ sampleQuestions }: Lens, unknown: Unknown[], { seen }: Sight): string[] {
  const wanted = new Set(
    [...unknown.map(({ norm }) => norm), ...seen.map(({ text }) => text)].flatMap(words).map(stem),
  );
  const shared = (sample: string): number => words(sample).filter((word) => wanted.has(stem(word))).length;
  return [...sampleQuestions].sort((one, other) => shared(other) - shared(one)).slice(0, SAMPLES);
}
const SAMPLES = 3;

const isRead = (input: PlannerInput, question: string): boolean =>
  readQuestion({ ...input, question, context: [], choices: {} }).kind !== 'refused';

/** The plan in words, where these words are read as a question. */
function asQuestion(input: PlannerInput, { plan }: Placed, { seen }: Sight): string | null {
  const plain = (name: string): string => words(name.replace(/^.*\.(?=[^.]+\.[^.]+$)/, '')).join(' ');
  const last = (name: string): string => plain(name.split('.').at(-1)!);
  const measures = (plan.metrics ?? []).map(plain).join(' and ');
  if (measures === '') return null;
  const groups = (plan.dimensions ?? []).map(last).join(' and ');
  const values = (plan.filters ?? []).map(({ values: [value] }) => ` in ${String(value)}`).join('');
  const time = plan.time ? seen.find((one) => one.is === 'time')?.text : undefined;
  const question = `${measures}${groups ? ` by ${groups}` : ''}${values}${time ? ` ${time}` : ''}`;
  return isRead(input, question) ? question : null;
}
