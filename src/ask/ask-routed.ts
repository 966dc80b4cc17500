// Answers an ask that names no lens. svc selects a lens based on the words of the question, or a model selects a lens
// based on the lens descriptions.
import type { Envelope, QueryBody } from '../contract/ask.ts';
import { toCaller } from '../domain/identity/principal.ts';
import type { LiveLens } from '../domain/lenses/lens-repository.ts';
import { findPartlyVisibleDatasets } from '../lens/policies/limit-lens.ts';
import { Problem } from '../platform/problem.ts';
import type { AskDeps } from './ask-deps.ts';
import type { AskContext } from './entry-points.ts';
import type { Journal } from './journal.ts';
import { type EarlyEnd, isEarlyEnd } from './outcome.ts';
import { type PreparedAsk, runGovernedAsk } from './pipeline.ts';
import { chooseLens } from './read/choose-lens.ts';
import type { QuestionPlanner } from './read/question-planner.ts';
import { listGrantedLenses, toGrantedLens } from './read/resolve-lens.ts';
import { routeConversation } from './read/route-question.ts';
import { buildLensForCaller } from './read/values/current-values.ts';

type UncoveredEnd = Extract<EarlyEnd, { end: 'uncovered' }>;

export async function askRouted(
  deps: AskDeps,
  planner: QuestionPlanner,
  context: AskContext,
  body: QueryBody,
): Promise<Envelope> {
  const request = { question: body.q, context: context.context, choices: body.choices ?? {} };
  const usableLenses = await listGrantedLenses(deps.lenses, context.principal);
  const embedderState = { isEmbedderDown: false };
  const { askedQuestion, routingResult } = await routeConversation(
    usableLenses,
    request,
    {
      library: planner.wrapLibraryWithOutageNote(embedderState),
      exactBand: deps.exactBand,
      lookUpCallerLens: createCallerLensLookup(deps, planner, context),
    },
    deps.clock.now(),
  );
  /**
   * If no model is configured, adds the unknown words of the question and the closest lens's suggestions to
   * `uncoveredEnd`.
   */
  const endWithNearestLens = async (uncoveredEnd: UncoveredEnd, journal: Journal): Promise<EarlyEnd> => {
    const nearest = routingResult.lens ? null : routingResult.nearest;
    if (!nearest) return uncoveredEnd;
    const grantedLens = await toGrantedLens(deps, context.principal, nearest);
    const end = await planner
      .planWithCertified({ context, grantedLens, askedQuestion, journal })
      .catch((fault: unknown) => {
        if (fault instanceof Problem) return uncoveredEnd;
        throw fault;
      });
    if (isEarlyEnd(end) && end.end === 'clarification') {
      preparedAsk.grantedLens = grantedLens;
      preparedAsk.routing = {
        lens: nearest.name,
        why: 'This lens explains the most words of the question.',
      };
      return end;
    }
    if (!isEarlyEnd(end) || end.end !== 'refused') return uncoveredEnd;
    const others = uncoveredEnd.suggestions!.filter((item) => typeof item === 'string' || item.lens !== nearest.name);
    return {
      end: 'uncovered',
      message: `None of your lenses covers this question. ${nearest.lens.title} comes closest. ${end.message}`,
      suggestions: [
        { lens: nearest.name, why: nearest.lens.description, sample_questions: end.suggestions },
        ...others,
      ],
    };
  };
  const preparedAsk: PreparedAsk = {
    route: 'routed',
    question: body.q,
    body,
    grantedLens: routingResult.lens ? await toGrantedLens(deps, context.principal, routingResult.lens) : null,
    ...(routingResult.lens ? { routing: { lens: routingResult.lens.name, why: routingResult.why } } : {}),
    async plan(journal) {
      journal.isEmbedderDown = embedderState.isEmbedderDown;
      if (routingResult.lens)
        return planner.planWithCertified({ context, grantedLens: preparedAsk.grantedLens!, askedQuestion, journal });
      const uncoveredEnd: UncoveredEnd = {
        end: 'uncovered',
        message: routingResult.message,
        suggestions: routingResult.suggestions,
      };
      const chosenLens =
        deps.models &&
        !routingResult.isTied &&
        (await chooseLens(deps.models, journal, usableLenses, askedQuestion, context.signal));
      if (!chosenLens) return deps.models ? uncoveredEnd : endWithNearestLens(uncoveredEnd, journal);
      const grantedLens = await toGrantedLens(deps, context.principal, chosenLens);
      const planOrEnd = await planner.planWithCertified({ context, grantedLens, askedQuestion, journal });
      if (isEarlyEnd(planOrEnd) && planOrEnd.end === 'refused') return uncoveredEnd;
      preparedAsk.grantedLens = grantedLens;
      preparedAsk.routing = {
        lens: chosenLens.name,
        why: 'A language model chose this lens from the descriptions of the lenses.',
      };
      return isEarlyEnd(planOrEnd) ? planOrEnd : { ...planOrEnd, routedByModel: true };
    },
  };
  return runGovernedAsk(deps, context, preparedAsk);
}

/**
 * Returns a function that adds to a lens the values that this caller can see. The function returns null if the caller
 * can see all rows, or if the warehouse fails. A failure isn't reported here, because the ask itself reports it.
 */
const createCallerLensLookup =
  (deps: AskDeps, planner: QuestionPlanner, context: AskContext) => async (liveLens: LiveLens) =>
    findPartlyVisibleDatasets(liveLens.lens, toCaller(context.principal)).length === 0
      ? null
      : toGrantedLens(deps, context.principal, liveLens)
          .then((grantedLens) => buildLensForCaller(grantedLens, planner.createLimits(context)))
          .catch(() => null);
