// Checks that fields and metrics run, and that fields have their declared types. One statement checks many fields of a
// dataset or many metrics. If the statement fails, svc checks each field or metric separately, so that every error
// names its field or metric.
import type { Datatype } from '../../contract/warehouse.ts';
import { findDialect } from '../../dialects/dialects.ts';
import { bindPlan } from '../../plan/bind/bind-plan.ts';
import { createEmptyPlan } from '../../plan/lens-plan.ts';
import { compilePlan } from '../../plan/sql/compile-plan.ts';
import { Problem } from '../../platform/problem.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import type { ProjectProblem } from '../files/project-problem.ts';
import { type Lens, type LensDataset, type LensField, type LensMetric, SVC_CALLER } from '../model/lens.ts';
import { formatTableName, toSqlName } from '../model/sql-name.ts';
import { guardCompiledSql, guardStatementOverLens } from '../policies/governed-relations.ts';
import {
  CHECK_OPTIONS,
  catchErrorMessage,
  createProgressReporter,
  type LensCheck,
  MAX_CONCURRENT_CHECKS,
  READ_OPTIONS,
  TYPE_FAMILIES,
} from './checked-warehouse.ts';

const FIELDS_PER_STATEMENT = 300; // an engine takes seconds to parse a statement with thousands of fields
const METRICS_PER_STATEMENT = 12;
/** The time limit for checking that a date column has no times of day, because its table can be large. */
const TIMES_CHECK_TIMEOUT_MS = 5_000;

export async function checkFields(check: LensCheck): Promise<ProjectProblem[]> {
  const { lens, problemAt, report } = check;
  const foundProblems = await mapInParallel(
    lens.datasets,
    MAX_CONCURRENT_CHECKS,
    async (dataset) => {
      const types = new Map<LensField, Datatype>();
      const fields = dataset.fields.filter((field) => field.expression || !field.masked);
      const failures = await findFailures(splitIntoBatches(fields, FIELDS_PER_STATEMENT), async (batch) => {
        for (const [index, type] of (await fetchTypes(check, dataset, batch)).entries()) types.set(batch[index]!, type);
      });
      const problems: ProjectProblem[] = [];
      for (const field of fields) {
        const fieldPath = ['datasets', dataset.name, 'fields', field.name];
        const reason = failures.get(field);
        const actual = types.get(field);
        if (reason) {
          const message = `The field "${field.name}" fails in the warehouse: ${reason}`;
          problems.push(problemAt([...fieldPath, ...(field.expression ? ['expression'] : [])], 'expression', message));
          continue;
        }
        const message =
          describeMismatch(lens, dataset, field, actual) ?? (await describeTimesOfDay(check, dataset, field, actual));
        if (message) problems.push(problemAt([...fieldPath, 'datatype'], 'datatype', message));
      }
      return problems;
    },
    createProgressReporter(report, 'fields'),
  );
  return foundProblems.flat();
}

function describeMismatch(
  { dialect, timezone }: Lens,
  dataset: LensDataset,
  { name, datatype }: LensField,
  actual?: Datatype,
): string | null {
  const lacksZone = datatype === 'datetimetz' && timezone !== 'UTC';
  if (lacksZone && actual === 'date')
    return `${dataset.name}.${name} is declared as datetimetz, but is date in the warehouse. A date has no time zone. Declare date.`;
  if (lacksZone && actual === 'datetime' && findDialect(dialect).compiling.readsPlainTimesAsLocal)
    return `${dataset.name}.${name} is declared as datetimetz, but has no time zone in the warehouse. If its times are UTC, add expression: ${name} at time zone 'UTC'. If they are local times, declare datetime.`;
  if (!actual || TYPE_FAMILIES[actual] === TYPE_FAMILIES[datatype]) return null;
  const isText = TYPE_FAMILIES[actual] === 'text' && TYPE_FAMILIES[datatype] === 'time';
  const hint = isText
    ? ` If its strings are dates, add expression: cast(${name} as ${datatype === 'date' ? 'date' : 'timestamp'}).`
    : '';
  return `${dataset.name}.${name} is declared as ${datatype}, but is ${actual} in the warehouse.${hint}`;
}

/**
 * Describes times of day in a column that the lens declares as date, because svc compares the column with days. If the
 * check takes too long, svc assumes that the column has no times of day.
 */
