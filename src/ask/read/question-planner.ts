// Plans a question with the approved entry that it matches, otherwise with the reader, otherwise with a model.
import type { CertifiedLibrary } from '../../domain/certified/certified-library.ts';
import { createSuggestionLens } from '../../lens/policies/limit-lens.ts';
import { type AskDeps, type AskModels, createProbeLimits } from '../ask-deps.ts';
import type { AskContext } from '../entry-points.ts';
import type { Journal } from '../journal.ts';
import { type EarlyEnd, type GrantedLens, isEarlyEnd, type Plan } from '../outcome.ts';
import { determineEntryStatus } from './entry-status.ts';
import { matchCertified } from './match-certified.ts';
import type { ModelRequest } from './model/decide.ts';
import { buildModelContext } from './model/model-context.ts';
import { planWithModel } from './model/plan-with-model.ts';
import { choosePreferredOption } from './model/preferred-option.ts';
import { createProvenEntryPlan, isProvenMatch } from './plan-certified-entry.ts';
import { type AskedQuestion, planQuestion } from './plan-question.ts';
import { LensReplacedError } from './resolve-lens.ts';
import { addUnusedChoicesNote, type Choices, findUnusedChoices, withUnusedChoicesNote } from './unused-choices.ts';
import type { ProbeLimits } from './values/probe-values.ts';

export interface PlanRequest {
  context: AskContext;
  grantedLens: GrantedLens;
  askedQuestion: AskedQuestion;
  journal: Journal;
}

export class QuestionPlanner {
  readonly #deps: AskDeps;

  constructor(deps: AskDeps) {
    this.#deps = deps;
  }

