// The entry points of the governed ask. Each turns its request body into a plan.
import type { Clarification, Envelope, Format, MetricsBody } from '../contract/ask.ts';
import type { CertifiedLibrary } from '../domain/certified/certified-library.ts';
import { filledQuestion } from '../domain/certified/filled-question.ts';
import { bindParameters } from '../domain/certified/parameters.ts';
import { askerOf } from '../domain/identity/principal.ts';
import type { ServedLens } from '../domain/lenses/lens-repository.ts';
import type { Intent } from '../lens/model/intent.ts';
import { intentFromMetricsBody, takesUsualDate } from '../lens/plan/intent-from-metrics.ts';
import { withPlanPaths } from '../lens/plan/plan-places.ts';
import { hiddenDatasets } from '../lens/policies/lens-seen-by.ts';
import { Problem } from '../platform/problem.ts';
import { type AskDeps, type Models, probeLimits } from './ask-deps.ts';
import type { Ask, AskContext } from './entrances.ts';
import type { Journal } from './journal.ts';
import {
  type CompiledPlan,
  type EarlyEnd,
  type GrantedLens,
  isEarlyEnd,
  type Plan,
  type WrittenPlan,
} from './outcome.ts';
import { type Entrance, governedAsk } from './pipeline.ts';
import { lensForCaller } from './read/caller-vocabulary.ts';
import { standingOf } from './read/certified-standing.ts';
import { chooseLens } from './read/choose-lens.ts';
import { matchCertified, nearMisses } from './read/match-certified.ts';
import type { ModelReader } from './read/model/decide.ts';
import { modelContext } from './read/model/model-context.ts';
import { planWithModel } from './read/model/plan-with-model.ts';
import { withPreferredOption } from './read/model/preferred-option.ts';
import { planProven } from './read/plan-proven.ts';
import { type AskedQuestion, askBack, planIntent, planQuestion } from './read/plan-question.ts';
import { probeParameters } from './read/probe-parameters.ts';
import { proveReading } from './read/prove-reading.ts';
import { grantedLenses, toGrantedLens } from './read/resolve-lens.ts';
import { routeConversation } from './read/route-question.ts';
import type { ProbeLimits } from './read/values/probe-values.ts';
import { LensReplaced, withLens } from './with-lens.ts';

