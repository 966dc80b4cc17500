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
import { atOnce, inTurns } from '../../platform/schedule/in-turns.ts';
import { PROJECT_PATH } from './load-project-folder.ts';
import { type ProjectProblem, unknownName } from './project-problem.ts';
import { fileOf, type ParsedYaml, parseYamlFile, type ReportProblem } from './yaml-file.ts';

export interface Placed<T> {
  file: T;
  /** A file's value, and a function that reports a problem in it. */
  path: string;
  complain: ReportProblem;
}
export interface ProjectLens extends Placed<LensFile> {
  name: string;
  certified: (Placed<CertifiedEntryFile> & { index: number | null })[];
  evals: (Placed<EvalCaseFile> & { index: number | null })[];
}
export interface Project {
  config: ConfigFile;
  lenses: ProjectLens[];
  definitions: DefinitionFile[];
  entities: EntitiesFile['entities'];
  boards: Placed<BoardFile>[];
}

const MAX_PROBLEMS = 200; // per kind of check; the rest appear once these are fixed
const KNOWN_FILES =
  'svc.config.yaml, semantic/{definitions,entities}.yaml, lenses/<name>/{lens.yaml,certified/*.yaml,evals/*.yaml}, boards/*.yaml';

export interface ReadProject {
  project: Project;
  /** If one of them is an error, svc doesn't apply the project. */
  problems: ProjectProblem[];
}

export const readProject = (files: Record<string, string>): ReadProject => atOnce(reading(files));

/**
 * Runs in slices, because reading five hundred lenses takes seconds. `parsed`: files that another process has parsed.
 */
export const readProjectInTurns = (
  files: Record<string, string>,
  parsed: ReadonlyMap<string, ParsedYaml>,
): Promise<ReadProject> => inTurns(reading(files, parsed));

/** Null for a path that isn't a project file. */
export function kindOfFile(path: string): ProjectFileKind | null {
  if (!PROJECT_PATH.test(path)) return null;
  const [top, , third] = path.split('/');
  if (top === 'svc.config.yaml') return 'config';
  if (top === 'boards') return 'board';
  if (top === 'semantic') return path.endsWith('/definitions.yaml') ? 'definitions' : 'entities';
  return third === 'certified' || third === 'evals' ? third : 'lens';
}

function* reading(
  files: Record<string, string>,
  elsewhere: ReadonlyMap<string, ParsedYaml> = new Map(),
): Generator<void, ReadProject> {
  const problems: ProjectProblem[] = [];
  const take = <K extends ProjectFileKind>(kind: K, path: string) => {
    const parsedYaml = elsewhere.get(path);
    const parsed = parsedYaml ? fileOf(kind, path, parsedYaml) : parseYamlFile(kind, path, files[path] ?? '');
    problems.push(...parsed.problems);
    return parsed;
  };
  const fileProblem = (path: string, message: string): ProjectProblem => ({
    ...{ path, line: 1, column: 1, pointer: '', code: 'unknown_file', message, severity: 'error' as const },
  });
  const paths = Object.keys(files).sort();
  for (const path of paths)
    if (!PROJECT_PATH.test(path) && problems.length < MAX_PROBLEMS)
      problems.push(fileProblem(path, `Not a project file. A project has ${KNOWN_FILES}.`));

  const config = take('config', 'svc.config.yaml');
  const definitions =
    'semantic/definitions.yaml' in files ? take('definitions', 'semantic/definitions.yaml').value : null;
  const entities = 'semantic/entities.yaml' in files ? take('entities', 'semantic/entities.yaml').value : null;
  const lenses: ProjectLens[] = [];
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    const [top, folder = ''] = path.split('/');
    if (top !== 'lenses' || path === top) continue;
    const folderPaths = folders.get(folder);
    if (folderPaths) folderPaths.push(path);
    else folders.set(folder, [path]);
  }
  for (const [folder, own] of folders) {
    yield;
    const path = `lenses/${folder}/lens.yaml`;
    if (!(path in files)) {
      if (own.some((other) => PROJECT_PATH.test(other)))
        problems.push({ ...fileProblem(path, `lenses/${folder} has no lens.yaml.`), code: 'missing_file' });
      continue;
    }
    const certified: ProjectLens['certified'] = [];
    const evals: ProjectLens['evals'] = [];
    for (const other of own) {
      yield;
      const kind = kindOfFile(other);
      if (kind !== 'certified' && kind !== 'evals') continue;
      const { value, complain } = take(kind, other);
      const placed = { path: other, complain };
      if (kind === 'certified')
        for (const fileEntry of fileEntries(value as CertifiedEntryFile | CertifiedEntryFile[] | null))
          certified.push({ ...fileEntry, ...placed });
      else
        for (const item of fileEntries(value as EvalCaseFile | EvalCaseFile[] | null))
          evals.push({ ...item, ...placed });
    }
    problems.push(...repeatedIds(certified), ...repeatedIds(evals));
    const { value: file, complain } = take('lens', path);
    if (!file) continue;
    if (file.name !== folder)
      problems.push(complain(['name'], 'invalid', `The lens in folder lenses/${folder} must be named "${folder}".`));
    if (file.model !== undefined && !MODEL_ENTRIES.includes(file.model))
      problems.push(complain(['model'], 'unknown_name', unknownName('model', file.model, MODEL_ENTRIES)));
    lenses.push({ name: file.name, file, path, complain, certified, evals });
  }
  const boards: Project['boards'] = [];
  for (const path of paths) {
    if (kindOfFile(path) !== 'board') continue;
    yield;
    const { value, complain } = take('board', path);
    if (value) boards.push({ file: value, path, complain });
  }
  const emptyConfig = { typed_decisions: 'auto' as const, connections: {}, groups: {}, plugins: [] };
  const project: Project = {
    config: config.value ?? emptyConfig,
    lenses,
    definitions: Array.isArray(definitions) ? definitions : (definitions?.definitions ?? []),
    entities: entities?.entities ?? {},
    boards,
  };
  if (config.value) problems.push(...crossCheck(project, files, config.complain));
  return { project, problems: problems.sort(byPlace) };
}

