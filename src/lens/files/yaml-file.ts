// Parses and validates YAML. Every error has the line and column of its node.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Document, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { type ProjectFileKind, projectFileSchemas, projectJsonSchemas } from '../../contract/files/project-files.ts';
import { createIssueMessage } from '../../platform/http/issue-message.ts';
import { createUnknownNameMessage, type ProjectProblem } from './project-problem.ts';
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

/** Reports a problem at a path of this file. With `key`, the problem is at the key instead of its value. */
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

/** The size, in bytes, that the cache counts for a short file. */
const MIN_CACHE_SIZE = 2_000;
/**
 * Caches valid files by content, because clients send whole projects in which little changes. Cached files are frozen,
 * because readers share them. The cache excludes svc.config.yaml, which can contain secrets.
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

/** Parses and validates one file. Parsing can take seconds, so another process parses large files. */
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
  // The parser compares every pair of keys in a map, which is slow for large maps. walkYaml looks up each key instead.
  const doc: Document = parseDocument(text, { lineCounter: lines, uniqueKeys: false });
  if (doc.errors.length > 0)
    return failedYaml(
      doc.errors.slice(0, YAML_LIMITS.faults).map((error) => ({
        ...atFile([], 'yaml', removePositionAndDetails(error.message)),
        ...toPosition(lines, error.pos[0]),
      })),
    );
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
    return failedYaml([problemAt([], 'yaml', 'The YAML aliases expand without bound. Write the values out.')], places);
  }
  const parsed = projectFileSchemas[kind].safeParse(rootValue);
  if (parsed.success) return { value: parsed.data, problems: [], places };
  return failedYaml(explainIssues(parsed.error.issues as Issue[], rootValue, kind, problemAt), places);
}

/** Explains the first issues. The other issues appear once the first issues are fixed. */
function explainIssues(
  issues: Issue[],
  rootValue: unknown,
  kind: ProjectFileKind,
  problemAt: ProblemFactory,
): ProjectProblem[] {
  const problems: ProjectProblem[] = [];
  for (const issue of issues) {
    if (problems.length >= YAML_LIMITS.faults) break;
    problems.push(...explainIssue(issue, [], rootValue, kind, problemAt));
  }
  return problems.slice(0, YAML_LIMITS.faults);
}

interface Issue {
  code: string;
  path: (string | number)[];
  message: string;
  keys?: string[];
  errors?: Issue[][];
  values?: unknown[];
  input?: unknown;
}

function explainIssue(
  issue: Issue,
  parentPath: YamlPath,
  rootValue: unknown,
  kind: ProjectFileKind,
  problemAt: ProblemFactory,
): ProjectProblem[] {
  const issuePath = [...parentPath, ...issue.path];
  const foundValue = getValueAt(rootValue, issuePath);
  if (foundValue === undefined && issue.path.length > 0)
    return [
      problemAt(issuePath.slice(0, -1), 'missing_key', `The key "${String(issuePath.at(-1))}" is missing.`, {
        key: true,
      }),
    ];
  if (issue.code === 'invalid_union' && issue.errors && issue.errors.length > 0) {
    const keyProblems = explainKeyFault(
      findAlternativesAt(projectJsonSchemas[kind], issuePath),
      issuePath,
      foundValue,
      problemAt,
    );
    const branch = findClosestBranch(issue.errors, foundValue).filter(
      ({ code, path }) =>
        keyProblems.length === 0 ||
        (code !== 'unrecognized_keys' && path.length > 0 && getValueAt(foundValue, path) !== undefined),
    );
    if (keyProblems.some(({ code }) => code !== 'unknown_key')) return keyProblems;
    return [
      ...keyProblems,
      ...branch.flatMap((childIssue) => explainIssue(childIssue, issuePath, rootValue, kind, problemAt)),
    ];
  }
  if (issue.code === 'unrecognized_keys') {
    const alternatives = findAlternativesAt(projectJsonSchemas[kind], issuePath);
    return (issue.keys ?? [])
      .slice(0, YAML_LIMITS.faults)
      .map((key) =>
        problemAt([...issuePath, key], 'unknown_key', describeUnknownKey(key, alternatives, foundValue), { key: true }),
      );
  }
  if (issue.code === 'invalid_key')
    return [
      problemAt(issuePath, 'invalid', `The name "${String(issuePath.at(-1))}" ${describeKeyRule(issue)}.`, {
        key: true,
      }),
    ];
  const name = String(issuePath.findLast((part) => typeof part === 'string') ?? 'file');
  if (issue.code === 'invalid_value' && issue.values && typeof foundValue === 'object')
    return [problemAt(issuePath, 'invalid', `"${name}" must be ${issue.values.map(String).join(' or ')}.`)];
  if (issue.code === 'invalid_value' && issue.values)
    return [
      problemAt(issuePath, 'invalid', createUnknownNameMessage(name, String(foundValue), issue.values.map(String))),
    ];
  const expectedText = createIssueMessage(issue as z.core.$ZodIssue);
  const subject = describePath(issuePath, name);
  const rule = expectedText.startsWith('must') ? `${subject} ${expectedText}` : `${subject}: ${expectedText}`;
  return [problemAt(issuePath, 'invalid', rule.endsWith('.') ? rule : `${rule}.`)];
}

function describePath(path: YamlPath, name: string): string {
  const last = path.at(-1);
  if (last === undefined) return 'The file';
  if (typeof last !== 'number') return `"${name}"`;
  return `Item ${last + 1} of ${path.length === 1 ? 'the file' : `"${name}"`}`;
}

const describeKeyRule = (issue: Issue): string => {
  const innerMessage = (issue as unknown as { issues?: { message: string }[] }).issues?.[0]?.message;
  return innerMessage?.startsWith('must') ? innerMessage : 'is not a valid name';
};

