// Runs certified entries, selected by id or by a question that matches exactly.
import type { CertifiedRunBody, Envelope } from '../contract/ask.ts';
import { filledQuestion } from '../domain/certified/filled-question.ts';
import { bindParameters } from '../domain/certified/parameters.ts';
import { Problem } from '../platform/problem.ts';
import type { AskDeps } from './ask-deps.ts';
import { type AskContext, formatOf } from './entrances.ts';
import { type GrantedLens, isEarlyEnd } from './outcome.ts';
import { governedAsk, type PreparedAsk } from './pipeline.ts';
import { standingOf } from './read/certified-standing.ts';
import { type CertifiedMatch, nearMisses } from './read/match-certified.ts';
import { isProvenMatch, planProven } from './read/plan-proven.ts';
import type { QuestionPlanner } from './read/question-planner.ts';

interface CertifiedAsk {
  deps: AskDeps;
  planner: QuestionPlanner;
  context: AskContext;
  granted: GrantedLens;
  body: CertifiedRunBody;
}

export async function runCertified(ask: CertifiedAsk, certId: string): Promise<Envelope> {
  const { deps, planner, context, granted, body } = ask;
  const entry = granted.certified.get(certId) ?? granted.suspended.get(certId);
  if (!entry) {
    throw new Problem(
      'not_found',
      `Lens ${granted.name} has no approved certified entry “${certId}”. List them at /v1/lenses/${granted.name}/certified.`,
      { param: 'cert_id' },
    );
  }
  const parameters = bindParameters(entry, body.parameters);
  const standing = await standingOf(deps, granted, entry);
  if (standing.kind === 'doubtful') throw new Problem('conflict', standing.message);
  return runEntry(ask, filledQuestion(entry.question, parameters), async () =>
    standing.kind === 'failing'
      ? standing.end
      : planProven(granted, entry, parameters, body.choices ?? {}, planner.probe(context)),
  );
}

export async function runCertifiedByQuestion(ask: CertifiedAsk, question: string): Promise<Envelope> {
  const { deps, planner, context, granted, body } = ask;
  const { match, standing } = await planner.certifiedMatch(granted, question);
  if (standing?.kind === 'doubtful') throw new Problem('conflict', standing.message);
  if (standing?.kind === 'failing') return runEntry(ask, question, async () => standing.end);
  if (!match) throw await noExactMatch(deps, granted, question);
  const parameters = parametersOf(match, body);
  return runEntry(ask, question, async () => {
    const plan = await planProven(granted, match.entry, parameters, body.choices ?? {}, planner.probe(context));
    if (!isEarlyEnd(plan) && !isProvenMatch(match, plan)) throw await noExactMatch(deps, granted, question);
    return plan;
  });
}

const runEntry = ({ deps, context, granted, body }: CertifiedAsk, question: string, plan: PreparedAsk['plan']) =>
  governedAsk(deps, context, {
    ...{ route: 'certified', question, granted, plan },
    format: formatOf(body.format),
    dryRun: false,
    onRequest: body,
  });

async function noExactMatch(deps: AskDeps, granted: GrantedLens, question: string): Promise<Problem> {
  const misses = await nearMisses(deps.library, granted, question);
  const details = misses.map((miss) => ({
    ...miss,
    path: 'q',
    code: 'near_miss',
    message: `${miss.cert_id}: ${miss.question} (similarity ${miss.similarity}; differs in ${miss.differs.join(', ') || 'no similar entry'})`,
  }));
  return new Problem(
    'no_exact_match',
    `No certified entry matches this question exactly: none reaches a similarity of ${deps.exactBand} with the same meaning. Run a similar entry by its cert_id, or ask with query.`,
    { details },
  );
}

/** The parameters in the question, otherwise those of the request. */
function parametersOf(match: CertifiedMatch, body: CertifiedRunBody): CertifiedMatch['parameters'] {
  if (Object.keys(match.parameters).length === 0) return bindParameters(match.entry, body.parameters);
  for (const [name, value] of Object.entries(body.parameters ?? {}))
    if (match.parameters[name] !== value)
      throw new Problem('invalid', `The question already has the value of ${name}. Leave out parameters.${name}.`, {
        param: `parameters.${name}`,
        details: [{ path: `parameters.${name}`, code: 'said_twice', message: 'The question already has this value.' }],
      });
  return match.parameters;
}
