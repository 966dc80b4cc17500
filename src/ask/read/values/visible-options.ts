// Limits the options for an unknown value to those that the caller may see: a list in the lens file can have values of
// hidden rows.
import type { Clarification } from '../../../contract/ask.ts';
import { datasetOfPath } from '../../../lens/model/join-paths.ts';
import { findField } from '../../../lens/model/lens.ts';
import { policiesFor } from '../../../lens/policies/row-policies.ts';
import { emptyPlan } from '../../../plan/lens-plan.ts';
import type { GrantedLens } from '../../outcome.ts';
import { readGoverned } from '../../run/governed-read.ts';
import type { ProbeLimits } from './probe-values.ts';

const MAX_CHECKED = 5_000;

export async function visibleOptions(
  granted: GrantedLens,
  clarification: Clarification,
  limits: ProbeLimits,
): Promise<Clarification> {
  if (clarification.kind !== 'unknown_value' || clarification.options.length === 0) return clarification;
  const at = clarification.term.lastIndexOf('.');
  const [path, name] = [clarification.term.slice(0, at), clarification.term.slice(at + 1)];
  const dataset = datasetOfPath(granted.lens, path);
  if (!dataset || !findField(dataset, name) || policiesFor(granted.lens, dataset.name, granted.caller).length === 0)
    return clarification;
  const lensPlan = { ...emptyPlan(), dimensions: [{ path, field: name }], distinct: true };
  const { rows } = await readGoverned(granted.warehouse, granted.lens, granted.caller, lensPlan, {
    ...limits,
    maxRows: MAX_CHECKED,
  });
  const visible = new Set(rows.map(([cell]) => String(cell)));
  const options = clarification.options.filter(
    (option): option is string => typeof option === 'string' && visible.has(option),
  );
  const shown =
    options.length === 0
      ? 'None of its values is visible to you.'
      : `Visible values: ${options.slice(0, 5).join(', ')}${options.length > 5 ? ' and others' : ''}.`;
  return {
    ...clarification,
    options,
    message: `“${clarification.value}” is not a value of ${clarification.term}. ${shown}`,
  };
}
