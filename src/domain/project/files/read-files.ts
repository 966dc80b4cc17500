import type { LensFile } from '../../../contract/files/lens-file.ts';
import type { ProjectFileKind } from '../../../contract/files/project-files.ts';
import { findFileKind, type ReadProjectResult, readProjectInSlices } from '../../../lens/files/read-project.ts';
import {
  cacheYaml,
  getCachedYaml,
  type ParsedYaml,
  parseYaml,
  toYamlFile,
  type YamlFile,
} from '../../../lens/files/yaml-file.ts';
import { Problem } from '../../../platform/problem.ts';
import type { ComparedTexts, MergeResult } from './compare-lines.ts';
import { areTextsShort, hasFewLines, runFileTask } from './file-tasks.ts';
import type { YamlEdit } from './rewrite-yaml.ts';

const MAX_YAML_NODES = 1_000_000;

type Files = Record<string, string>;

export function editFile(orgId: string, text: string, edit: YamlEdit): Promise<string | null | undefined> {
  const createTooLongMessage = (limit: string) => `The file takes longer than ${limit} to edit. Split it.`;
  return runFileTask(orgId, 'edit', { isSmall: areTextsShort(text), createTooLongMessage }, text, edit);
}

export function diffTexts(orgId: string, pair: ComparedTexts): Promise<string> {
  const comparison = createComparison([pair.from.text, pair.to.text], pair.to.path, 'compare');
  return runFileTask(orgId, 'diff', comparison, pair);
}

export function mergeTexts(
  orgId: string,
  path: string,
  { base, edited, theirs }: { base: string; edited: string; theirs: string },
): Promise<MergeResult> {
  const comparison = createComparison([base, edited, theirs], path, 'merge');
  return runFileTask(orgId, 'merge', comparison, base, edited, theirs);
}

export function mapLineNumbers(
  orgId: string,
  path: string,
  { text, otherText }: { text: string; otherText: string },
  lineNumbers: readonly number[],
): Promise<number[]> {
  return runFileTask(
    orgId,
    'lines',
    createComparison([text, otherText], path, 'compare'),
    text,
    otherText,
    lineNumbers,
  );
}

const createComparison = (texts: string[], path: string, action: 'compare' | 'merge') => ({
  isSmall: hasFewLines(...texts),
  createTooLongMessage: (limit: string) =>
    `The versions of ${path} take longer than ${limit} to ${action} line by line. Split the file, or change less of it at once.`,
});

/** Writes a diff that `git apply` accepts. Null means that the file doesn't exist. Paths start with `prefix`. */
export async function writeUnifiedDiff(
  orgId: string,
  filesBefore: Files,
  filesAfter: Record<string, string | null>,
  prefix: string,
): Promise<string> {
  let diff = '';
  for (const [path, text] of Object.entries(filesAfter)) {
    if ((filesBefore[path] ?? null) === text) continue;
    const fromHeader = Object.hasOwn(filesBefore, path) ? `a/${prefix}${path}` : '/dev/null';
    const patch = await diffTexts(orgId, {
      from: { path: fromHeader, text: filesBefore[path] ?? '', header: '' },
      to: { path: text === null ? '/dev/null' : `b/${prefix}${path}`, text: text ?? '', header: '' },
    });
    diff += patch.replace(/^=+\n/, '');
  }
  return diff;
}

export async function readFiles(orgId: string, files: Files): Promise<ReadProjectResult> {
  const parsedFiles = new Map<string, ParsedYaml>();
  let entries = 0;
  for (const [path, text] of Object.entries(files)) {
    const fileKind = findFileKind(path);
    if (!fileKind || areTextsShort(text)) continue;
    const file = await parseFile(orgId, fileKind, path, text);
    parsedFiles.set(path, file);
    entries += file.places.numbers.length / 4;
    if (entries > MAX_YAML_NODES)
      throw new Problem(
        'too_large',
        `The project has more than ${MAX_YAML_NODES} keys and list items. Split it into several organizations.`,
      );
  }
  return readProjectInSlices(files, parsedFiles);
}

export async function readFile<K extends ProjectFileKind>(
  orgId: string,
  kind: K,
  path: string,
  text: string,
): Promise<ReturnType<typeof toYamlFile<K>>> {
  return toYamlFile(kind, path, await parseFile(orgId, kind, path, text));
}

export const readLensFile = (orgId: string, name: string, text: string): Promise<YamlFile<LensFile>> =>
  readFile(orgId, 'lens', `lenses/${name}/lens.yaml`, text);

/** All other bytes of the file stay the same. */
export async function hideLiteralSecrets(orgId: string, files: Files): Promise<Files> {
  const config = files['svc.config.yaml'];
  if (config === undefined) return files;
  const task = { isSmall: areTextsShort(config), createTooLongMessage };
  return { ...files, 'svc.config.yaml': await runFileTask(orgId, 'hide', task, config) };
}

async function parseFile(orgId: string, kind: ProjectFileKind, path: string, text: string): Promise<ParsedYaml> {
  const cachedDocument = getCachedYaml(kind, text);
  if (cachedDocument) return cachedDocument;
  if (areTextsShort(text)) return cacheYaml(kind, text, parseYaml(kind, path, text));
  try {
    const task = { isSmall: false, createTooLongMessage };
    const { parsed, value } = await runFileTask(orgId, 'parse', task, kind, path, text);
    return cacheYaml(kind, text, { ...parsed, value: JSON.parse(value) });
  } catch (fault) {
    if (!(fault instanceof Problem) || fault.code !== 'too_large') throw fault;
    const { code, message } = fault;
    const problem = { path, line: 1, column: 1, pointer: '', code, message, severity: 'error' as const };
    return { value: null, problems: [problem], places: { pointers: '', numbers: new Int32Array() } };
  }
}

const createTooLongMessage = (limit: string): string =>
  `The file takes longer than ${limit} to read. Split it, or simplify it.`;
