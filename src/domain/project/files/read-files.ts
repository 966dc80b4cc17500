// Reads, edits, compares and merges project files from HTTP. Handles small files immediately, and large files in
// another process with time limits.
import type { ConfigFile } from '../../../contract/files/config-file.ts';
import type { LensFile } from '../../../contract/files/lens-file.ts';
import type { ProjectFileKind } from '../../../contract/files/project-files.ts';
import { kindOfFile, type ReadProjectResult, readProjectInTurns } from '../../../lens/files/read-project.ts';
import {
  cachedYaml,
  cacheYaml,
  type ParsedYaml,
  parseYaml,
  toYamlFile,
  type YamlFile,
} from '../../../lens/files/yaml-file.ts';
import { Problem } from '../../../platform/problem.ts';
import { createPatch, type MergeResult, mapSameLines, mergeLines, type TextPair } from './compare-lines.ts';
import { MAX_INLINE_LENGTH, requireInTime, runInFilesProcess, TIME_LIMIT } from './in-files-process.ts';
import { editYaml, type YamlEdit } from './rewrite-yaml.ts';
import { withoutSecrets } from './without-secrets.ts';

const MAX_ENTRIES = 1_000_000;

export async function editFile(orgId: string, text: string, edit: YamlEdit): Promise<string | null | undefined> {
  if (text.length <= MAX_INLINE_LENGTH) return editYaml(text, edit);
  const reply = await runInFilesProcess(orgId, 'edit', text, edit);
  return requireInTime(reply, (limit) => `The file takes longer than ${limit} to edit. Split it.`);
}

/** Files with at most this many lines are compared immediately. */
const MAX_INLINE_LINES = 100;

const areShort = (...texts: string[]): boolean =>
  texts.every(
    (text) => text.length <= MAX_INLINE_LENGTH && text.split('\n', MAX_INLINE_LINES + 1).length <= MAX_INLINE_LINES,
  );

export async function diffTexts(orgId: string, pair: TextPair): Promise<string> {
  if (areShort(pair.from.text, pair.to.text)) return createPatch(pair);
  return requireInTime(await runInFilesProcess(orgId, 'diff', pair), tooDifferentMessage(pair.to.path, 'compare'));
}

export async function mergeTexts(
  orgId: string,
  path: string,
  texts: { base: string; edited: string; theirs: string },
): Promise<MergeResult> {
  const { base, edited, theirs } = texts;
  if (areShort(base, edited, theirs)) return mergeLines(base, edited, theirs);
  return requireInTime(
    await runInFilesProcess(orgId, 'merge', base, edited, theirs),
    tooDifferentMessage(path, 'merge'),
  );
}

export async function mapLineNumbers(
  orgId: string,
  path: string,
  { text, otherText }: { text: string; otherText: string },
  lineNumbers: readonly number[],
): Promise<number[]> {
  if (areShort(text, otherText)) return mapSameLines(text, otherText, lineNumbers);
  return requireInTime(
    await runInFilesProcess(orgId, 'lines', text, otherText, lineNumbers),
    tooDifferentMessage(path, 'compare'),
  );
}

const tooDifferentMessage = (path: string, action: 'compare' | 'merge') => (limit: string) =>
  `The versions of ${path} take longer than ${limit} to ${action} line by line. Split the file, or change less of it at once.`;

export async function readFiles(orgId: string, files: Record<string, string>): Promise<ReadProjectResult> {
  const parsedFiles = new Map<string, ParsedYaml>();
  let entries = 0;
  for (const [path, text] of Object.entries(files)) {
    const fileKind = kindOfFile(path);
    if (!fileKind || text.length <= MAX_INLINE_LENGTH) continue;
    const file = await parseInProcess(orgId, fileKind, path, text);
    parsedFiles.set(path, file);
    entries += file.places.numbers.length / 4;
    if (entries > MAX_ENTRIES)
      throw new Problem(
        'too_large',
        `The project has more than ${MAX_ENTRIES} keys and list items. Split it into several organizations.`,
      );
  }
  return readProjectInTurns(files, parsedFiles);
}

export async function readConfigFile(orgId: string, text: string): Promise<YamlFile<ConfigFile>> {
  const path = 'svc.config.yaml';
  return toYamlFile('config', path, await parseInProcess(orgId, 'config', path, text));
}

export async function readLensFile(orgId: string, name: string, text: string): Promise<YamlFile<LensFile>> {
  const path = `lenses/${name}/lens.yaml`;
  return toYamlFile('lens', path, await parseInProcess(orgId, 'lens', path, text));
}

/** Replaces every literal secret in svc.config.yaml with `(kept)`, and keeps all other bytes. */
export async function hideLiteralSecrets(
  orgId: string,
  files: Record<string, string>,
): Promise<Record<string, string>> {
  const config = files['svc.config.yaml'];
  if (config === undefined) return files;
  if (config.length <= MAX_INLINE_LENGTH) return { ...files, 'svc.config.yaml': withoutSecrets(config) };
  const reply = await runInFilesProcess(orgId, 'hide', config);
  // If the work takes too long, the returned file is empty. svc never stores this empty file, because a later step
  // rejects the project.
  return { ...files, 'svc.config.yaml': reply?.done ?? '' };
}

async function parseInProcess(orgId: string, kind: ProjectFileKind, path: string, text: string): Promise<ParsedYaml> {
  const cachedDocument = cachedYaml(kind, text);
  if (cachedDocument) return cachedDocument;
  if (text.length <= MAX_INLINE_LENGTH) return cacheYaml(kind, text, parseYaml(kind, path, text));
  const reply = await runInFilesProcess(orgId, 'parse', kind, path, text);
  if (!reply) return createUnreadFile(path);
  return cacheYaml(kind, text, { ...reply.done.parsed, value: JSON.parse(reply.done.value) });
}

const createUnreadFile = (path: string): ParsedYaml => {
  const message = `The file takes longer than ${TIME_LIMIT} to read. Split it, or simplify it.`;
  const problem = { path, line: 1, column: 1, pointer: '', code: 'too_large', message, severity: 'error' as const };
  return { value: null, problems: [problem], places: { pointers: '', numbers: new Int32Array() } };
};
