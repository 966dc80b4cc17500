// Creates a plan from an approved entry, with unchanged SQL and bound parameters. The approval replaces the checks of
// the plan.
import type { JsonValue } from '../../contract/ask.ts';
import { filledQuestion } from '../../domain/certified/filled-question.ts';
import type { CertifiedEntry } from '../../lens/model/lens.ts';
import { type CertifiedPlan, type GrantedLens, scopeOfStatement } from '../outcome.ts';

export function planCertified(
  granted: GrantedLens,
  entry: CertifiedEntry,
  parameters: Record<string, JsonValue>,
): CertifiedPlan {
  const by = entry.approvedBy ? ` by ${entry.approvedBy}` : '';
  const on = entry.approvedAt ? ` on ${entry.approvedAt}` : '';
  const approval = `Approved${by}${on} as certified entry ${entry.certId}.`;
  const question = filledQuestion(entry.question, parameters);
  return {
    plan: 'certified',
    granted,
    entry,
    parameters,
    units: [],
    read: { by: 'approval', said: approval },
    values: { known: null, said: null, assumed: [] },
    // The guard fills in policies and masks when it applies them to the approved SQL.
    scope: scopeOfStatement(`${question.replace(/[?.!\s]+$/, '')}, as certified.`),
    citations: [{ kind: 'certified', name: entry.certId, lens: granted.name, text: entry.notes ?? entry.question }],
    warnings: [],
  };
}
