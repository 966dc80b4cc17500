// Converts a question to a plan: the approved entry that it matches, otherwise the reader's plan, otherwise a model's.
import type { CertifiedLibrary } from '../../domain/certified/certified-library.ts';
import { type AskDeps, type Models, probeLimits } from '../ask-deps.ts';
import type { AskContext } from '../entrances.ts';
import type { Journal } from '../journal.ts';
import { type EarlyEnd, type GrantedLens, isEarlyEnd, type Plan } from '../outcome.ts';
import { LensReplaced } from '../with-lens.ts';
import { standingOf } from './certified-standing.ts';
import { matchCertified } from './match-certified.ts';
import type { ModelReader } from './model/decide.ts';
import { modelContext } from './model/model-context.ts';
import { planWithModel } from './model/plan-with-model.ts';
import { withPreferredOption } from './model/preferred-option.ts';
import { isProvenMatch, planProven } from './plan-proven.ts';
import { type AskedQuestion, planQuestion } from './plan-question.ts';
import type { ProbeLimits } from './values/probe-values.ts';

export interface Turn {
  context: AskContext;
  granted: GrantedLens;
  asked: AskedQuestion;
  journal: Journal;
}

export class QuestionPlanner {
  readonly #deps: AskDeps;

  constructor(deps: AskDeps) {
    this.#deps = deps;
  }

  probe({ signal }: AskContext): ProbeLimits {
    return probeLimits(this.#deps, this.#deps.clock.now(), signal);
  }

  heardBy(journal: Pick<Journal, 'embedderAway'>) {
    return this.#deps.library.telling(() => {
      journal.embedderAway = true;
    });
  }

  /** The approved entry that matches the question, or the reason why it can't run. */
  async certifiedMatch(
    granted: GrantedLens,
    question: string,
    library: Pick<CertifiedLibrary, 'rank'> = this.#deps.library,
  ) {
    const match = await matchCertified(library, this.#deps.exactBand, granted, question);
    const standing = match && (await standingOf(this.#deps, granted, match.entry));
    return { match: standing?.kind === 'sound' ? match : null, standing };
  }

  async certifiedOrPlanned(planRequest: Turn): Promise<Plan | EarlyEnd> {
    const { context, granted, asked, journal } = planRequest;
    if (asked.context?.length) return this.#unapproved(planRequest, null);
    const { match, standing } = await journal.step(
      'match_certified',
      () => this.certifiedMatch(granted, asked.question, this.heardBy(journal)),
      (found) => found.match?.entry.certId ?? (found.standing && `${found.standing.kind}, not run`) ?? 'none',
    );
    if (standing?.kind === 'failing') return standing.end;
    const { choices } = asked;
    const proven = match && (await planProven(granted, match.entry, match.parameters, choices, this.probe(context)));
    if (proven && isProvenMatch(match, proven)) return proven;
    const plan = await this.#unapproved(planRequest, proven && isEarlyEnd(proven) ? proven : null);
    return standing?.kind === 'doubtful' ? addNote(plan, standing.message) : plan;
  }

  async #unapproved(turn: Turn, absent: EarlyEnd | null): Promise<Plan | EarlyEnd> {
    const { granted, asked } = turn;
    const limits = this.probe(turn.context);
    const { models } = this.#deps;
    const planned = await planQuestion(granted, asked, limits);
    if (absent && isEarlyEnd(planned) && planned.end === 'refused') return absent;
    if (!models || !isEarlyEnd(planned)) return planned;
    if (planned.end !== 'refused' && planned.end !== 'clarification') return planned;
    const reader = await this.#modelReader(turn, models);
    if (planned.end === 'refused') return planWithModel(reader, planned);
    return { end: 'clarification', clarification: await withPreferredOption(reader, planned.clarification) };
  }

  async #modelReader({ context, granted, asked, journal }: Turn, models: Models): Promise<ModelReader> {
    const { lenses, clock } = this.#deps;
    // Calls no model for a lens that was replaced in the meantime, because the new version may not need one.
    if (granted.proof && (await lenses.find(granted.orgId, granted.name))?.stamp !== granted.stamp)
      throw new LensReplaced();
    const promptContext = await modelContext(this.heardBy(journal), granted, asked.question, clock.now());
    return { models, journal, granted, asked, context: promptContext, limits: this.probe(context) };
  }
}

/** Adds a note that an approved answer exists and why svc doesn't give it. */
function addNote(plan: Plan | EarlyEnd, note: string): Plan | EarlyEnd {
  if (!isEarlyEnd(plan)) return { ...plan, warnings: [...plan.warnings, note] };
  return plan.end === 'refused' ? { ...plan, message: `${plan.message} ${note}` } : plan;
}
