// Creates a plan from an approved entry, with unchanged SQL and bound parameters. The approval replaces the checks of
// the plan.
import type { JsonValue } from '../../contract/ask.ts';
import { fillQuestion } from '../../domain/certified/filled-question.ts';
import type { CertifiedEntry } from '../../lens/model/lens.ts';
import { type CertifiedPlan, type GrantedLens, scopeOfStatement } from '../outcome.ts';

export function planCertified(
  grantedLens: GrantedLens,
  entry: CertifiedEntry,
  parameters: Record<string, JsonValue>,
): CertifiedPlan {
  const approverText = entry.approvedBy ? ` by ${entry.approvedBy}` : '';
  const dateText = entry.approvedAt ? ` on ${entry.approvedAt}` : '';
  const approval = `Approved${approverText}${dateText} as certified entry ${entry.certId}.`;
  const question = fillQuestion(entry.question, parameters);
  return {
    plan: 'certified',
    grantedLens,
    entry,
    parameters,
    units: [],
    readingOrigin: { by: 'approval', detail: approval },
    values: { certainty: null, detail: null, assumedValues: [] },
    // The scope gets its policies and masks later, when the guard applies them to the approved SQL.
    scope: scopeOfStatement(`${question.replace(/[?.!\s]+$/, '')}, as certified.`),
    citations: [{ kind: 'certified', name: entry.certId, lens: grantedLens.name, text: entry.notes ?? entry.question }],
    warnings: [],
  };
}