/**
 * The alternative that the author probably meant: its constant keys (such as kind) match, and its issues are few and
 * deep.
 */
function findClosestBranch(branches: Issue[][], foundValue: unknown): Issue[] {
  const score = (issues: Issue[]): number => {
    const wrongShapes = ['invalid_type', ...(typeof foundValue === 'object' ? ['invalid_value'] : [])];
    const wrongShapePenalty = issues.some((issue) => issue.path.length === 0 && wrongShapes.includes(issue.code))
      ? 100
      : 0;
    const wrongKindPenalty = issues.some((issue) => issue.path.at(-1) === 'kind') ? 50 : 0;
    const unknownKeys = issues.reduce(
      (sum, issue) => sum + (issue.path.length === 0 ? (issue.keys?.length ?? 0) : 0),
      0,
    );
    const missingKeys = issues.filter(
      (issue) => issue.path.length === 1 && getValueAt(foundValue, issue.path) === undefined,
    ).length;
    return wrongShapePenalty + wrongKindPenalty + (unknownKeys + missingKeys) * 4 + issues.length;
  };
  return branches.reduce((best, branch) => (score(branch) < score(best) ? branch : best));
}

function getValueAt(rootValue: unknown, path: YamlPath): unknown {
  let current: unknown = rootValue;
  for (const part of path) {
    if (current === null || typeof current !== 'object') return undefined;
    current = (current as Record<string | number, unknown>)[part];
  }
  return current;
}

type JsonSchema = Record<string, unknown>;
/** The JSON Schemas that a value at this path can satisfy. */
function findAlternativesAt(schema: JsonSchema, path: YamlPath): JsonSchema[] {
  let schemas: JsonSchema[] = [schema];
  for (const part of path)
    schemas = schemas.flatMap(expandAlternatives).flatMap((item) => findChildSchemas(item, part));
  return schemas.flatMap(expandAlternatives);
}

const getProperties = (schema: JsonSchema): Record<string, JsonSchema> =>
  (schema['properties'] ?? {}) as Record<string, JsonSchema>;

/** Explains an unknown `kind`, or keys that no alternative of this kind has. */
function explainKeyFault(
  alternatives: JsonSchema[],
  path: YamlPath,
  foundValue: unknown,
  problemAt: ProblemFactory,
): ProjectProblem[] {
  if (typeof foundValue !== 'object' || foundValue === null || Array.isArray(foundValue)) return [];
  const objects = alternatives.filter((item) => item['properties']);
  const foundKind = (foundValue as Record<string, unknown>)['kind'];
  const kinds = objects.map((item) => getProperties(item)['kind']).filter((item) => item !== undefined);
  const isOfKind = (item: JsonSchema): boolean => {
    const { const: constant, pattern }: JsonSchema = getProperties(item)['kind'] ?? {};
    if (foundKind === undefined || typeof foundKind !== 'string') return true;
    return pattern ? new RegExp(String(pattern)).test(foundKind) : constant === undefined || constant === foundKind;
  };
  const candidates = objects.filter(isOfKind);
  if (kinds.length > 0 && candidates.length === 0) {
    const names = [
      ...new Set(kinds.flatMap(({ const: constant }) => (constant === undefined ? [] : String(constant)))),
    ];
    return [problemAt([...path, 'kind'], 'invalid', createUnknownNameMessage('kind', String(foundKind), names))];
  }
  if (candidates.some((item) => item['additionalProperties'] !== false)) return [];
  const validKeys = [...new Set(candidates.flatMap((item) => Object.keys(getProperties(item))))];
  return Object.keys(foundValue)
    .filter((key) => !validKeys.includes(key))
    .map((key) =>
      problemAt([...path, key], 'unknown_key', createUnknownNameMessage('key', key, validKeys), { key: true }),
    );
}

/** A key of another alternative can't be combined with the keys of this one. */
function describeUnknownKey(key: string, alternatives: JsonSchema[], foundValue: unknown): string {
  const present = Object.keys((foundValue ?? {}) as object);
  const keySets = alternatives.map((item) => Object.keys(getProperties(item)));
  const otherKeys = keySets
    .filter((keys) => keys.includes(key))
    .map((keys) => present.find((item) => !keys.includes(item)))
    .find((item) => item !== undefined);
  if (otherKeys) return `"${key}" can't be combined with "${otherKeys}". Remove one of them.`;
  const sharedCount = (keys: string[]): number => keys.filter((item) => present.includes(item)).length;
  return createUnknownNameMessage('key', key, keySets.sort((a, b) => sharedCount(b) - sharedCount(a))[0] ?? []);
}
const expandAlternatives = (schema: JsonSchema): JsonSchema[] =>
  ['anyOf', 'oneOf', 'allOf'].reduce<JsonSchema[]>(
    (schemas, word) => schemas.concat(((schema[word] ?? []) as JsonSchema[]).flatMap(expandAlternatives)),
    schema['properties'] || schema['items'] || schema['additionalProperties'] ? [schema] : [],
  );
function findChildSchemas(schema: JsonSchema, part: string | number): JsonSchema[] {
  const property = (schema['properties'] as Record<string, JsonSchema> | undefined)?.[part];
  const otherSchema = typeof part === 'number' ? schema['items'] : schema['additionalProperties'];
  const nextSchema = property ?? otherSchema;
  return nextSchema && typeof nextSchema === 'object' ? [nextSchema as JsonSchema] : [];
}

const removePositionAndDetails = (message: string): string =>
  (message.split('\n')[0] ?? message).replace(/ at line \d+, column \d+:?$/, '.');
