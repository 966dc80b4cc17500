// Plans a question without a language model: reads it, proves its values and compiles it. Otherwise asks back or
// refuses.
import type { Clarification, Scope } from '../../contract/ask.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { hiddenDatasets } from '../../lens/policies/lens-for-viewer.ts';
import { policiesFor } from '../../lens/policies/row-policies.ts';
import { bindPlan } from '../../plan/bind/bind-plan.ts';
import type { LensPlan } from '../../plan/lens-plan.ts';
import { type CompiledQuery, compilePlan } from '../../plan/sql/compile-plan.ts';
import { Problem } from '../../platform/problem.ts';
import { nextTurn } from '../../platform/schedule/in-turns.ts';
import { sentenceOf } from '../../reader/canonical/sentence.ts';
import type { Reading } from '../../reader/reading.ts';
import { describeRefusal } from '../../reader/refused/describe-refusal.ts';
import type { ProposedPlan } from '../../reader/refused/propose.ts';
import { requestedDefinitions, textsOf } from '../../reader/refused/requested-definitions.ts';
import { meaningsOf } from '../../reader/refused/word-meanings.ts';
import { isTooLong, TOO_LONG } from '../../reader/words/length-limit.ts';
import type { CompiledPlan, EarlyEnd, GrantedLens } from '../outcome.ts';
import { FETCH_CAP } from '../run/fetch-rows.ts';
import { citationsOf } from '../tell/cite-sources.ts';
import { cachedReading } from './cached-reading.ts';
import { lensForCaller } from './caller-vocabulary.ts';
import { settlePeriods } from './settle-periods.ts';
import { settleSums } from './settle-sums.ts';
import { checkValues, isClarification } from './values/check-values.ts';
import { withCurrentWords } from './values/current-values.ts';
import type { ProbeLimits } from './values/probe-values.ts';
import { visibleOptions } from './values/visible-options.ts';

export interface AskedQuestion {
  question: string;
  context?: string[];
  choices: Record<string, string>;
}

export async function planQuestion(
  granted: GrantedLens,
  asked: AskedQuestion,
  limits: ProbeLimits,
): Promise<CompiledPlan | EarlyEnd> {
  if (isTooLong(asked.question))
    return { end: 'refused', message: TOO_LONG, unplaced: [], proposal: null, suggestions: [] };
  // For a caller who sees only some rows, svc reads the question with the values of those rows.
  const bound = hiddenDatasets(granted.lens, granted.caller).length > 0;
  const lens = (bound && (await lensForCaller(granted, limits))) || granted.lens;
  const first = cachedReading({ ...asked, lens, now: limits.now });
  // An unknown word can be a value of a field without a committed dictionary.
  const filled = first.kind === 'refused' && !bound ? await lensForCaller(granted, limits) : null;
  const current = await readWithCurrentWords({ ...granted, lens: filled ?? lens }, asked, limits);
  const { reading } = current;
  if (reading.kind === 'plan') return settlePlan(current.granted, reading.plan, asked.choices, limits, reading);
  if (reading.kind === 'clarification') return askBack(current.granted, reading.clarification, limits);
  const input = { ...asked, lens: current.granted.lens, now: limits.now };
  const refused = first.kind === 'refused' && first.explained ? first : reading;
  await nextTurn(); // for a large lens, each step takes tens of milliseconds
  const texts = textsOf(requestedDefinitions(meaningsOf(input)));
  if (texts.length > 0) return { end: 'defined', lens: granted.name, texts };
  await nextTurn();
  const refusal = await describeRefusal(input, refused, listedUnderPolicies(granted));
  const proposal =
    refusal.proposal && (await isAnswered(granted, refusal.proposal.plan, limits)) ? refusal.proposal : null;
  return { end: 'refused', ...refusal, proposal };
}

/** Whether the plan gives this caller an answer without a clarification. svc proposes only such plans. */
async function isAnswered(granted: GrantedLens, plan: ProposedPlan, limits: ProbeLimits): Promise<boolean> {
  try {
    return 'plan' in (await settlePlan(granted, bindPlan(granted.lens, plan, limits.now), {}, limits));
  } catch (fault) {
    if (fault instanceof Problem) return false;
    throw fault;
  }
}

