// What lowers the grade of an intent that compiles: measures that say nothing as they are taken together, and names that
// several things bear.
import { doubtfulMeasures } from '../lens/doubtful-measures.ts';
import { type Condition, emptyIntent, type Intent } from '../lens/intent.ts';
import { datasetOfPath } from '../lens/join-paths.ts';
import type { LensDataset } from '../lens/lens.ts';
import { vocabularyOf } from '../planner/vocabulary.ts';
import type { ProbeLimits } from './check-values.ts';
import { readGoverned } from './governed-read.ts';
import type { GrantedLens } from './outcome.ts';

export async function doubtsOf(granted: GrantedLens, intent: Intent, limits: ProbeLimits): Promise<string[]> {
  return [...doubtfulMeasures(granted.lens, intent), ...(await namesakes(granted, intent, limits))];
}

/** "orders of John Smith", where two customers are called so: both are counted, and the answer says it. */
async function namesakes(granted: GrantedLens, intent: Intent, limits: ProbeLimits): Promise<string[]> {
  const { lens } = granted;
  if (intent.measures.length === 0) return [];
  const named = intent.filters.filter(
    (filter): filter is Condition =>
      filter.kind === 'condition' && filter.op === '=' && filter.values.length === 1 && !filter.than,
  );
  const said: string[] = [];
  for (const path of new Set(named.map(({ field }) => field.path))) {
    const dataset = datasetOfPath(lens, path);
    if (!dataset || countsOnly(intent, dataset.name) || !isThing(granted, dataset)) continue;
    const names = vocabularyOf(lens)
      .display(dataset.name)
      .map(({ name }) => name);
    const own = named.filter(({ field }) => field.path === path);
    if (names.length === 0 || !names.every((name) => own.some(({ field }) => field.field === name))) continue;
    const filters = own.map((one) => ({ ...one, field: { ...one.field, path: dataset.name } }));
    const dimensions = names.map((field) => ({ path: dataset.name, field }));
    const { rows } = await readGoverned(
      granted.warehouse,
      lens,
      granted.asker,
      { ...emptyIntent(), home: dataset.name, dimensions, filters, limit: 2 },
      { ...limits, maxRows: 2 },
    );
    const name = names.map((one) => own.find(({ field }) => field.field === one)!.values[0]).join(' ');
    if (rows.length > 1)
      said.push(`Several of ${dataset.name.replaceAll('_', ' ')} are called ${name}; they are taken together.`);
  }
  return said;
}

/** Rows of it are told apart by a key that other datasets refer to, and not by their name. */
const isThing = ({ lens }: GrantedLens, { name, primaryKey }: LensDataset): boolean =>
  primaryKey.length > 0 &&
  lens.relationships.some(({ to }) => to.dataset === name) &&
  !vocabularyOf(lens)
    .display(name)
    .some((field) => primaryKey.includes(field.name));

const countsOnly = ({ measures }: Intent, dataset: string): boolean =>
  measures.every((one) => one.kind === 'aggregate' && one.fn === 'count' && one.path === dataset);
