// "orders of John Smith", if two customers have that name: the answer counts both and says so.

import { datasetOfPath } from '../../../lens/model/join-paths.ts';
import type { Lens, LensDataset } from '../../../lens/model/lens.ts';
import { type Condition, emptyPlan, type LensPlan, rowsOf } from '../../../plan/lens-plan.ts';
import { vocabularyOf } from '../../../reader/words/vocabulary.ts';
import type { Verdict } from '../../outcome.ts';
import { type AnswerCheck, failedWithWarning, passed } from '../check.ts';
import type { Probes } from '../probes.ts';

export const namesDistinct: AnswerCheck = {
  name: 'names_distinct',
  critical: false,
  ofPlan(plan, probes) {
    const named = plan.plan === 'compiled' ? namedThings(plan.granted.lens, plan.lensPlan) : [];
    return named.length > 0 ? lookUp(named, probes) : null;
  },
};

async function lookUp(named: NamedThing[], probes: Probes): Promise<Verdict> {
  const several = await Promise.all(named.map((one) => namesSeveralRows(one, probes)));
  const warnings = named
    .filter((_, at) => several[at])
    .map(({ path, name }) => `Several of ${path.replaceAll('_', ' ')} have the name ${name}; they are combined.`);
  return warnings.length > 0 ? failedWithWarning(warnings.join(' ')) : passed('Every name identifies one thing.');
}

interface NamedThing {
  /** The dataset of the named thing. */
  path: string;
  name: string;
  fields: string[];
  filters: Condition[];
}

function namedThings(lens: Lens, lensPlan: LensPlan): NamedThing[] {
  if (lensPlan.measures.length === 0) return [];
  const named = lensPlan.filters.filter(
    (filter): filter is Condition =>
      'field' in filter && filter.op === '=' && filter.values.length === 1 && !filter.than,
  );
  return [...new Set(named.map(({ field }) => field.path))].flatMap((path) => {
    const dataset = datasetOfPath(lens, path);
    if (!dataset || countsOnly(lensPlan, dataset.name) || !isThing(lens, dataset)) return [];
    const fields = vocabularyOf(lens)
      .display(dataset.name)
      .map(({ name }) => name);
    const own = named.filter(({ field }) => field.path === path);
    const parts = fields.flatMap((one) => own.find(({ field }) => field.field === one)?.values[0] ?? []);
    if (fields.length === 0 || parts.length < fields.length) return [];
    const filters = own.map((one) => ({ ...one, field: { ...one.field, path: dataset.name } }));
    return [{ path: dataset.name, name: parts.join(' '), fields, filters }];
  });
}

async function namesSeveralRows({ path, fields, filters }: NamedThing, probes: Probes): Promise<boolean> {
  const dimensions = fields.map((field) => ({ path, field }));
  const found = await probes.rows({ ...emptyPlan(), rows: path, dimensions, filters, limit: 2 }, 2);
  return found.length > 1;
}

/** Other datasets refer to it by a key that isn't its name. */
const isThing = (lens: Lens, { name, primaryKey }: LensDataset): boolean =>
  primaryKey.length > 0 &&
  lens.relationships.some(({ to }) => to.dataset === name) &&
  !vocabularyOf(lens)
    .display(name)
    .some((field) => primaryKey.includes(field.name));

const countsOnly = ({ measures }: LensPlan, dataset: string): boolean =>
  measures.every((one) => one.fn === 'count' && !one.where && rowsOf(one) === dataset);
