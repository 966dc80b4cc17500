// Compiles lens.yaml and the shared semantic files into an immutable lens, or reports all problems.

import type { DatasetFile, DefinitionFile } from '../../contract/files/lens-file.ts';
import type { DialectName } from '../../contract/warehouse.ts';
import { loadDialect } from '../../dialects/dialects.ts';
import { analyzeExpression } from '../../guard/analyze-expression.ts';
import { findDefinitionFaults } from '../files/definition-faults.ts';
import type { ProjectProblem } from '../files/project-problem.ts';
import type { ProjectLens } from '../files/read-project.ts';
import type { ProblemReporter } from '../files/yaml-file.ts';
import { compileFacts } from '../model/facts.ts';
import type { Lens, RowPolicy } from '../model/lens.ts';
import { compileDatasets, compileRelationships } from './compile-datasets.ts';
import { checkFieldReferences, compileMetrics, type ModelWithDialect, requireDate } from './compile-metrics.ts';
import { compilePolicies } from './compile-policies.ts';
import { compileDefinition, findSharedDefinitionFault, findTargetFaults } from './shared-definitions.ts';

export interface CompileContext {
  definitions: DefinitionFile[];
  entities: Record<string, DatasetFile>;
  dialect: DialectName;
}

export interface CompiledLens {
  /** Null if the problems include an error. */
  lens: Lens | null;
  problems: ProjectProblem[];
  /** The reasons why the lens can't use shared terms, by the index of the term. */
  unusedTerms: Map<number, string>;
}

export async function compileLens(
  source: Pick<ProjectLens, 'file' | 'problemAt'>,
  { definitions, entities, dialect }: CompileContext,
): Promise<CompiledLens> {
  await loadDialect(dialect);
  const { file, problemAt } = source;
  const problems: ProjectProblem[] = [];
  const add: ProblemReporter = (...args) => void problems.push(problemAt(...args));
  const datasets = compileDatasets(file, entities, add);
  const relationships = compileRelationships(file, datasets, add);
  const model: ModelWithDialect = { dialect, datasets, relationships };
  await checkFieldExpressions(model, add);
  const metrics = await compileMetrics(file, model, add);
  const metricNames = Object.keys(file.metrics);
  const dataAsOf = file.data_as_of ?? null;
  if (dataAsOf && 'field' in dataAsOf) {
    const report = (code: string, message: string) => add(['data_as_of', 'field'], code, message);
    checkFieldReferences(model, [dataAsOf.field.split('.')], report);
    requireDate(model, splitFieldPath(dataAsOf.field), report);
  }
  const facts = compileFacts(file.facts, { datasets, relationships }, add);
  const { definitions: ownAndShared, unusedTerms } = await compileDefinitions(
    { own: file.definitions, shared: definitions },
    metricNames,
    model,
    add,
  );
  const lens: Lens = {
    name: file.name,
    title: file.title ?? file.name,
    description: file.description ?? '',
    connection: file.connection,
    dialect,
    model: file.model ?? null,
    maxRowsToCompose: file.max_rows_to_compose,
    maxRowsToReturn: file.max_rows_to_return,
    timezone: file.timezone,
    dataAsOf: dataAsOf && 'field' in dataAsOf ? { field: splitFieldPath(dataAsOf.field) } : dataAsOf,
    freshFor: file.fresh_for ?? null,
    datasets,
    relationships,
    metrics,
    definitions: ownAndShared,
    rowPolicies: await compilePolicies(file, model, add),
    sampleQuestions: file.sample_questions,
    ...(file.filler_words.length > 0 && { fillerWords: file.filler_words }),
    ...(facts.length > 0 && { facts }),
  };
  for (const policy of lens.rowPolicies) keepFileValuesOnly(lens, policy);
  if (lens.freshFor && !lens.dataAsOf)
    add(
      ['fresh_for'],
      'no_data_date',
      'svc can compare the age of the data with fresh_for only if the lens has data_as_of. Until then, no answer is verified. Add data_as_of, or remove fresh_for.',
      { severity: 'warning' },
    );
  return { lens: problems.some(({ severity }) => severity === 'error') ? null : lens, problems, unusedTerms };
}

/** Keeps only the values that the file lists, because stored values would reveal what a policy or a mask hides. */
function keepFileValuesOnly(lens: Lens, policy: RowPolicy): void {
  const dataset = lens.datasets.find(({ name }) => name === policy.dataset);
  for (const field of dataset?.fields ?? [])
    if (policy.filter.includes(field.name)) field.dictionaryFromWarehouse = false;
}

async function checkFieldExpressions(model: ModelWithDialect, add: ProblemReporter): Promise<void> {
  for (const dataset of model.datasets)
    for (const field of dataset.fields) {
      if (!field.expression) continue;
      const analysis = await analyzeExpression(model.dialect, field.expression);
      const reportProblem = (message: string) =>
        add(['datasets', dataset.name, 'fields', field.name, 'expression'], 'expression', message);
      if (analysis.fault) reportProblem(`The expression of "${field.name}" can't be read: ${analysis.fault}`);
      else if (analysis.aggregates.length > 0)
        reportProblem('A field is computed for each row. Move the aggregate into a metric.');
      else if (analysis.columns.some((parts) => parts.length > 1))
        reportProblem(
          "A field expression can use only columns of its dataset's source, without a prefix. To use fields of another dataset in plans, declare a relationship.",
        );
    }
}

async function compileDefinitions(
  { own, shared }: { own: DefinitionFile[]; shared: DefinitionFile[] },
  metrics: string[],
  model: ModelWithDialect,
  add: ProblemReporter,
): Promise<Pick<Lens, 'definitions'> & Pick<CompiledLens, 'unusedTerms'>> {
  for (const { at, code, message } of findDefinitionFaults(own)) add(['definitions', ...at], code, message);
  for (const [index, definition] of own.entries())
    for (const { at, code, message } of await findTargetFaults(definition, metrics, model))
      add(['definitions', index, ...at], code, message);
  const unusedTerms = new Map<number, string>();
  const usableShared: DefinitionFile[] = [];
  for (const [index, definition] of shared.entries()) {
    const ownIndex = own.findIndex(({ term }) => term.toLowerCase() === definition.term.toLowerCase());
    const fault = ownIndex < 0 ? await findSharedDefinitionFault(definition, metrics, model) : null;
    if (ownIndex >= 0)
      add(
        ['definitions', ownIndex, 'term'],
        'duplicate',
        `"${definition.term}" is also a shared term. This lens uses its own definition. Remove or rename one of them.`,
        { severity: 'warning' },
      );
    else if (fault === null) usableShared.push(definition);
    else unusedTerms.set(index, fault);
  }
  return {
    definitions: [
      ...own.map(compileDefinition),
      ...usableShared.map((definition) => ({ ...compileDefinition(definition), shared: 'file' as const })),
    ],
    unusedTerms,
  };
}

const splitFieldPath = (path: string): { dataset: string; field: string } => {
  const [dataset = '', field = ''] = path.split('.');
  return { dataset, field };
};
