// Compiles the row policies of a lens file. Resolves the fields that the policies read, including fields of datasets
// that many-to-one joins reach.

import type { LensFile } from '../../contract/files/lens-file.ts';
import { findDialect } from '../../dialects/dialects.ts';
import { listNodes } from '../../dialects/nodes.ts';
import { analyzeExpression, readSingleExpression } from '../../guard/analyze-expression.ts';
import { createUnknownNameMessage } from '../../platform/closest-names.ts';
import type { ProblemReporter } from '../files/yaml-file.ts';
import { findDatasetOfPath, findPath, isDatasetOrRole, listReachablePaths } from '../model/join-paths.ts';
import type { PolicyJoin, RowPolicy } from '../model/lens.ts';
import { findUnknownBrace, replaceAttributes } from '../model/sql-words.ts';
import { findBarrierFault } from '../policies/row-policies.ts';
import { checkFieldReferences, type FaultReporter, type ModelWithDialect } from './compile-metrics.ts';

export async function compilePolicies(
  file: LensFile,
  model: ModelWithDialect,
  add: ProblemReporter,
): Promise<RowPolicy[]> {
  const names = Object.keys(file.datasets);
  const seenNames = new Set<string>();
  const compiledPolicies: RowPolicy[] = [];
  for (const [index, { name, dataset, filter, groups }] of file.row_policies.entries()) {
    const policy: RowPolicy = { name, dataset, filter, groups, unlisted: [] };
    compiledPolicies.push(policy);
    const report =
      (key: string): FaultReporter =>
      (code, message) =>
        add(['row_policies', index, key], code, message);
    if (seenNames.has(name)) report('name')('duplicate', `Two row policies are named "${name}".`);
    seenNames.add(name);
    const fault = findBarrierFault(findDialect(model.dialect), filter);
    if (fault) report('filter')('unsupported', fault);
    else if (names.includes(dataset)) await resolveFilter(policy, model, report('filter'));
    else report('dataset')('unknown_name', createUnknownNameMessage('dataset', dataset, names));
  }
  return compiledPolicies;
}

async function resolveFilter(policy: RowPolicy, model: ModelWithDialect, report: FaultReporter): Promise<void> {
  const analysis = await analyzeExpression(
    model.dialect,
    replaceAttributes(policy.filter, () => "''"),
  );
  if (analysis.fault) return report('expression', describeUnreadableFilter(policy.filter, analysis.fault));
  const quotedAttribute = await findQuotedAttribute(policy.filter, model);
  if (quotedAttribute)
    return report(
      'invalid',
      `The filter compares with the text "${quotedAttribute}", not with the attribute. Write ${quotedAttribute} without quotes. To match a part of a string, join the parts: '%' || ${quotedAttribute} || '%'.`,
    );
  if (analysis.aggregates.length > 0)
    return report('invalid', "A row policy applies to single rows, so it can't aggregate.");
  const listedColumns: string[][] = [];
  const joins = new Map<string, PolicyJoin>();
  for (const parts of analysis.columns) {
    const [path = '', name = ''] = parts;
    if (parts.length !== 2 || !isDatasetOrRole(model, path)) {
      report(
        'invalid',
        `A row policy can use fields of its own dataset, as ${policy.dataset}.field, and of datasets that are reachable through many-to-one joins. The policy can't use ${parts.join('.')}.`,
      );
      continue;
    }
    const isOwnPath = path === policy.dataset;
    if (!isOwnPath && !requireManyToOne(policy, path, model, report)) continue;
    const join = joins.get(path) ?? { path, fields: [], unlisted: [] };
    if (!isOwnPath) joins.set(path, join);
    // A policy can also read source columns that aren't fields, because callers don't see the values that a policy
    // reads. The check against the warehouse reports unknown columns.
    const { fields } = findDatasetOfPath(model, path)!;
    const field = fields.find((field) => field.name.toLowerCase() === name.toLowerCase());
    if (field) listedColumns.push(parts);
    if (field && !join.fields.includes(field.name)) join.fields.push(field.name);
    else if (!field) (isOwnPath ? policy.unlisted! : join.unlisted).push(name);
  }
  checkFieldReferences(model, listedColumns, report, () => true);
  if (joins.size > 0) policy.joins = [...joins.values()];
}

function describeUnreadableFilter(filter: string, fault: string): string {
  const brace = findUnknownBrace(filter);
  return brace === null
    ? `The filter can't be read: ${fault}`
    : `The filter can't be read at "${brace}". In braces, write an attribute of the caller, like {caller.region} or {caller.name}.`;
}

const ATTRIBUTE_MARK = '{caller.}';
/** Returns an attribute inside a literal or a quoted name, where the engine would read the braces as text. */
async function findQuotedAttribute(filter: string, { dialect }: ModelWithDialect): Promise<string | null> {
  const expression = await readSingleExpression(
    dialect,
    replaceAttributes(filter, () => `'${ATTRIBUTE_MARK}'`),
  );
  const texts = [...(expression ? listNodes(expression) : [])].flatMap(
    (node) => Object.values(node).flat() as unknown[],
  );
  const quoted = texts.filter((text) => typeof text === 'string' && text !== ATTRIBUTE_MARK).join(' ');
  return quoted.match(/\{\s*caller\.\w*\s*\}/)?.[0] ?? null;
}

/** Reports joins that aren't many to one. If several rows were joined, some could match the policy and others not. */
function requireManyToOne(policy: RowPolicy, path: string, model: ModelWithDialect, report: FaultReporter): boolean {
  const pathResult = findPath(model, policy.dataset, path);
  if (pathResult.kind === 'path') return true;
  const reachableDatasets = listReachablePaths(model, policy.dataset).filter((name) => name !== policy.dataset);
  if (pathResult.kind === 'ambiguous')
    report(
      'ambiguous',
      `Several paths lead from ${policy.dataset} to ${path}. Name the role: ${pathResult.choices.join(' or ')}.`,
    );
  else
    report(
      'invalid',
      `${path} is not reachable from ${policy.dataset} through many-to-one joins. Use only fields of ${[policy.dataset, ...reachableDatasets].join(', ')}.`,
    );
  return false;
}
