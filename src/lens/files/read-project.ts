// Turns a map from path to text into a project. Validates the files against their schemas and against one another, and
// reports all problems together.
import type { BoardFile } from '../../contract/files/board-file.ts';
import type { ConfigFile } from '../../contract/files/config-file.ts';
import type { CertifiedEntryFile, EvalCaseFile } from '../../contract/files/corpus-files.ts';
import {
  type DefinitionFile,
  type EntitiesFile,
  type LensFile,
  MODEL_ENTRIES,
} from '../../contract/files/lens-file.ts';
import type { ProjectFileKind } from '../../contract/files/project-files.ts';
import { createDidYouMeanHint, createUnknownNameMessage } from '../../platform/closest-names.ts';
import { runInTurns, runWithoutPauses } from '../../platform/schedule/in-turns.ts';
import { findDefinitionFaults } from './definition-faults.ts';
import { PROJECT_PATH_PATTERN } from './load-project-folder.ts';
import type { ProjectProblem } from './project-problem.ts';
import { type ParsedYaml, type ProblemFactory, parseYamlFile, toYamlFile, type YamlFile } from './yaml-file.ts';

export interface LocatedFile<T> {
  file: T;
  /** The path of the project file that contains the value. */
  path: string;
  /** Creates a problem at a path of the value. */
  problemAt: ProblemFactory;
}
export interface ProjectLens extends LocatedFile<LensFile> {
  name: string;
  certified: LocatedFile<CertifiedEntryFile>[];
  evals: LocatedFile<EvalCaseFile>[];
}
export interface Project {
  config: ConfigFile;
  lenses: ProjectLens[];
  definitions: DefinitionFile[];
  /** Creates a problem at a path of `definitions`. Null if the project has no semantic/definitions.yaml. */
  createDefinitionsProblem: ProblemFactory | null;
  entities: EntitiesFile['entities'];
  boards: LocatedFile<BoardFile>[];
}

const MAX_PROBLEMS = 200; // for each kind of check, because other problems appear once these are fixed
const KNOWN_FILES =
  'svc.config.yaml, semantic/{definitions,entities}.yaml, lenses/<name>/{lens.yaml,certified/*.yaml,evals/*.yaml}, boards/*.yaml';

export interface ReadProjectResult {
  project: Project;
  /** If one of these problems is an error, svc doesn't apply the project. */
  problems: ProjectProblem[];
}

export const readProject = (files: Record<string, string>): ReadProjectResult => runWithoutPauses(readInSlices(files));

/**
 * Reads a project in slices, because reading five hundred lenses takes seconds. `parsedFiles` contains files that
 * another process has already parsed.
 */
export const readProjectInSlices = (
  files: Record<string, string>,
  parsedFiles: ReadonlyMap<string, ParsedYaml>,
): Promise<ReadProjectResult> => runInTurns(readInSlices(files, parsedFiles));

/** Returns null if the path isn't that of a project file. */
export function findFileKind(path: string): ProjectFileKind | null {
  if (!PROJECT_PATH_PATTERN.test(path)) return null;
  const [top, , third] = path.split('/');
  if (top === 'svc.config.yaml') return 'config';
  if (top === 'boards') return 'board';
  if (top === 'semantic') return path.endsWith('/definitions.yaml') ? 'definitions' : 'entities';
  return third === 'certified' || third === 'evals' ? third : 'lens';
}

