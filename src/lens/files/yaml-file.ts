// Parses and validates YAML. Every error has a line and a column.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Document, LineCounter, parseDocument, type YAMLParseError } from 'yaml';
import type { z } from 'zod';
import { type ProjectFileKind, projectFileSchemas } from '../../contract/files/project-files.ts';
import { createUnknownNameMessage } from '../../platform/closest-names.ts';
import { explainIssue } from '../../platform/explain-issues.ts';
import type { ProjectProblem } from './project-problem.ts';
import {
  createPositionFinder,
  type FilePositions,
  findPropertiesFault,
  toPointer,
  toPosition,
  walkYaml,
  YAML_LIMITS,
  type YamlPath,
} from './yaml-positions.ts';

/** Creates a problem at a path of this file. If `key` is true, the problem is at the key instead of its value. */
export type ProblemFactory = (
  path: YamlPath,
  code: string,
  message: string,
  options?: { key?: boolean; severity?: 'warning' },
) => ProjectProblem;

export type ProblemReporter = (...args: Parameters<ProblemFactory>) => void;

export interface YamlFile<T> {
  value: T | null;
  problems: ProjectProblem[];
  problemAt: ProblemFactory;
}

/** A parsed file that processes can send to one another. */
export interface ParsedYaml {
  value: unknown;
  problems: ProjectProblem[];
  places: FilePositions;
}

const MAX_FILE_LENGTH = 2_000_000;
const NO_POSITIONS: FilePositions = { pointers: '\0', numbers: new Int32Array(4) };

/** The minimum size, in bytes, that the cache counts for a file. */
const MIN_CACHE_SIZE = 2_000;
/**
 * Caches valid files by content, because clients send whole projects in which little changes. svc freezes cached files,
 * because several projects share them. The cache excludes svc.config.yaml, which can contain secrets.
 */
const validFileCache = new LRUCache<string, ParsedYaml>({ maxSize: 16_000_000 });
const hashContent = (kind: ProjectFileKind, text: string): string =>
  createHash('sha256').update(`${kind}\n${text}`).digest('base64');

export function parseYamlFile<K extends ProjectFileKind>(
  kind: K,
  path: string,
  text: string,
): YamlFile<z.infer<(typeof projectFileSchemas)[K]>> {
  return toYamlFile(kind, path, getCachedYaml(kind, text) ?? cacheYaml(kind, text, parseYaml(kind, path, text)));
}

export const getCachedYaml = (kind: ProjectFileKind, text: string): ParsedYaml | undefined =>
  kind === 'config' ? undefined : validFileCache.get(hashContent(kind, text));

export function cacheYaml(kind: ProjectFileKind, text: string, parsedYaml: ParsedYaml): ParsedYaml {
  if (kind !== 'config' && parsedYaml.value && parsedYaml.problems.length === 0)
    validFileCache.set(
      hashContent(kind, text),
      { ...parsedYaml, value: freezeDeeply(parsedYaml.value) },
      { size: Math.max(MIN_CACHE_SIZE, text.length) },
    );
  return parsedYaml;
}

export function toYamlFile<K extends ProjectFileKind>(
  _kind: K,
  path: string,
  { value, problems, places }: ParsedYaml,
): YamlFile<z.infer<(typeof projectFileSchemas)[K]>> {
  return {
    value: value as z.infer<(typeof projectFileSchemas)[K]> | null,
    problems: [...problems],
    problemAt: createProblemFactory(path, places),
  };
}

const freezeDeeply = <T>(value: T): T => {
  if (value === null || typeof value !== 'object') return value;
  for (const child of Object.values(value)) freezeDeeply(child);
  return Object.freeze(value);
};

function createProblemFactory(path: string, positions: FilePositions): ProblemFactory {
  const find = createPositionFinder(positions);
  return (keyPath, code, message, options = {}) => ({
    path,
    ...find(keyPath, options.key ?? false),
    pointer: toPointer(keyPath),
    code,
    message,
    severity: options.severity ?? 'error',
  });
}

