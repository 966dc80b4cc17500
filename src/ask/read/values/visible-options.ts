// Limits the options for an unknown value to those that the caller can see, because a list in the lens file can have
// values of hidden rows.
import type { Clarification } from '../../../contract/ask.ts';
import { datasetOfPath } from '../../../lens/model/join-paths.ts';
import { policiesFor } from '../../../lens/policies/row-policies.ts';
import type { GrantedLens } from '../../outcome.ts';
import { type ProbeLimits, readColumn } from './probe-values.ts';

export async function withVisibleOptions(
  grantedLens: GrantedLens,
  clarification: Clarification,
  limits: ProbeLimits,
): Promise<Clarification> {
  if (clarification.kind !== 'unknown_value' || clarification.options.length === 0) return clarification;
  const [, path = '', field = ''] = /^(.*)\.([^.]*)$/.exec(clarification.term) ?? [];
  const dataset = datasetOfPath(grantedLens.lens, path);
  if (!dataset || policiesFor(grantedLens.lens, dataset.name, grantedLens.caller).length === 0) return clarification;
  const visibleValues = new Set((await readColumn(grantedLens, { path, field }, [], limits)).values);
  const options = clarification.options.filter(
    (option): option is string => typeof option === 'string' && visibleValues.has(option),
  );
  const optionsText =
    options.length === 0
      ? 'You can see none of its values.'
      : `Visible values: ${options.slice(0, 5).join(', ')}${options.length > 5 ? ' and others' : ''}.`;
  return {
    ...clarification,
    options,
    message: `“${clarification.value}” is not a value of ${clarification.term}. ${optionsText}`,
  };
}