function* readInSlices(
  files: Record<string, string>,
  parsedFiles: ReadonlyMap<string, ParsedYaml> = new Map(),
): Generator<void, ReadProjectResult> {
  const problems: ProjectProblem[] = [];
  const parseFile = <K extends ProjectFileKind>(kind: K, path: string) => {
    const parsedYaml = parsedFiles.get(path);
    const parsedFile = parsedYaml ? toYamlFile(kind, path, parsedYaml) : parseYamlFile(kind, path, files[path] ?? '');
    problems.push(...parsedFile.problems);
    return parsedFile;
  };
  const fileProblem = (path: string, message: string): ProjectProblem => ({
    ...{ path, line: 1, column: 1, pointer: '', code: 'unknown_file', message, severity: 'error' as const },
  });
  const paths = Object.keys(files).sort();
  for (const path of paths)
    if (!PROJECT_PATH_PATTERN.test(path) && problems.length < MAX_PROBLEMS)
      problems.push(fileProblem(path, `Not a project file. A project has ${KNOWN_FILES}.`));

  const config = parseFile('config', 'svc.config.yaml');
  const definitionsFile =
    'semantic/definitions.yaml' in files ? parseFile('definitions', 'semantic/definitions.yaml') : null;
  const definitions = Array.isArray(definitionsFile?.value)
    ? definitionsFile.value
    : (definitionsFile?.value?.definitions ?? []);
  const definitionsPath = Array.isArray(definitionsFile?.value) ? [] : ['definitions'];
  const createDefinitionsProblem: ProblemFactory | null =
    definitionsFile && ((at, ...rest) => definitionsFile.problemAt([...definitionsPath, ...at], ...rest));
  for (const { at, code, message } of findDefinitionFaults(definitions).slice(0, MAX_PROBLEMS))
    problems.push(createDefinitionsProblem!(at, code, message));
  const entitiesFile = 'semantic/entities.yaml' in files ? parseFile('entities', 'semantic/entities.yaml') : null;
  const lenses: ProjectLens[] = [];
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    const [top, folder] = path.split('/');
    if (top !== 'lenses' || folder === undefined) continue;
    const folderPaths = folders.get(folder);
    if (folderPaths) folderPaths.push(path);
    else folders.set(folder, [path]);
  }
  for (const [folder, folderFiles] of folders) {
    yield;
    const path = `lenses/${folder}/lens.yaml`;
    if (!(path in files)) {
      if (folderFiles.some((filePath) => PROJECT_PATH_PATTERN.test(filePath)))
        problems.push({ ...fileProblem(path, `lenses/${folder} has no lens.yaml.`), code: 'missing_file' });
      continue;
    }
    const certified: ProjectLens['certified'] = [];
    const evals: ProjectLens['evals'] = [];
    for (const filePath of folderFiles) {
      yield;
      const kind = findFileKind(filePath);
      if (kind !== 'certified' && kind !== 'evals') continue;
      if (kind === 'certified') certified.push(...listEntries(filePath, parseFile(kind, filePath)));
      else evals.push(...listEntries(filePath, parseFile(kind, filePath)));
    }
    problems.push(...findRepeatedIds(certified), ...findRepeatedIds(evals));
    const { value: file, problemAt } = parseFile('lens', path);
    if (!file) continue;
    if (file.name !== folder)
      problems.push(problemAt(['name'], 'invalid', `The lens in folder lenses/${folder} must be named "${folder}".`));
    if (file.model !== undefined && !MODEL_ENTRIES.includes(file.model))
      problems.push(problemAt(['model'], 'unknown_name', createUnknownNameMessage('model', file.model, MODEL_ENTRIES)));
    const lensProblemAt = entitiesFile ? createProblemInSourceFile(file, problemAt, entitiesFile.problemAt) : problemAt;
    lenses.push({ name: file.name, file, path, problemAt: lensProblemAt, certified, evals });
  }
  const boards: Project['boards'] = [];
  for (const path of paths) {
    if (findFileKind(path) !== 'board') continue;
    yield;
    const { value, problemAt } = parseFile('board', path);
    if (value) boards.push({ file: value, path, problemAt });
  }
  const emptyConfig = { typed_decisions: 'auto' as const, connections: {}, groups: {}, plugins: [] };
  const project: Project = {
    config: config.value ?? emptyConfig,
    lenses,
    definitions,
    createDefinitionsProblem,
    entities: entitiesFile?.value?.entities ?? {},
    boards,
  };
  if (config.value) problems.push(...checkReferences(project, files, config.problemAt));
  return { project, problems: problems.sort(compareByPosition) };
}

/** Reports problems of members that an entity file defines in that file instead of lens.yaml. */
const createProblemInSourceFile =
  ({ datasets }: LensFile, problemAt: ProblemFactory, entityProblemAt: ProblemFactory): ProblemFactory =>
  (at, ...rest) => {
    const [top, name = '', member, field = ''] = at;
    const declaration = top === 'datasets' ? datasets[name] : undefined;
    const isOwn =
      !declaration ||
      !('entity' in declaration) ||
      member === undefined ||
      member === 'entity' ||
      (member === 'fields' && Object.hasOwn(declaration.fields ?? {}, field));
    return isOwn ? problemAt(at, ...rest) : entityProblemAt(['entities', declaration.entity, ...at.slice(2)], ...rest);
  };

