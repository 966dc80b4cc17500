// If "orders of John Smith" matches two customers with this name, the answer counts both and states this.

import { datasetOfPath } from '../../../lens/model/join-paths.ts';
import type { Lens, LensDataset } from '../../../lens/model/lens.ts';
import { type Condition, createEmptyPlan, type LensPlan, rowsOf } from '../../../plan/lens-plan.ts';
import { getVocabulary } from '../../../reader/words/vocabulary.ts';
import type { Verdict } from '../../outcome.ts';
import { type AnswerCheck, passVerdict, warningVerdict } from '../check.ts';
import type { Probes } from '../probes.ts';

export const namesDistinctCheck: AnswerCheck = {
  name: 'names_distinct',
  critical: false,
  checkPlan(plan, probes) {
    const namedEntities = plan.plan === 'compiled' ? namedEntitiesIn(plan.grantedLens.lens, plan.lensPlan) : [];
    return namedEntities.length > 0 ? checkNames(namedEntities, probes) : null;
  },
};

async function checkNames(namedEntities: NamedEntity[], probes: Probes): Promise<Verdict> {
  const hasSeveralRows = await Promise.all(namedEntities.map((item) => namesSeveralRows(item, probes)));
  const warnings = namedEntities
    .filter((_, index) => hasSeveralRows[index])
    .map(
      ({ path, name }) => `Several ${path.replaceAll('_', ' ')} have the name ${name}. The answer combines their rows.`,
    );
  return warnings.length > 0 ? warningVerdict(warnings.join(' ')) : passVerdict('Each name belongs to only one row.');
}

interface NamedEntity {
  path: string;
  name: string;
  fields: string[];
  filters: Condition[];
}

function namedEntitiesIn(lens: Lens, lensPlan: LensPlan): NamedEntity[] {
  const equalityConditions = lensPlan.filters.filter(
    (filter): filter is Condition =>
      'field' in filter && filter.op === '=' && filter.values.length === 1 && !filter.than,
  );
  return [...new Set(equalityConditions.map(({ field }) => field.path))].flatMap((path) => {
    const dataset = datasetOfPath(lens, path);
    if (!dataset || keepsRowsSeparate(lensPlan, dataset.name) || !isEntity(lens, dataset)) return [];
    const fields = getVocabulary(lens)
      .displayFieldsOf(dataset.name)
      .map(({ name }) => name);
    const datasetConditions = equalityConditions.filter(({ field }) => field.path === path);
    const parts = fields.flatMap(
      (item) => datasetConditions.find(({ field }) => field.field === item)?.values[0] ?? [],
    );
    if (parts.length === 0) return [];
    const filters = datasetConditions.map((item) => ({ ...item, field: { ...item.field, path: dataset.name } }));
    return [{ path: dataset.name, name: parts.join(' '), fields, filters }];
  });
}

async function namesSeveralRows({ path, fields, filters }: NamedEntity, probes: Probes): Promise<boolean> {
  const dimensions = fields.map((field) => ({ path, field }));
  const matchingRows = await probes.fetchRows({ ...createEmptyPlan(), rows: path, dimensions, filters, limit: 2 }, 2);
  return matchingRows.length > 1;
}

/** Whether other datasets refer to the dataset by a key that isn't one of its name fields. */
const isEntity = (lens: Lens, { name, primaryKey }: LensDataset): boolean =>
  primaryKey.length > 0 &&
  lens.relationships.some(({ to }) => to.dataset === name) &&
  !getVocabulary(lens)
    .displayFieldsOf(name)
    .some((field) => primaryKey.includes(field.name));

/**
 * Whether the plan counts or lists the rows of the dataset itself. Two of these rows with the same name remain
 * separate.
 */
const keepsRowsSeparate = ({ measures, rows }: LensPlan, dataset: string): boolean =>
  measures.length === 0
    ? rows === dataset
    : measures.every((measure) => measure.fn === 'count' && !measure.where && rowsOf(measure) === dataset);
