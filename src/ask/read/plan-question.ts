// Plans a question without a language model: reads it, proves its values and compiles it. Otherwise asks for
// clarification or refuses.
import type { Clarification, Scope } from '../../contract/ask.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { findPartlyVisibleDatasets } from '../../lens/policies/limit-lens.ts';
import { findPolicies } from '../../lens/policies/row-policies.ts';
import { bindPlan } from '../../plan/bind/bind-plan.ts';
import type { LensPlan } from '../../plan/lens-plan.ts';
import { type CompiledQuery, compilePlan } from '../../plan/sql/compile-plan.ts';
import { Problem } from '../../platform/problem.ts';
import { runInTurns, waitForTurn } from '../../platform/schedule/in-turns.ts';
import { writeSentence } from '../../reader/canonical/sentence.ts';
import type { ReaderResult } from '../../reader/reader-result.ts';
import { clarifyUnknownWord } from '../../reader/refused/clarify-word.ts';
import { describeRefusal } from '../../reader/refused/describe-refusal.ts';
import type { ProposedPlan } from '../../reader/refused/propose.ts';
import { findRequestedDefinitions, listDefinitionTexts } from '../../reader/refused/requested-definitions.ts';
import { describeUnusableChoices } from '../../reader/refused/unusable-choices.ts';
import { findWordMeanings } from '../../reader/refused/word-meanings.ts';
import { isTooLong, TOO_LONG_MESSAGE } from '../../reader/words/length-limit.ts';
import { type CompiledPlan, type EarlyEnd, type GrantedLens, isEarlyEnd, type QuestionPlan } from '../outcome.ts';
import { citeSources } from '../present/cite-sources.ts';
import { MAX_FETCHED_ROWS } from '../run/fetch-rows.ts';
import { readWithCache } from './cached-reading.ts';
import { resolvePeriods } from './resolve-periods.ts';
import { resolveSums } from './resolve-sums.ts';
import { checkValues, isClarification } from './values/check-values.ts';
import { buildLensForCaller, withCurrentWords } from './values/current-values.ts';
import type { ProbeLimits } from './values/probe-values.ts';

export interface AskedQuestion {
  question: string;
  context?: string[];
  choices: Record<string, string>;
}

export async function planQuestion(
  grantedLens: GrantedLens,
  askedQuestion: AskedQuestion,
  limits: ProbeLimits,
): Promise<QuestionPlan | EarlyEnd> {
  if (isTooLong(askedQuestion.question))
    return { end: 'refused', message: TOO_LONG_MESSAGE, unplaced: [], proposal: null, suggestions: [] };
  // If the caller can see only some rows, svc interprets the question with the values in those rows.
  const hasHiddenDatasets = findPartlyVisibleDatasets(grantedLens.lens, grantedLens.caller).length > 0;
  const lens = (hasHiddenDatasets && (await buildLensForCaller(grantedLens, limits))) || grantedLens.lens;
  const firstReading = readWithCache({ ...askedQuestion, lens, now: limits.now });
  // An unknown word can be a value of a field without a committed dictionary.
  const filledLens =
    firstReading.kind === 'refused' && !hasHiddenDatasets ? await buildLensForCaller(grantedLens, limits) : null;
  const knownLens = { ...grantedLens, lens: filledLens ?? lens };
  const { lens: currentLens, reading } = await readWithCurrentWords(knownLens, askedQuestion, limits);
  if (reading.kind === 'plan') {
    const { asked, words, doubt, meant } = reading;
    const currentGrant = { ...grantedLens, lens: currentLens };
    const plan = await resolvePlan(currentGrant, reading.plan, askedQuestion.choices, limits, reading);
    return isEarlyEnd(plan)
      ? plan
      : { ...plan, readingOrigin: { by: 'reader', asked, words, doubt, ...(meant && { meant }) } };
  }
  if (reading.kind === 'clarification') return createClarificationOrRefusal(reading.clarification);
  const input = { ...askedQuestion, lens: currentLens, now: limits.now };
  const refusedReading = firstReading.kind === 'refused' && firstReading.isExplained ? firstReading : reading;
  await waitForTurn(); // For a large lens, each step takes tens of milliseconds
  const texts = listDefinitionTexts(findRequestedDefinitions(findWordMeanings(input)));
  if (texts.length > 0) return { end: 'defined', lens: grantedLens.name, texts };
  await waitForTurn();
  const fieldsWithHiddenValues = findFieldsWithHiddenValues(grantedLens);
  const refusal = await describeRefusal(input, refusedReading, fieldsWithHiddenValues);
  const proposal =
    refusal.proposal && (await isAnswerable(grantedLens, refusal.proposal.plan, limits)) ? refusal.proposal : null;
  return {
    end: 'refused',
    ...refusal,
    message: refusal.message + describeUnusableChoices(input),
    proposal,
    clarifyWord: () => runInTurns(clarifyUnknownWord(input, readWithCache, fieldsWithHiddenValues)),
  };
}

