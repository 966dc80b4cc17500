// Checks that metrics run: many in one statement, and one by one if that statement fails.
import { guardWithCache } from '../../guard/cached-verdict.ts';
import { createEmptyPlan } from '../../plan/lens-plan.ts';
import { compilePlan } from '../../plan/sql/compile-plan.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import type { ProjectProblem } from '../files/project-problem.ts';
import type { CreateProblem } from '../files/yaml-file.ts';
import { type Lens, type LensMetric, SVC_CALLER } from '../model/lens.ts';
import { governedRelations } from '../policies/governed-relations.ts';
import {
  CHECK_OPTIONS,
  CHECKS_AT_ONCE,
  type CheckedWarehouse,
  captureFailure,
  createProgressReporter,
  type ReportProgress,
} from './checked-warehouse.ts';

const METRICS_PER_STATEMENT = 12;

export async function checkMetrics(
  lens: Lens,
  warehouse: CheckedWarehouse,
  complain: CreateProblem,
  report?: ReportProgress,
): Promise<ProjectProblem[]> {
  const findFailure = (metrics: LensMetric[]) => captureFailure(() => describeMetrics(lens, metrics, warehouse));
  const foundProblems = await mapInParallel(
    batchesByDataset(lens.metrics),
    CHECKS_AT_ONCE,
    async (batch) => {
      if (!(await findFailure(batch))) return [];
      const faults: ProjectProblem[] = [];
      for (const metric of batch) {
        const reason = await findFailure([metric]);
        if (reason)
          faults.push(
            complain(
              ['metrics', metric.name, 'expression'],
              'expression',
              `The metric "${metric.name}" fails in the warehouse: ${reason}`,
            ),
          );
      }
      return faults;
    },
    createProgressReporter(report, 'metrics'),
  );
  return foundProblems.flat();
}

/** Groups metrics by the dataset whose rows they aggregate, so that a batch reads these rows once. */
function batchesByDataset(metrics: readonly LensMetric[]): LensMetric[][] {
  const metricsByDataset = new Map<string | null, LensMetric[]>();
  for (const metric of metrics)
    metricsByDataset.set(metric.home, [...(metricsByDataset.get(metric.home) ?? []), metric]);
  return [...metricsByDataset.values()].flatMap((batch) =>
    Array.from({ length: Math.ceil(batch.length / METRICS_PER_STATEMENT) }, (_, n) =>
      batch.slice(n * METRICS_PER_STATEMENT, (n + 1) * METRICS_PER_STATEMENT),
    ),
  );
}

async function describeMetrics(lens: Lens, metrics: LensMetric[], warehouse: CheckedWarehouse): Promise<void> {
  const plan = { ...createEmptyPlan(), measures: metrics.map(({ name }) => ({ fn: 'metric' as const, metric: name })) };
  const { sql, query, extraColumns } = await compilePlan(lens, plan, SVC_CALLER, { maxRows: 1 });
  const relations = await governedRelations(lens, SVC_CALLER);
  const scope = { dialect: lens.dialect, relations, mode: 'verify', maxRows: null, extraColumns } as const;
  const statement = await guardWithCache(sql, scope, query);
  await warehouse.describe(statement, CHECK_OPTIONS);
}
