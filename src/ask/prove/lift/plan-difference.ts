// Describes the first difference between a statement and its nearest plan.
import type { Expression } from '../../../dialects/tree.ts';
import type { Meaning } from './meaning.ts';
import { writeExpressionText } from './no-plan-reason.ts';

const MEANING_PARTS: [name: string, read: (meaning: Meaning) => ReadonlyMap<string, Expression>][] = [
  ['the column', ({ items }) => new Map(items.map(({ text, value }) => [text, value]))],
  ['the condition', ({ where }) => where],
  ['the group', ({ group }) => group ?? new Map()],
  ['the condition on groups', ({ having }) => having],
  ['the condition on windows', ({ qualify }) => qualify],
];

export function describeDifference(statement: Meaning, plan: Meaning): string {
  const [rows, planRows] = [statement.mainSource.dataset.name, plan.mainSource.dataset.name];
  if (rows !== planRows)
    return `The nearest plan differs: the statement reads rows of ${rows}, and the plan reads rows of ${planRows}.`;
  for (const [name, read] of MEANING_PARTS) {
    const [inStatement, inPlan] = [missingFrom(read(plan), read(statement)), missingFrom(read(statement), read(plan))];
    if (inStatement === inPlan) continue;
    const sides = [
      inStatement && `only the statement has ${name} ${inStatement}`,
      inPlan && `only the plan has ${name} ${inPlan}`,
    ];
    return `The nearest plan differs: ${sides.filter(Boolean).join(', and ')}.`;
  }
  return 'The nearest plan has another meaning.';

  /** Returns the first part that `others` doesn't contain. */
  function missingFrom(others: ReadonlyMap<string, Expression>, parts: ReadonlyMap<string, Expression>): string | null {
    const part = [...parts].find(([text]) => !others.has(text));
    return part ? writeExpressionText(statement.dialect, part[1]) : null;
  }
}
