// Runs a certified entry that the caller names by id, or whose question matches the caller's question exactly.
import type { CertifiedRunBody, Envelope } from '../contract/ask.ts';
import { fillQuestion, validateParameterValues } from '../domain/certified/parameters.ts';
import { Problem } from '../platform/problem.ts';
import type { AskDeps } from './ask-deps.ts';
import type { AskContext } from './entry-points.ts';
import { type GrantedLens, isEarlyEnd } from './outcome.ts';
import { type PreparedAsk, runGovernedAsk } from './pipeline.ts';
import { determineEntryStatus } from './read/entry-status.ts';
import { type CertifiedMatch, findNearMisses } from './read/match-certified.ts';
import { createProvenEntryPlan, isProvenMatch } from './read/plan-certified-entry.ts';
import type { QuestionPlanner } from './read/question-planner.ts';

interface CertifiedAsk {
  deps: AskDeps;
  planner: QuestionPlanner;
  context: AskContext;
  grantedLens: GrantedLens;
  body: CertifiedRunBody;
}

export async function runCertified(ask: CertifiedAsk, certId: string): Promise<Envelope> {
  const { deps, planner, context, grantedLens, body } = ask;
  const entry = grantedLens.certified.get(certId) ?? grantedLens.suspended.get(certId);
  if (!entry) {
    throw new Problem(
      'not_found',
      `Lens ${grantedLens.name} has no approved certified entry “${certId}”. List them at /v1/lenses/${grantedLens.name}/certified.`,
      { param: 'cert_id' },
    );
  }
  const parameters = validateParameterValues(entry, body.parameters);
  const entryStatus = await determineEntryStatus(deps, grantedLens, entry);
  if (entryStatus.kind === 'doubtful') throw new Problem('conflict', entryStatus.message);
  return runCertifiedEntry(ask, fillQuestion(entry.question, parameters), async () =>
    entryStatus.kind === 'failing'
      ? entryStatus.end
      : createProvenEntryPlan(grantedLens, entry, parameters, body.choices ?? {}, planner.createLimits(context)),
  );
}

export async function runCertifiedByQuestion(ask: CertifiedAsk, question: string): Promise<Envelope> {
  const { deps, planner, context, grantedLens, body } = ask;
  const { match, status } = await planner.findCertifiedMatch(grantedLens, question);
  if (status?.kind === 'doubtful') throw new Problem('conflict', status.message);
  if (status?.kind === 'failing') return runCertifiedEntry(ask, question, async () => status.end);
  if (!match) throw await createNoExactMatchProblem(deps, grantedLens, question);
  const parameters = resolveParameters(match, body);
  return runCertifiedEntry(ask, question, async () => {
    const plan = await createProvenEntryPlan(
      grantedLens,
      match.entry,
      parameters,
      body.choices ?? {},
      planner.createLimits(context),
    );
    if (!isEarlyEnd(plan) && !isProvenMatch(match, plan))
      throw await createNoExactMatchProblem(deps, grantedLens, question);
    return plan;
  });
}

const runCertifiedEntry = (
  { deps, context, grantedLens, body }: CertifiedAsk,
  question: string,
  plan: PreparedAsk['plan'],
) => runGovernedAsk(deps, context, { route: 'certified', question, grantedLens, body, plan });

async function createNoExactMatchProblem(deps: AskDeps, grantedLens: GrantedLens, question: string): Promise<Problem> {
  const nearMisses = await findNearMisses(deps.library, grantedLens, question);
  const details = nearMisses.map((nearMiss) => ({
    ...nearMiss,
    path: 'q',
    code: 'near_miss',
    message: `${nearMiss.cert_id}: ${nearMiss.question} (similarity ${nearMiss.similarity}; ${nearMiss.differs.length > 0 ? `differs in ${nearMiss.differs.join(', ')}` : 'differs only in its wording'})`,
  }));
  return new Problem(
    'no_exact_match',
    `No certified entry matches this question exactly. A match needs the same meaning and a similarity of at least ${deps.exactBand}. Run a similar entry by its cert_id, or ask with query.`,
    { details },
  );
}

/** Returns the parameter values in the question. If the question has none, returns the values in the request. */
function resolveParameters(match: CertifiedMatch, body: CertifiedRunBody): CertifiedMatch['parameters'] {
  if (Object.keys(match.parameters).length === 0) return validateParameterValues(match.entry, body.parameters);
  for (const [name, value] of Object.entries(body.parameters ?? {}))
    if (match.parameters[name] !== value) throw createParameterConflictProblem(name, match.entry);
  return match.parameters;
}

function createParameterConflictProblem(name: string, { parameters }: CertifiedMatch['entry']): Problem {
  const path = `parameters.${name}`;
  const isKnown = Object.hasOwn(parameters, name);
  const message = isKnown
    ? `${path} differs from the value in the question. Leave it out, or change the question.`
    : `${name} is not a parameter of this entry.`;
  const detail = isKnown
    ? { path, code: 'said_twice', message: 'The question gives another value.' }
    : { path, code: 'unknown', message };
  return new Problem('invalid', message, { param: path, details: [detail] });
}