function crossCheck(project: Project, files: Record<string, string>, inConfig: ReportProblem): ProjectProblem[] {
  const problems: ProjectProblem[] = [];
  // A lens with an invalid file still has its name.
  const lensNames = Object.keys(files).flatMap((path) => path.match(/^lenses\/([^/]+)\/lens\.yaml$/)?.[1] ?? []);
  const knownLensNames = new Set(lensNames);
  const { connections, groups, demo } = project.config;
  for (const { file, complain } of project.lenses) {
    if (!(file.connection in connections) && problems.length < MAX_PROBLEMS)
      problems.push(
        complain(['connection'], 'unknown_name', unknownName('connection', file.connection, Object.keys(connections))),
      );
    file.grants.groups.forEach((group, index) => {
      if (!(group in groups) && group !== 'demo' && problems.length < MAX_PROBLEMS)
        problems.push(
          complain(['grants', 'groups', index], 'unknown_name', unknownName('group', group, Object.keys(groups))),
        );
    });
  }
  for (const { file, complain } of project.boards)
    file.tiles.forEach(({ lens }, index) => {
      if (!knownLensNames.has(lens) && problems.length < MAX_PROBLEMS)
        problems.push(complain(['tiles', index, 'lens'], 'unknown_name', unknownName('lens', lens, lensNames)));
    });
  for (const [group, { lenses }] of Object.entries(groups))
    lenses.forEach((lens, index) => {
      if (!knownLensNames.has(lens) && problems.length < MAX_PROBLEMS)
        problems.push(
          inConfig(['groups', group, 'lenses', index], 'unknown_name', unknownName('lens', lens, lensNames)),
        );
    });
  demo?.lenses.forEach((lens, index) => {
    if (!knownLensNames.has(lens) && problems.length < MAX_PROBLEMS)
      problems.push(inConfig(['demo', 'lenses', index], 'unknown_name', unknownName('lens', lens, lensNames)));
  });
  return problems;
}

const fileEntries = <T>(value: T | T[] | null): { file: T; index: number | null }[] =>
  Array.isArray(value)
    ? value.map((file, index) => ({ file, index }))
    : value === null
      ? []
      : [{ file: value, index: null }];

function repeatedIds(all: (Placed<{ id: string }> & { index: number | null })[]): ProjectProblem[] {
  const seen = new Map<string, string>();
  return all.flatMap(({ file, index, path, complain }) => {
    const first = seen.get(file.id);
    seen.set(file.id, first ?? path);
    const idPath = index === null ? ['id'] : [index, 'id'];
    return first ? [complain(idPath, 'duplicate', `The id "${file.id}" is already used in ${first}.`)] : [];
  });
}

const byPlace = (a: ProjectProblem, b: ProjectProblem): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || a.column - b.column;