async function describeTimesOfDay(
  { lens, warehouse }: LensCheck,
  dataset: LensDataset,
  field: LensField,
  actual?: Datatype,
): Promise<string | null> {
  if (field.datatype !== 'date' || (actual !== 'datetime' && actual !== 'datetimetz')) return null;
  const fields = dataset.fields.map((item) => (item === field ? { ...item, datatype: actual, masked: false } : item));
  const datasets = lens.datasets.map((item) => (item === dataset ? { ...item, fields } : item));
  const lensWithTimes = { ...lens, datasets };
  const body = {
    measures: [{ fn: 'count' as const, rows: dataset.name }],
    filters: [{ field: `${dataset.name}.${field.name}.hour`, op: '>' as const, values: [0] }],
  };
  const plan = bindPlan(lensWithTimes, body, new Date());
  const compiledQuery = await compilePlan(lensWithTimes, plan, SVC_CALLER, { maxRows: 1 });
  const statement = await guardCompiledSql(lensWithTimes, SVC_CALLER, compiledQuery);
  const options = { ...READ_OPTIONS, timeoutMs: TIMES_CHECK_TIMEOUT_MS };
  const rows = await warehouse.fetch(statement, options).then(
    (result) => result.rows,
    (error: unknown) => {
      if (error instanceof Problem && error.code === 'timeout') return [];
      throw error;
    },
  );
  const name = `${dataset.name}.${field.name}`;
  return Number(rows[0]?.[0] ?? 0) > 0
    ? `${name} is declared as date, but its values have times of day, so a comparison with a day would miss rows. Declare ${actual}, or add expression: cast(${field.name} as date).`
    : null;
}

async function fetchTypes(
  { lens, warehouse }: LensCheck,
  dataset: LensDataset,
  fields: LensField[],
): Promise<Datatype[]> {
  const unmaskedFields = fields.map((field) => ({ ...field, masked: false }));
  const datasetLens = { ...lens, datasets: [{ ...dataset, fields: unmaskedFields }] };
  const names = fields.map(({ name }) => toSqlName(lens.dialect, name));
  const sql = `select ${names.join(', ')} from ${formatTableName(lens.dialect, dataset.source)}`;
  const statement = await guardStatementOverLens(datasetLens, SVC_CALLER, sql, { mode: 'govern', maxRows: 1 });
  return (await warehouse.describe(statement, CHECK_OPTIONS)).map(({ datatype }) => datatype);
}

export async function checkMetrics(check: LensCheck): Promise<ProjectProblem[]> {
  const { lens, problemAt, report } = check;
  // Each batch has only metrics of one dataset, so that its statement reads the rows of the dataset once.
  const homes = [...new Set(lens.metrics.map(({ home }) => home))];
  const metricsOf = (home: string | null) => lens.metrics.filter((metric) => metric.home === home);
  const foundProblems = await mapInParallel(
    homes.flatMap((home) => splitIntoBatches(metricsOf(home), METRICS_PER_STATEMENT)),
    MAX_CONCURRENT_CHECKS,
    async (batch) => {
      const failures = await findFailures([batch], (metrics) => describeMetrics(check, metrics));
      return [...failures].map(([{ name }, reason]) =>
        problemAt(
          ['metrics', name, 'expression'],
          'expression',
          `The metric "${name}" fails in the warehouse: ${reason}`,
        ),
      );
    },
    createProgressReporter(report, 'metrics'),
  );
  return foundProblems.flat();
}

async function describeMetrics({ lens, warehouse }: LensCheck, metrics: LensMetric[]): Promise<void> {
  const plan = { ...createEmptyPlan(), measures: metrics.map(({ name }) => ({ fn: 'metric' as const, metric: name })) };
  const compiledQuery = await compilePlan(lens, plan, SVC_CALLER, { maxRows: 1 });
  await warehouse.describe(await guardCompiledSql(lens, SVC_CALLER, compiledQuery), CHECK_OPTIONS);
}

const splitIntoBatches = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));

/** Checks each item of a failed batch separately, and returns the error of each item that fails. */
async function findFailures<T>(batches: T[][], run: (batch: T[]) => Promise<void>): Promise<Map<T, string>> {
  const failures = new Map<T, string>();
  for (const batch of batches) {
    if (!(await catchErrorMessage(() => run(batch)))) continue;
    for (const item of batch) {
      const reason = await catchErrorMessage(() => run([item]));
      if (reason) failures.set(item, reason);
    }
  }
  return failures;
}
