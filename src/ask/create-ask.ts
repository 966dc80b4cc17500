// The entry points of the governed ask. Each converts its request body to a plan.
import type { Envelope, MetricsBody } from '../contract/ask.ts';
import { bindPlan, usesDefaultDate } from '../plan/bind/bind-plan.ts';
import { withPlanPaths } from '../plan/bind/plan-places.ts';
import type { LensPlan } from '../plan/lens-plan.ts';
import { Problem } from '../platform/problem.ts';
import { runCertified, runCertifiedByQuestion } from './ask-certified.ts';
import type { AskDeps } from './ask-deps.ts';
import { askRouted } from './ask-routed.ts';
import { type Ask, type AskContext, formatOf } from './entrances.ts';
import {
  type CompiledPlan,
  type EarlyEnd,
  type GrantedLens,
  isEarlyEnd,
  type Plan,
  scopeOfStatement,
  type WrittenPlan,
} from './outcome.ts';
import { governedAsk } from './pipeline.ts';
import { planQuestion, settlePlan } from './read/plan-question.ts';
import { proveReading } from './read/prove-reading.ts';
import { QuestionPlanner } from './read/question-planner.ts';
import { chosenSums } from './read/settle-sums.ts';
import type { ProbeLimits } from './read/values/probe-values.ts';
import { withLens } from './with-lens.ts';

export function createAsk(deps: AskDeps): Ask {
  const planner = new QuestionPlanner(deps);
  const onLens = (context: AskContext, lens: string, ask: (granted: GrantedLens) => Promise<Envelope>) =>
    withLens(deps, context.principal, lens, ask);

  return {
    query(context, lens, body) {
      const input = { question: body.q, context: context.context, choices: body.choices ?? {} };
      return onLens(context, lens, async (granted) =>
        governedAsk(deps, context, {
          route: 'query',
          question: body.q,
          format: formatOf(body.format),
          dryRun: body.dry_run ?? false,
          granted,
          onRequest: body,
          plan: (journal) => planner.certifiedOrPlanned({ context, granted, asked: input, journal }),
        }),
      );
    },

    metrics(context, lens, body) {
      return onLens(context, lens, async (granted) => {
        const lensPlan = bindPlan(granted.lens, body, deps.clock.now());
        return governedAsk(deps, context, {
          route: 'metrics',
          question: null,
          format: formatOf(body.format, 'structured'),
          dryRun: body.dry_run ?? false,
          granted,
          onRequest: body,
          plan: () => withPlanPaths(body, () => planOfCaller(granted, lensPlan, body, planner.probe(context))),
        });
      });
    },

    routed: (context, body) => askRouted(deps, planner, context, body),
    certifiedRun: (context, lens, certId, body) =>
      onLens(context, lens, (granted) => runCertified({ deps, planner, context, granted, body }, certId)),
    certifiedByQuestion: (context, lens, question, body) =>
      onLens(context, lens, (granted) => runCertifiedByQuestion({ deps, planner, context, granted, body }, question)),

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
  lensPlan: LensPlan,
  body: MetricsBody,
  limits: ProbeLimits,
): Promise<Plan | EarlyEnd> {
  const { choices = {}, answers } = body;
  const plan = await settlePlan(granted, lensPlan, { ...chosenSums(granted.lens, lensPlan), ...choices }, limits);
  if (isEarlyEnd(plan)) return plan;
  const called: CompiledPlan = {
    ...plan,
    ...(usesDefaultDate(body) && { usualDate: true }),
    ...(answers && { answers }),
  };
  if (!answers || answers.leaves_out.length > 0) return called;
  const input = { question: answers.question, choices };
  const proof = await proveReading(granted, input, plan, await planQuestion(granted, input, limits), limits);
  return { ...called, read: { by: 'caller', asked: [answers.question], proof } };
}

function callerSql(granted: GrantedLens, sql: string, limit: number): WrittenPlan {
  return {
    plan: 'caller_sql',
    granted,
    sql,
    limit,
    assisted: false,
    read: { by: 'caller' },
    values: { known: null, said: 'The filter values of this SQL are not proven.', assumed: [] },
    scope: scopeOfStatement('Rows from the SQL in the request.'),
    citations: [],
    warnings: [],
  };
}