/** Parses and validates one file. Parsing can take seconds, so svc parses large files in another process. */
export function parseYaml(kind: ProjectFileKind, path: string, text: string): ParsedYaml {
  const lines = new LineCounter();
  const atFile = createProblemFactory(path, NO_POSITIONS);
  const failedYaml = (problems: ProjectProblem[], positions = NO_POSITIONS) => ({
    value: null,
    problems,
    places: positions,
  });
  if (text.length > MAX_FILE_LENGTH)
    return failedYaml([atFile([], 'too_large', 'The file is larger than 2 MB. Split it.')]);
  const propertiesFault = findPropertiesFault(text);
  if (propertiesFault) return failedYaml([atFile([], 'too_large', propertiesFault)]);
  // The parser's own check for unique keys compares every pair of keys in a map, which is slow for large maps. walkYaml
  // looks up each key instead.
  const doc: Document = parseDocument(text, { lineCounter: lines, uniqueKeys: false });
  // Reports only the first syntax error, because later errors mostly follow from it.
  const [error] = doc.errors;
  if (error)
    return failedYaml([{ ...atFile([], 'yaml', describeSyntaxError(error)), ...toPosition(lines, error.pos[0]) }]);
  const { places, faults } = walkYaml(doc, lines);
  if (faults.length > 0)
    return failedYaml(
      faults.map(({ code, message, ...place }) => ({ ...atFile([], code, message), ...place })),
      places,
    );
  const problemAt = createProblemFactory(path, places);
  let rootValue: unknown;
  try {
    rootValue =
      doc.toJS({ maxAliasCount: YAML_LIMITS.aliases }) ?? (kind === 'certified' || kind === 'evals' ? [] : {});
  } catch {
    return failedYaml([problemAt([], 'yaml', 'The YAML aliases expand without limit. Write out the values.')], places);
  }
  const parsed = projectFileSchemas[kind].safeParse(rootValue);
  if (parsed.success) return { value: parsed.data, problems: [], places };
  return failedYaml(explainIssues(parsed.error, kind, rootValue, problemAt), places);
}

/** Explains the first issues. Other issues appear once these are fixed. */
function explainIssues(
  { issues }: z.ZodError,
  kind: ProjectFileKind,
  input: unknown,
  problemAt: ProblemFactory,
): ProjectProblem[] {
  const checked = { schema: projectFileSchemas[kind], input };
  const explanations = issues.slice(0, YAML_LIMITS.faults).flatMap((issue) => explainIssue(issue, checked));
  return explanations.slice(0, YAML_LIMITS.faults).map(({ path, code, message, isAboutKey, choice }) => {
    if (code === 'missing' && isAboutKey)
      return problemAt(path.slice(0, -1), 'missing_key', `The key "${String(path.at(-1))}" is missing.`, { key: true });
    const name = String(path.findLast((part) => typeof part === 'string') ?? 'file');
    const rule = `${describePath(path, name)}${message.startsWith('must') ? '' : ':'} ${message.replace(/\.?$/, '.')}`;
    const text = choice ? createUnknownNameMessage(name, choice.given, choice.valid) : isAboutKey ? message : rule;
    return problemAt(path, code === 'unknown_key' ? code : 'invalid', text, isAboutKey && { key: true });
  });
}

function describePath(path: YamlPath, name: string): string {
  const last = path.at(-1);
  if (last === undefined) return 'The file';
  if (typeof last !== 'number') return `"${name}"`;
  return `Item ${last + 1} of ${path.length === 1 ? 'the file' : `"${name}"`}`;
}

const describeSyntaxError = ({ code, message }: YAMLParseError): string =>
  code === 'MULTIPLE_DOCS'
    ? 'The file contains several YAML documents. Remove the line "---", or split the file.'
    : (message.split('\n')[0] ?? message).replace(/ at line \d+, column \d+:?$/, '.');