  createLimits({ signal }: AskContext): ProbeLimits {
    return createProbeLimits(this.#deps, this.#deps.clock.now(), signal);
  }

  wrapLibraryWithOutageNote(journal: Pick<Journal, 'isEmbedderDown'>) {
    return this.#deps.library.withUnreachableNotice(() => {
      journal.isEmbedderDown = true;
    });
  }

  /** The approved entry that matches the question, or the reason why it can't run. */
  async findCertifiedMatch(
    grantedLens: GrantedLens,
    question: string,
    library: Pick<CertifiedLibrary, 'rank'> = this.#deps.library,
  ) {
    const match = await matchCertified(library, this.#deps.exactBand, grantedLens, question);
    const status = match && (await determineEntryStatus(this.#deps, grantedLens, match.entry));
    return { match: status?.kind === 'sound' ? match : null, status };
  }

  async planWithCertified(planRequest: PlanRequest): Promise<Plan | EarlyEnd> {
    const { context, grantedLens, askedQuestion, journal } = planRequest;
    if (askedQuestion.context?.length) return this.#planWithoutEntry(planRequest, null);
    const { match, status } = await journal.runStep(
      'match_certified',
      () => this.findCertifiedMatch(grantedLens, askedQuestion.question, this.wrapLibraryWithOutageNote(journal)),
      (result) => result.match?.entry.certId ?? (result.status && `${result.status.kind}, not run`) ?? 'none',
    );
    if (status?.kind === 'failing') return status.end;
    const planWithEntry = (choices: Choices) =>
      createProvenEntryPlan(grantedLens, match!.entry, match!.parameters, choices, this.createLimits(context));
    const provenPlan = match && (await planWithEntry(askedQuestion.choices));
    if (provenPlan && isProvenMatch(match, provenPlan)) {
      if (isEarlyEnd(provenPlan)) return provenPlan;
      const unusedTerms = await findUnusedChoices(provenPlan, askedQuestion.choices, planWithEntry);
      const chosenPlan = unusedTerms.length > 0 && (await this.#planWithChosenMeaning(planRequest, unusedTerms));
      return chosenPlan || addUnusedChoicesNote(provenPlan, askedQuestion.choices, unusedTerms);
    }
    const plan = await this.#planWithoutEntry(planRequest, provenPlan && isEarlyEnd(provenPlan) ? provenPlan : null);
    return status?.kind === 'doubtful' ? addApprovedAnswerNote(plan, status.message) : plan;
  }

  #readWithChoices({ context, grantedLens, askedQuestion }: PlanRequest) {
    return (choices: Choices) => planQuestion(grantedLens, { ...askedQuestion, choices }, this.createLimits(context));
  }

  /**
   * The reader's plan, if it uses choices that an approved entry ignores. The caller's choices take precedence over the
   * entry.
   */
  async #planWithChosenMeaning(planRequest: PlanRequest, unusedTerms: readonly string[]): Promise<Plan | null> {
    const { choices } = planRequest.askedQuestion;
    const planWith = this.#readWithChoices(planRequest);
    const plan = await planWith(choices);
    if (isEarlyEnd(plan)) return null;
    const unreadTerms = await findUnusedChoices(plan, choices, planWith);
    return unusedTerms.every((term) => unreadTerms.includes(term))
      ? null
      : addUnusedChoicesNote(plan, choices, unreadTerms);
  }

  async #planWithoutEntry(planRequest: PlanRequest, noMatchEnd: EarlyEnd | null): Promise<Plan | EarlyEnd> {
    const { grantedLens, askedQuestion } = planRequest;
    const limits = this.createLimits(planRequest.context);
    const { models } = this.#deps;
    const planOrEnd = await planQuestion(grantedLens, askedQuestion, limits);
    if (noMatchEnd && isEarlyEnd(planOrEnd) && planOrEnd.end === 'refused') return noMatchEnd;
    if (!isEarlyEnd(planOrEnd))
      return withUnusedChoicesNote(planOrEnd, askedQuestion.choices, this.#readWithChoices(planRequest));
    if (planOrEnd.end !== 'refused' && planOrEnd.end !== 'clarification') return planOrEnd;
    const reader = models && (await this.#findModelReader(planRequest, models));
    if (planOrEnd.end === 'refused') return clarifyRefusal(reader ? await planWithModel(reader, planOrEnd) : planOrEnd);
    if (!reader) return planOrEnd;
    return { end: 'clarification', clarification: await choosePreferredOption(reader, planOrEnd.clarification) };
  }

  async #findModelReader(
    { context, grantedLens, askedQuestion, journal }: PlanRequest,
    models: AskModels,
  ): Promise<ModelRequest> {
    const { lenses, clock } = this.#deps;
    // If the lens was replaced in the meantime, starts the ask again instead of calling a model, because the new
    // version might not need a model.
    if (grantedLens.proof && (await lenses.find(grantedLens.orgId, grantedLens.name))?.stamp !== grantedLens.stamp)
      throw new LensReplacedError();
    const { lens, caller } = grantedLens;
    const promptContext = await buildModelContext(
      this.wrapLibraryWithOutageNote(journal),
      { ...grantedLens, lens: createSuggestionLens(lens, caller) },
      askedQuestion.question,
      clock.now(),
    );
    return {
      models,
      journal,
      grantedLens,
      asked: askedQuestion,
      context: promptContext,
      limits: this.createLimits(context),
    };
  }
}

/** If the name closest to an unknown word makes the question readable, asks for clarification instead of refusing. */
async function clarifyRefusal(planOrEnd: Plan | EarlyEnd): Promise<Plan | EarlyEnd> {
  const clarification = isEarlyEnd(planOrEnd) && planOrEnd.end === 'refused' ? await planOrEnd.clarifyWord?.() : null;
  return clarification ? { end: 'clarification', clarification } : planOrEnd;
}

/** Adds a note that an approved answer exists, with the reason why svc doesn't return that answer. */
function addApprovedAnswerNote(plan: Plan | EarlyEnd, note: string): Plan | EarlyEnd {
  if (!isEarlyEnd(plan)) return { ...plan, warnings: [...plan.warnings, note] };
  return plan.end === 'refused' ? { ...plan, message: `${plan.message.replace(/[^.?!]$/, '$&.')} ${note}` } : plan;
}
