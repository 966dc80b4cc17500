// The entry points of the governed ask. Each entry point converts its request body to a plan.
import type { Envelope, MetricsBody } from '../contract/ask.ts';
import { bindPlan, usesDefaultDate } from '../plan/bind/bind-plan.ts';
import { withPlanPaths } from '../plan/bind/with-plan-paths.ts';
import type { LensPlan } from '../plan/lens-plan.ts';
import { Problem } from '../platform/problem.ts';
import { runCertified, runCertifiedByQuestion } from './ask-certified.ts';
import type { AskDeps } from './ask-deps.ts';
import { askRouted } from './ask-routed.ts';
import type { Ask, AskContext } from './entry-points.ts';
import {
  type CompiledPlan,
  createStatementScope,
  type EarlyEnd,
  type GrantedLens,
  isEarlyEnd,
  type Plan,
  type SqlPlan,
} from './outcome.ts';
import { runGovernedAsk } from './pipeline.ts';
import { planQuestion, resolvePlan } from './read/plan-question.ts';
import { proveReading } from './read/prove-reading.ts';
import { QuestionPlanner } from './read/question-planner.ts';
import { runWithLens } from './read/resolve-lens.ts';
import { findImpliedChoices } from './read/resolve-sums.ts';
import type { ProbeLimits } from './read/values/probe-values.ts';

export function createAsk(deps: AskDeps): Ask {
  const planner = new QuestionPlanner(deps);
  const askOnLens = (context: AskContext, lens: string, ask: (grantedLens: GrantedLens) => Promise<Envelope>) =>
    runWithLens(deps, context.principal, lens, ask);

  return {
    query(context, lens, body) {
      const input = { question: body.q, context: context.context, choices: body.choices ?? {} };
      return askOnLens(context, lens, async (grantedLens) =>
        runGovernedAsk(deps, context, {
          route: 'query',
          question: body.q,
          grantedLens,
          body,
          plan: (journal) => planner.planWithCertified({ context, grantedLens, askedQuestion: input, journal }),
        }),
      );
    },

    metrics(context, lens, body) {
      return askOnLens(context, lens, async (grantedLens) => {
        const lensPlan = bindPlan(grantedLens.lens, body, deps.clock.now());
        return runGovernedAsk(deps, context, {
          route: 'metrics',
          question: null,
          grantedLens,
          body,
          plan: () =>
            withPlanPaths(body, () => resolveCallerPlan(grantedLens, lensPlan, body, planner.createLimits(context))),
        });
      });
    },

    queryWithRouting: (context, body) => askRouted(deps, planner, context, body),
    certifiedRun: (context, lens, certId, body) =>
      askOnLens(context, lens, (grantedLens) => runCertified({ deps, planner, context, grantedLens, body }, certId)),
    runCertifiedByQuestion: (context, lens, question, body) =>
      askOnLens(context, lens, (grantedLens) =>
        runCertifiedByQuestion({ deps, planner, context, grantedLens, body }, question),
      ),

    async sql(context, body) {
      if ((body.lens === undefined) === (body.connection === undefined)) {
        throw new Problem('invalid', 'Give either lens or connection.', {
          details: [
            { path: 'lens', code: 'exactly_one', message: 'Give either lens or connection (admins only), not both.' },
          ],
        });
      }
      const ask = (grantedLens: GrantedLens) =>
        runGovernedAsk(deps, context, {
          route: 'sql',
          question: null,
          grantedLens,
          body,
          plan: async () => createCallerSqlPlan(grantedLens, body.sql, body.limit),
        });
      return body.lens === undefined
        ? ask(await deps.connectionScopes.get(context.principal, body.connection!))
        : askOnLens(context, body.lens, ask);
    },
  };
}

async function resolveCallerPlan(
  grantedLens: GrantedLens,
  lensPlan: LensPlan,
  body: MetricsBody,
  limits: ProbeLimits,
): Promise<Plan | EarlyEnd> {
  const { choices = {}, answers } = body;
  const plan = await resolvePlan(
    grantedLens,
    lensPlan,
    { ...findImpliedChoices(grantedLens.lens, lensPlan), ...choices },
    limits,
  );
  if (isEarlyEnd(plan)) return plan;
  const compiledPlan: CompiledPlan = {
    ...plan,
    ...(usesDefaultDate(body) && { usualDate: true }),
    ...(answers && { answers }),
  };
  if (!answers || answers.leaves_out.length > 0) return compiledPlan;
  const input = { question: answers.question, choices };
  const proof = await proveReading(grantedLens, input, plan, await planQuestion(grantedLens, input, limits), limits);
  return { ...compiledPlan, readingOrigin: { by: 'caller', asked: [answers.question], proof } };
}

function createCallerSqlPlan(grantedLens: GrantedLens, sql: string, limit: number): SqlPlan {
  return {
    plan: 'caller_sql',
    grantedLens,
    sql,
    limit,
    usedExamples: false,
    readingOrigin: { by: 'caller' },
    values: {
      certainty: null,
      detail: 'svc did not check that the filter values of this SQL exist.',
      assumedValues: [],
    },
    scope: createStatementScope('Rows from the SQL in the request.'),
    citations: [],
    warnings: [],
  };
}