export function createAsk(deps: AskDeps): Ask {
  const probe = ({ signal }: AskContext) => probeLimits(deps, deps.clock.now(), signal);

  /** The approved entry that matches the question, with proven parameters, or the reason why it can't run. */
  async function certifiedMatch(
    context: AskContext,
    granted: GrantedLens,
    question: string,
    library: Pick<CertifiedLibrary, 'rank'> = deps.library,
  ) {
    const match = await matchCertified(library, deps.exactBand, granted, question);
    const standing = match && (await standingOf(deps, granted, match.entry));
    if (standing?.kind !== 'sound') return { match: null, absent: null, standing };
    return { ...(await probeParameters(granted, match, probe(context))), standing };
  }

  const heardBy = (journal: Pick<Journal, 'embedderAway'>) =>
    deps.library.telling(() => {
      journal.embedderAway = true;
    });
  const reader = async (
    context: AskContext,
    models: Models,
    journal: Journal,
    granted: GrantedLens,
    asked: AskedQuestion,
  ): Promise<ModelReader> => {
    // Calls no model for a lens that was replaced in the meantime, because the new version may not need one.
    if (granted.proof && (await deps.lenses.find(granted.orgId, granted.name))?.stamp !== granted.stamp)
      throw new LensReplaced();
    const shown = await modelContext(heardBy(journal), granted, asked.question, deps.clock.now());
    return { models, journal, granted, asked, context: shown, limits: probe(context) };
  };

  async function certifiedOrPlanned(
    context: AskContext,
    granted: GrantedLens,
    asked: AskedQuestion,
    journal: Journal,
  ): Promise<Plan | EarlyEnd> {
    if (asked.context?.length) return unapproved(context, granted, asked, journal, null);
    const { match, absent, standing } = await journal.step(
      'match_certified',
      () => certifiedMatch(context, granted, asked.question, heardBy(journal)),
      (found) => found.match?.entry.certId ?? (found.standing && `${found.standing.kind}, not run`) ?? 'none',
    );
    if (match) return planProven(granted, match.entry, match.parameters, asked.choices, probe(context));
    if (standing?.kind === 'failing') return standing.end;
    const plan = await unapproved(context, granted, asked, journal, absent);
    return standing?.kind === 'doubtful' ? addNote(plan, standing.message) : plan;
  }

  async function unapproved(
    context: AskContext,
    granted: GrantedLens,
    asked: AskedQuestion,
    journal: Journal,
    absent: Clarification | null,
  ): Promise<Plan | EarlyEnd> {
    const planned = await planQuestion(granted, asked, probe(context));
    if (absent && isEarlyEnd(planned) && planned.end === 'refused') return askBack(granted, absent, probe(context));
    if (!deps.models || !isEarlyEnd(planned)) return planned;
    if (planned.end !== 'refused' && planned.end !== 'clarification') return planned;
    const turn = await reader(context, deps.models, journal, granted, asked);
    if (planned.end === 'refused') return planWithModel(turn, planned);
    return { end: 'clarification', clarification: await withPreferredOption(turn, planned.clarification) };
  }

  /** If the warehouse doesn't answer, routing continues without the values. The ask itself reports the fault. */
  const withOwnValues = (context: AskContext) => async (served: ServedLens) =>
    hiddenDatasets(served.lens, askerOf(context.principal)).length === 0
      ? null
      : toGrantedLens(deps, context.principal, served)
          .then((granted) => lensForCaller(granted, probe(context)))
          .catch(() => null);

  const onLens = (context: AskContext, lens: string, ask: (granted: GrantedLens) => Promise<Envelope>) =>
    withLens(deps, context.principal, lens, ask);

  return {
    query(context, lens, body) {
      const asked = { question: body.q, context: context.context, choices: body.choices ?? {} };
      return onLens(context, lens, async (granted) =>
        governedAsk(deps, context, {
          route: 'query',
          question: body.q,
          format: formatOf(body.format),
          dryRun: body.dry_run ?? false,
          granted,
          onRequest: body,
          plan: (journal) => certifiedOrPlanned(context, granted, asked, journal),
        }),
      );
    },

    metrics(context, lens, body) {
      return onLens(context, lens, async (granted) => {
        const intent = intentFromMetricsBody(granted.lens, body, deps.clock.now());
        return governedAsk(deps, context, {
          route: 'metrics',
          question: null,
          format: formatOf(body.format, 'structured'),
          dryRun: body.dry_run ?? false,
          granted,
          onRequest: body,
          plan: () => withPlanPaths(body, () => planOfCaller(granted, intent, body, probe(context))),
        });
      });
    },

    async routed(context, body) {
      const said = { question: body.q, context: context.context, choices: body.choices ?? {} };
      const usable = await grantedLenses(deps.lenses, context.principal);
      const routing = { embedderAway: false };
      const { asked, routed } = await routeConversation(
        usable,
        said,
        { library: heardBy(routing), exactBand: deps.exactBand, withOwnValues: withOwnValues(context) },
        deps.clock.now(),
      );
      const entrance: Entrance = {
        route: 'routed',
        question: body.q,
        format: formatOf(body.format),
        dryRun: body.dry_run ?? false,
        onRequest: body,
        granted: routed.lens ? await toGrantedLens(deps, context.principal, routed.lens) : null,
        ...(routed.lens ? { routing: { lens: routed.lens.name, why: routed.why } } : {}),
        async plan(journal) {
          journal.embedderAway = routing.embedderAway;
          if (routed.lens) return certifiedOrPlanned(context, entrance.granted!, asked, journal);
          const uncovered: EarlyEnd = { end: 'uncovered', message: routed.message, suggestions: routed.suggestions };
          const chosen =
            deps.models && !routed.tied && (await chooseLens(deps.models, journal, usable, asked, context.signal));
          if (!chosen) return uncovered;
          const granted = await toGrantedLens(deps, context.principal, chosen);
          const planned = await certifiedOrPlanned(context, granted, asked, journal);
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
    },

    certifiedRun(context, lens, certId, body) {
      return onLens(context, lens, async (granted) => {
        const entry = granted.certified.get(certId) ?? granted.suspended.get(certId);
        if (!entry) {
          throw new Problem(
            'not_found',
            `Lens ${lens} has no approved certified entry “${certId}”. List them at /v1/lenses/${lens}/certified.`,
            { param: 'cert_id' },
          );
        }
        const parameters = bindParameters(entry, body.parameters);
        const standing = await standingOf(deps, granted, entry);
        if (standing.kind === 'doubtful') throw new Problem('conflict', standing.message);
        return governedAsk(deps, context, {
          route: 'certified',
          question: filledQuestion(entry.question, parameters),
          format: formatOf(body.format),
          dryRun: false,
          granted,
          onRequest: body,
          plan: async () =>
            standing.kind === 'failing'
              ? standing.end
              : planProven(granted, entry, parameters, body.choices ?? {}, probe(context)),
        });
      });
    },

    certifiedByQuestion(context, lens, question, body) {
      return onLens(context, lens, async (granted) => {
        const { match, absent, standing } = await certifiedMatch(context, granted, question);
        const run = (plan: Entrance['plan']) =>
          governedAsk(deps, context, {
            route: 'certified',
            question,
            format: formatOf(body.format),
            dryRun: false,
            granted,
            onRequest: body,
            plan,
          });
        if (standing?.kind === 'doubtful') throw new Problem('conflict', standing.message);
        if (standing?.kind === 'failing') return run(async () => standing.end);
        if (absent) return run(() => askBack(granted, absent, probe(context)));
        if (!match) {
          const near = await nearMisses(deps.library, granted, question);
          const details = near.map((miss) => ({
            ...miss,
            path: 'q',
            code: 'near_miss',
            message: `${miss.cert_id}: ${miss.question} (similarity ${miss.similarity}; differs in ${miss.differs.join(', ') || 'no similar entry'})`,
          }));
          throw new Problem(
            'no_exact_match',
            `No certified entry matches this question exactly: none reaches a similarity of ${deps.exactBand} with the same meaning. Run a similar entry by its cert_id, or ask with query.`,
            { details },
          );
        }
        const told = Object.keys(match.parameters).length > 0;
        const parameters = told ? match.parameters : bindParameters(match.entry, body.parameters);
        for (const [name, given] of Object.entries(told ? (body.parameters ?? {}) : {}))
          if (parameters[name] !== given)
            throw new Problem(
              'invalid',
              `The question already has the value of ${name}. Leave out parameters.${name}.`,
              {
                param: `parameters.${name}`,
                details: [
                  { path: `parameters.${name}`, code: 'said_twice', message: 'The question already has this value.' },
                ],
              },
            );
        return run(() => planProven(granted, match.entry, parameters, body.choices ?? {}, probe(context)));
      });
    },

    async sql(context, body) {
      if ((body.lens === undefined) === (body.connection === undefined)) {
        throw new Problem('invalid', 'Give either lens or connection.', {
          details: [
            { path: 'lens', code: 'exactly_one', message: 'Give either lens or connection (admins only), not both.' },
          ],
        });
      }
      const ask = (granted: GrantedLens) =>
        governedAsk(deps, context, {
          route: 'sql',
          question: null,
          format: 'structured',
          dryRun: body.dry_run ?? false,
          granted,
          onRequest: body,
          plan: async () => callerSql(granted, body.sql, body.limit),
        });
      return body.lens === undefined
        ? ask(await deps.connectionScopes.get(context.principal, body.connection!))
        : onLens(context, body.lens, ask);
    },
  };
}

async function planOfCaller(
  granted: GrantedLens,
  intent: Intent,
  body: MetricsBody,
  limits: ProbeLimits,
): Promise<Plan | EarlyEnd> {
  const { choices = {}, answers } = body;
  const plan = await planIntent(granted, intent, choices, limits);
  if (isEarlyEnd(plan)) return plan;
  const called: CompiledPlan = {
    ...plan,
    ...(takesUsualDate(body) && { usualDate: true }),
    ...(answers && { answers }),
  };
  if (!answers || answers.leaves_out.length > 0) return called;
  const asked = { question: answers.question, choices };
  const proof = await proveReading(granted, asked, plan, await planQuestion(granted, asked, limits), limits);
  return { ...called, read: { by: 'caller', asked: { texts: [answers.question], choices }, proof } };
}

/** Adds a note that an approved answer exists and why it isn't given. */
function addNote(plan: Plan | EarlyEnd, note: string): Plan | EarlyEnd {
  if (!isEarlyEnd(plan)) return { ...plan, warnings: [...plan.warnings, note] };
  return plan.end === 'refused' ? { ...plan, message: `${plan.message} ${note}` } : plan;
}

function callerSql(granted: GrantedLens, sql: string, limit: number): WrittenPlan {
  return {
    plan: 'caller_sql',
    granted,
    sql,
    limit,
    assisted: false,
    read: { by: 'caller' },
    values: { known: null, said: 'The filter values of this SQL are not proven.', believed: [] },
    scope: {
      filters: [],
      time: null,
      row_policies: [],
      joins: [],
      sentence: 'Rows from the SQL in the request.',
    },
    citations: [],
    warnings: [],
  };
}

const formatOf = (format: Format | 'data' | undefined, otherwise: Format = 'both'): Format =>
  format === 'data' ? 'structured' : (format ?? otherwise);
