// If no caller has the attribute of a row policy, the policy hides every row. The cause is usually a typo.
import { distance } from 'fastest-levenshtein';
import type { ProjectProblem } from '../../lens/files/project-problem.ts';
import type { Project, ProjectLens } from '../../lens/files/read-project.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { findAttributes } from '../../lens/model/sql-words.ts';
import { describeAttributeType } from '../../lens/policies/attribute-values.ts';
import { getAuthoredReader } from '../../lens/policies/authored-reader.ts';
import { inferAttributeTypes } from '../../lens/policies/policy-types.ts';
import { findClosestNames } from '../../platform/closest-names.ts';
import type { AssignedAttribute } from '../identity/caller-repository.ts';

const MAX_TYPO_DISTANCE = 2;
const JSON_TYPE_NAMES = { string: 'text', number: 'a number', boolean: 'true or false' } as const;

export async function findAttributeProblems(
  project: Project,
  { file, problemAt }: ProjectLens,
  lens: Lens | null,
  callerAttributes: AssignedAttribute[],
): Promise<ProjectProblem[]> {
  const names = [...new Set(callerAttributes.map(({ name }) => name))];
  const policyAttributes = project.lenses.flatMap((lens) =>
    lens.file.row_policies.flatMap(({ filter }) => findAttributes(filter)),
  );
  const fields = Object.values(file.datasets).flatMap((dataset) => Object.keys(dataset.fields ?? {}));
  const problems: ProjectProblem[] = [];
  const reader = lens && (await getAuthoredReader(lens));
  for (const [index, { filter }] of file.row_policies.entries()) {
    const filterPath = ['row_policies', index, 'filter'];
    for (const name of new Set(findAttributes(filter))) {
      if (name === 'name' || names.includes(name)) continue;
      const similarAttributes = [...new Set([...names, ...policyAttributes, ...fields, 'name'])].filter((otherName) =>
        isTypo(name, otherName),
      );
      const similarNames =
        similarAttributes.length > 0 ? findClosestNames(name, similarAttributes) : findClosestNames(name, names);
      const suggestion =
        similarNames.length > 0 ? ` Did you mean ${similarNames.map((item) => `{caller.${item}}`).join(' or ')}?` : '';
      const message = `No caller has the attribute "${name}", so this policy hides every row.${suggestion} If the name is right, first set the attribute on a caller.`;
      // The problem is an error only if a caller has an attribute, or if the name resembles another name.
      const severity = names.length > 0 || similarAttributes.length > 0 ? {} : { severity: 'warning' as const };
      problems.push(problemAt(filterPath, 'unknown_attribute', message, severity));
    }
    const policy = lens?.rowPolicies[index];
    if (!policy || !reader) continue;
    for (const { name, type } of inferAttributeTypes(lens, policy, reader)) {
      if (type === null || type === 'any') continue;
      const requiredType = describeAttributeType(type);
      const expectedType =
        requiredType === 'text' || type === 'boolean'
          ? requiredType
          : requiredType.endsWith('number')
            ? 'a number'
            : 'text';
      const wrongAttributes = callerAttributes.filter(
        (item) => item.name === name && JSON_TYPE_NAMES[item.type] !== expectedType,
      );
      for (const { type: givenType, callers } of wrongAttributes) {
        const message = `The attribute "${name}" must be ${requiredType} here, but ${callers === 1 ? 'one caller has' : `${callers} callers have`} it as ${JSON_TYPE_NAMES[givenType]}. svc refuses their questions until you correct it.`;
        problems.push(problemAt(filterPath, 'attribute_type', message, { severity: 'warning' }));
      }
    }
  }
  return problems;
}

const isTypo = (name: string, otherName: string): boolean =>
  name !== otherName &&
  Math.min(name.length, otherName.length) > MAX_TYPO_DISTANCE + 1 &&
  distance(name, otherName) <= MAX_TYPO_DISTANCE;