/** Fields under a row policy whose values a file may list. The caller must not see values of hidden rows. */
const listedUnderPolicies = ({ lens, caller }: GrantedLens): Set<string> =>
  new Set(
    lens.datasets.flatMap(({ name, fields }) =>
      policiesFor(lens, name, caller).length === 0
        ? []
        : fields.flatMap((field) => (field.dictionaryFromWarehouse ? [] : [`${name}.${field.name}`])),
    ),
  );

interface CurrentReading {
  granted: GrantedLens;
  reading: Reading;
}

/** Reads with the cached dictionaries. Before it refuses words, reads again with the current column values. */
async function readWithCurrentWords(
  granted: GrantedLens,
  asked: AskedQuestion,
  limits: ProbeLimits,
): Promise<CurrentReading> {
  const reading = cachedReading({ ...asked, lens: granted.lens, now: limits.now });
  const lens =
    reading.kind === 'refused' ? await withCurrentWords(granted, asked.question, reading.words, limits) : null;
  if (!lens) return { granted, reading };
  return { granted: { ...granted, lens }, reading: cachedReading({ ...asked, lens, now: limits.now }) };
}

/** Checks the values of a plan from a caller, the reader or a model, and compiles it. */
export async function settlePlan(
  granted: GrantedLens,
  requestedPlan: LensPlan,
  choices: Record<string, string>,
  limits: ProbeLimits,
  reading?: Extract<Reading, { kind: 'plan' }>,
): Promise<CompiledPlan | EarlyEnd> {
  const checked = await checkValues(granted, requestedPlan, choices, limits);
  if (isClarification(checked)) {
    // Compiling first reports faults that another value wouldn't fix.
    await compilePlan(granted.lens, requestedPlan, granted.caller, { maxRows: FETCH_CAP });
    return askBack(granted, checked, limits);
  }
  const settled = await settleSums(granted, checked.lensPlan, choices, limits);
  if ('kind' in settled) return askBack(granted, settled, limits);
  const lensPlan = await settlePeriods(granted, settled.lensPlan, limits);
  const compiled = await compilePlan(granted.lens, lensPlan, granted.caller, { maxRows: FETCH_CAP });
  return {
    plan: 'compiled',
    granted,
    read: reading
      ? { by: 'reader', asked: reading.asked, words: reading.words, doubt: reading.doubt }
      : { by: 'caller' },
    values: checked.values,
    lensPlan,
    compiled,
    unsummed: settled.doubts,
    scope: scopeOf(granted.lens, lensPlan, compiled),
    citations: citationsOf(granted.lens, lensPlan, compiled, reading),
    warnings: [...(reading?.notes ?? []), ...checked.notes, ...settled.notes, ...compiled.notes],
  };
}

/** A clarification needs at least one option. Without options, svc refuses. */
export async function askBack(
  granted: GrantedLens,
  clarification: Clarification,
  limits: ProbeLimits,
): Promise<EarlyEnd> {
  const seen = await visibleOptions(granted, clarification, limits);
  if (seen.options.length > 0) return { end: 'clarification', clarification: seen };
  const message = `${seen.message} Leave “${seen.value ?? seen.term}” out, or ask about something else.`;
  return { end: 'refused', message, unplaced: [], proposal: null, suggestions: [] };
}

/** Cached, because compiled plans are cached too. */
const sentences = new WeakMap<CompiledQuery, string>();

function scopeOf(lens: Lens, lensPlan: LensPlan, compiled: CompiledQuery): Scope {
  const sentence = sentences.get(compiled) ?? sentenceOf(lens, lensPlan);
  sentences.set(compiled, sentence);
  return {
    filters: compiled.filters,
    time: compiled.time ? { ...compiled.time, timezone: lens.timezone } : null,
    row_policies: compiled.rowPolicies,
    masks: compiled.masks.length > 0 ? compiled.masks : undefined,
    joins: compiled.joins,
    sentence,
  };
}