function checkReferences(
  project: Project,
  files: Record<string, string>,
  configProblemAt: ProblemFactory,
): ProjectProblem[] {
  const problems: ProjectProblem[] = [];
  const { connections, groups, demo } = project.config;
  // Includes the names of lenses whose lens.yaml is invalid.
  const lensNames = Object.keys(files).flatMap((path) => path.match(/^lenses\/([^/]+)\/lens\.yaml$/)?.[1] ?? []);
  const [knownLenses, connectionNames] = [new Set(lensNames), new Set(Object.keys(connections))];
  const knownGroups = new Set([...Object.keys(groups), 'demo']);
  const add = (createProblem: () => ProjectProblem): void => {
    if (problems.length < MAX_PROBLEMS) problems.push(createProblem());
  };
  const requireName = (
    problemAt: ProblemFactory,
    at: (string | number)[],
    kind: 'lens' | 'connection',
    name: string,
  ): void => {
    const knownNames = kind === 'lens' ? knownLenses : connectionNames;
    if (!knownNames.has(name))
      add(() => problemAt(at, 'unknown_name', createUnknownNameMessage(kind, name, [...knownNames])));
  };
  for (const { file, problemAt } of project.lenses) {
    requireName(problemAt, ['connection'], 'connection', file.connection);
    const groupNames = Object.keys(groups);
    for (const [index, group] of file.grants.groups.entries()) {
      if (knownGroups.has(group)) continue;
      const message =
        groupNames.length > 0
          ? createUnknownNameMessage('group', group, groupNames)
          : `There is no group "${group}". Add it to "groups" in svc.config.yaml.`;
      add(() => problemAt(['grants', 'groups', index], 'unknown_name', message));
    }
    for (const [policyIndex, policy] of file.row_policies.entries())
      for (const [index, group] of policy.groups.entries()) {
        if (knownGroups.has(group)) continue;
        // A caller can be in groups that no file declares, so an unknown group is an error only if it is probably a
        // typo.
        const hint = createDidYouMeanHint(group, groupNames);
        const message = hint
          ? `There is no group "${group}".${hint}`
          : `The row policy "${policy.name}" applies to callers in the group "${group}", which svc.config.yaml does not declare.`;
        const at = ['row_policies', policyIndex, 'groups', index];
        add(() => problemAt(at, 'unknown_name', message, hint ? {} : { severity: 'warning' }));
      }
  }
  for (const { file, problemAt } of project.boards)
    for (const [index, { lens }] of file.tiles.entries())
      requireName(problemAt, ['tiles', index, 'lens'], 'lens', lens);
  for (const [group, { lenses }] of Object.entries(groups))
    for (const [index, lens] of lenses.entries())
      requireName(configProblemAt, ['groups', group, 'lenses', index], 'lens', lens);
  for (const [index, lens] of (demo?.lenses ?? []).entries())
    requireName(configProblemAt, ['demo', 'lenses', index], 'lens', lens);
  return problems;
}

/** Returns the entries of a file that contains one entry or a list of entries. */
function listEntries<T>(path: string, { value, problemAt }: YamlFile<T | T[]>): LocatedFile<T>[] {
  if (Array.isArray(value))
    return value.map((file, index) => ({ file, path, problemAt: (at, ...rest) => problemAt([index, ...at], ...rest) }));
  return value === null ? [] : [{ file: value, path, problemAt }];
}

function findRepeatedIds(entries: LocatedFile<{ id: string }>[]): ProjectProblem[] {
  const seenPaths = new Map<string, string>();
  return entries.flatMap(({ file, path, problemAt }) => {
    const firstPath = seenPaths.get(file.id);
    seenPaths.set(file.id, firstPath ?? path);
    return firstPath ? [problemAt(['id'], 'duplicate', `The id "${file.id}" is already used in ${firstPath}.`)] : [];
  });
}

const compareByPosition = (a: ProjectProblem, b: ProjectProblem): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || a.column - b.column;
