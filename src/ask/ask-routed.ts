// Answers an ask without a lens. svc selects a lens by the words of the question, or a model selects one by the lens
// descriptions.
import type { Envelope, QueryBody } from '../contract/ask.ts';
import { callerOf } from '../domain/identity/principal.ts';
import type { ServedLens } from '../domain/lenses/lens-repository.ts';
import { hiddenDatasets } from '../lens/policies/lens-for-viewer.ts';
import type { AskDeps } from './ask-deps.ts';
import { type AskContext, formatOf } from './entrances.ts';
import { type EarlyEnd, isEarlyEnd } from './outcome.ts';
import { governedAsk, type PreparedAsk } from './pipeline.ts';
import { lensForCaller } from './read/caller-vocabulary.ts';
import { chooseLens } from './read/choose-lens.ts';
import type { QuestionPlanner } from './read/question-planner.ts';
import { grantedLenses, toGrantedLens } from './read/resolve-lens.ts';
import { routeConversation } from './read/route-question.ts';

export async function askRouted(
  deps: AskDeps,
  planner: QuestionPlanner,
  context: AskContext,
  body: QueryBody,
): Promise<Envelope> {
  const request = { question: body.q, context: context.context, choices: body.choices ?? {} };
  const usable = await grantedLenses(deps.lenses, context.principal);
  const routing = { embedderAway: false };
  const { asked, routed } = await routeConversation(
    usable,
    request,
    {
      library: planner.heardBy(routing),
      exactBand: deps.exactBand,
      withOwnValues: withOwnValues(deps, planner, context),
    },
    deps.clock.now(),
  );
  const entrance: PreparedAsk = {
    route: 'routed',
    question: body.q,
    format: formatOf(body.format),
    dryRun: body.dry_run ?? false,
    onRequest: body,
    granted: routed.lens ? await toGrantedLens(deps, context.principal, routed.lens) : null,
    ...(routed.lens ? { routing: { lens: routed.lens.name, why: routed.why } } : {}),
    async plan(journal) {
      journal.embedderAway = routing.embedderAway;
      if (routed.lens) return planner.certifiedOrPlanned({ context, granted: entrance.granted!, asked, journal });
      const uncovered: EarlyEnd = { end: 'uncovered', message: routed.message, suggestions: routed.suggestions };
      const chosen =
        deps.models && !routed.tied && (await chooseLens(deps.models, journal, usable, asked, context.signal));
      if (!chosen) return uncovered;
      const granted = await toGrantedLens(deps, context.principal, chosen);
      const planned = await planner.certifiedOrPlanned({ context, granted, asked, journal });
      if (isEarlyEnd(planned) && planned.end === 'refused') return uncovered;
      entrance.granted = granted;
      entrance.routing = {
        lens: chosen.name,
        why: 'A language model chose it from the descriptions of the lenses.',
      };
      return isEarlyEnd(planned) ? planned : { ...planned, routedByModel: true };
    },
  };
  return governedAsk(deps, context, entrance);
}

/** If the warehouse doesn't respond, routing continues without the values. The ask itself reports the fault. */
const withOwnValues = (deps: AskDeps, planner: QuestionPlanner, context: AskContext) => async (liveLens: ServedLens) =>
  hiddenDatasets(liveLens.lens, callerOf(context.principal)).length === 0
    ? null
    : toGrantedLens(deps, context.principal, liveLens)
        .then((granted) => lensForCaller(granted, planner.probe(context)))
        .catch(() => null);