/** Whether svc can run the plan for this caller without asking for clarification. svc proposes only such plans. */
async function isAnswerable(grantedLens: GrantedLens, plan: ProposedPlan, limits: ProbeLimits): Promise<boolean> {
  try {
    return 'plan' in (await resolvePlan(grantedLens, bindPlan(grantedLens.lens, plan, limits.now), {}, limits));
  } catch (fault) {
    if (fault instanceof Problem) return false;
    throw fault;
  }
}

/**
 * The fields whose values a lens file can list, in datasets with row policies. svc must not show such a list, because
 * it can contain values of hidden rows.
 */
const findFieldsWithHiddenValues = ({ lens, caller }: GrantedLens): Set<string> =>
  new Set(
    lens.datasets.flatMap(({ name, fields }) =>
      findPolicies(lens, name, caller).length === 0
        ? []
        : fields.flatMap((field) => (field.dictionaryFromWarehouse ? [] : [`${name}.${field.name}`])),
    ),
  );

/**
 * Interprets the question with the cached dictionaries. If the question has unknown words, interprets it again with the
 * current column values before svc refuses it.
 */
async function readWithCurrentWords(
  grantedLens: GrantedLens,
  askedQuestion: AskedQuestion,
  limits: ProbeLimits,
): Promise<{ lens: Lens; reading: ReaderResult }> {
  const { lens } = grantedLens;
  const reading = readWithCache({ ...askedQuestion, lens, now: limits.now });
  if (reading.kind !== 'refused') return { lens, reading };
  const currentLens = await withCurrentWords(grantedLens, askedQuestion.question, reading.words, limits);
  if (!currentLens) return { lens, reading };
  return { lens: currentLens, reading: readWithCache({ ...askedQuestion, lens: currentLens, now: limits.now }) };
}

/** Checks the values of a plan from a caller, the reader or a model, and compiles the plan. */
export async function resolvePlan(
  grantedLens: GrantedLens,
  requestedPlan: LensPlan,
  choices: Record<string, string>,
  limits: ProbeLimits,
  reading?: Extract<ReaderResult, { kind: 'plan' }>,
): Promise<CompiledPlan | EarlyEnd> {
  const checkedValues = await checkValues(grantedLens, requestedPlan, choices, limits);
  if (isClarification(checkedValues)) {
    // Compiling comes first, because the compiler reports errors that remain even if the caller chooses another value.
    await compilePlan(grantedLens.lens, requestedPlan, grantedLens.caller, { maxRows: MAX_FETCHED_ROWS });
    return createClarificationOrRefusal(checkedValues);
  }
  const resolvedSums = await resolveSums(grantedLens, checkedValues.lensPlan, choices, limits);
  if ('kind' in resolvedSums) return createClarificationOrRefusal(resolvedSums);
  const lensPlan = await resolvePeriods(grantedLens, resolvedSums.lensPlan, limits);
  const compiledQuery = await compilePlan(grantedLens.lens, lensPlan, grantedLens.caller, {
    maxRows: MAX_FETCHED_ROWS,
  });
  return {
    plan: 'compiled',
    grantedLens: grantedLens,
    readingOrigin: { by: 'caller' },
    values: checkedValues.values,
    lensPlan,
    compiledQuery,
    sumDoubts: resolvedSums.doubts,
    scope: createScope(grantedLens.lens, lensPlan, compiledQuery),
    citations: citeSources(grantedLens.lens, lensPlan, compiledQuery, reading),
    warnings: [...(reading?.notes ?? []), ...checkedValues.notes, ...resolvedSums.notes, ...compiledQuery.notes],
  };
}

/** Refuses if the clarification has no options, because a clarification needs at least one option. */
export function createClarificationOrRefusal(clarification: Clarification): EarlyEnd {
  if (clarification.options.length > 0) return { end: 'clarification', clarification };
  const message = `${clarification.message} Leave “${clarification.value ?? clarification.term}” out, or ask about something else.`;
  return { end: 'refused', message, unplaced: [], proposal: null, suggestions: [] };
}

/** The scope sentence of each compiled plan, cached for as long as the plan. */
const sentenceCache = new WeakMap<CompiledQuery, string>();

function createScope(lens: Lens, lensPlan: LensPlan, compiledQuery: CompiledQuery): Scope {
  const sentence =
    sentenceCache.get(compiledQuery) ?? [writeSentence(lens, lensPlan), ...compiledQuery.routes].join(' ');
  sentenceCache.set(compiledQuery, sentence);
  return {
    filters: compiledQuery.filters,
    time: compiledQuery.time ? { ...compiledQuery.time, timezone: lens.timezone } : null,
    row_policies: compiledQuery.rowPolicies,
    masks: compiledQuery.masks.length > 0 ? compiledQuery.masks : undefined,
    joins: compiledQuery.joins,
    sentence,
  };
}
