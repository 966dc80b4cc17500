// Curators must not change which data a lens can read or who can see it. A property counts as access unless a list
// below names it as meaning. Therefore, only admins can change a property that is in no list.
import { isDeepStrictEqual } from 'node:util';
import type { LensFile } from '../../contract/files/lens-file.ts';
import { findFileKind } from '../../lens/files/read-project.ts';
import { Problem } from '../../platform/problem.ts';
import { readLensFile } from './files/read-files.ts';

const LENS_MEANING_MEMBERS = [
  ...['title', 'description', 'timezone', 'fresh_for', 'metrics', 'definitions', 'sample_questions'],
  ...['filler_words', 'facts'],
];
const DATASET_MEANING_MEMBERS = ['description', 'synonyms', 'time_field'];
const FIELD_MEANING_MEMBERS = ['description', 'synonyms', 'unit', 'aggregation', 'values'];
/** Members that count as access only if the lens has row policies, because policies depend on them. */
const MEANING_MEMBERS_UNLESS_POLICIES = { lens: ['relationships'], dataset: ['primary_key'], field: ['datatype'] };
const CORPUS_KINDS = ['certified', 'evals', 'definitions'];

type AccessProperties = Record<string, unknown>;

/** Throws `forbidden` unless the edit changes only meaning. A later step refuses a file that can't be read. */
export async function requireUnchangedAccess(
  orgId: string,
  filesBefore: Record<string, string>,
  changedFiles: Record<string, string | null>,
): Promise<void> {
  for (const [path, text] of Object.entries(changedFiles)) {
    const fileKind = findFileKind(path);
    if (fileKind !== null && CORPUS_KINDS.includes(fileKind)) continue;
    if (fileKind !== 'lens' || text === null) throw createAdminsOnlyProblem(path);
    const name = path.split('/')[1]!;
    const { value } = await readLensFile(orgId, name, text);
    if (value) await requireSameLensAccess(orgId, name, filesBefore[path] ?? '', value);
  }
}

export async function requireSameLensAccess(
  orgId: string,
  name: string,
  textBefore: string,
  lensAfter: LensFile,
): Promise<void> {
  const liveFile = (await readLensFile(orgId, name, textBefore)).value;
  if (!liveFile) throw createAdminsOnlyProblem(`lenses/${name}/lens.yaml`);
  const hasPolicies = liveFile.row_policies.length > 0;
  const [previous, current] = [
    selectAccessProperties(liveFile, hasPolicies),
    selectAccessProperties(lensAfter, hasPolicies),
  ];
  const changedKey = [...new Set([...Object.keys(previous), ...Object.keys(current)])].find(
    (path) => !isDeepStrictEqual(previous[path], current[path]),
  );
  if (changedKey !== undefined) throw createAdminsOnlyProblem(changedKey);
}

/** The keys are positions in lens.yaml. */
function selectAccessProperties(file: LensFile, hasPolicies: boolean): AccessProperties {
  const pickAccess = (
    object: object,
    meaning: readonly string[],
    level: keyof typeof MEANING_MEMBERS_UNLESS_POLICIES,
  ): AccessProperties =>
    Object.fromEntries(
      Object.entries(object).filter(
        ([key, value]) =>
          value !== undefined &&
          !meaning.includes(key) &&
          (hasPolicies || !MEANING_MEMBERS_UNLESS_POLICIES[level].includes(key)),
      ),
    );
  const { datasets, data_as_of, ...lens } = file;
  const access = pickAccess(lens, LENS_MEANING_MEMBERS, 'lens');
  if (data_as_of && 'sql' in data_as_of) access['data_as_of'] = data_as_of;
  for (const [name, { fields = {}, ...dataset }] of Object.entries(datasets)) {
    access[`datasets.${name}`] = pickAccess(dataset, DATASET_MEANING_MEMBERS, 'dataset');
    for (const [field, fieldObject] of Object.entries(fields))
      access[`datasets.${name}.fields.${field}`] = pickAccess(fieldObject, FIELD_MEANING_MEMBERS, 'field');
  }
  return access;
}

const createAdminsOnlyProblem = (path: string): Problem =>
  new Problem('forbidden', `Only an admin can change ${path}, because it decides what people can see.`);
