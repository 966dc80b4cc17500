// Checks that the attributes of a caller have the types that row policies require.
import type { ProblemDetail } from '../../contract/problem.ts';
import { attributeTypeText, mismatchedAttributes } from '../../lens/policies/attribute-values.ts';
import { getAuthoredReader } from '../../lens/policies/authored.ts';
import { appliesTo } from '../../lens/policies/row-policies.ts';
import { Problem } from '../../platform/problem.ts';
import type { ServedLenses } from '../lenses/lens-repository.ts';
import type { Caller } from './caller-repository.ts';

export async function checkAttributes(
  lenses: Pick<ServedLenses, 'list'>,
  orgId: string,
  caller: Pick<Caller, 'name' | 'groups' | 'attributes'>,
): Promise<void> {
  if (Object.keys(caller.attributes).length === 0) return;
  const liveLenses = await lenses.list(orgId, null);
  const problemDetails: ProblemDetail[] = [];
  for (const { name, lens } of liveLenses) {
    const policies = lens.rowPolicies.filter((policy) => appliesTo(policy, caller.groups));
    for (const { policy, attribute, needs } of mismatchedAttributes(
      lens,
      policies,
      caller,
      await getAuthoredReader(lens),
    ))
      problemDetails.push({
        path: `attributes.${attribute}`,
        code: 'attribute_type',
        message:
          needs === null
            ? `The row policy "${policy}" of lens ${name} doesn't determine the type of the attribute "${attribute}". Add a cast to the policy.`
            : `The row policy "${policy}" of lens ${name} needs the attribute "${attribute}" to be ${attributeTypeText(needs)}. Send a value of this type.`,
      });
  }
  if (problemDetails.length === 0) return;
  const faults = [...new Set(problemDetails.map(({ message }) => message))].slice(0, 5).join(' ');
  throw new Problem('invalid', faults, {
    param: problemDetails[0]!.path,
    details: problemDetails,
  });
}
