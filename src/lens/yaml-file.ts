// YAML text -> a checked value, every fault with the line and column of the node it is about.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Document, isMap, isNode, isPair, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { jsonSchemas, type ProjectFileKind, projectSchemas } from '../contract/project-files.ts';
import { whatWasExpected } from '../platform/what-was-expected.ts';
import { type ProjectProblem, unknownName } from './project-problem.ts';

type Path = readonly (string | number)[];
/** A problem at a path of this file; `key` points at the key instead of its value. */
export type Complain = (
  at: Path,
  code: string,
  message: string,
  more?: { key?: boolean; severity?: 'warning' },
) => ProjectProblem;

export interface YamlFile<T> {
  value: T | null;
  problems: ProjectProblem[];
  complain: Complain;
}

const MAX_FILE = 2_000_000;
const MAX_ALIASES = 50;
/** Escapes in double quotes can say what no database stores. */
const UNFIT = /\0|[\ud800-\udfff]/u;

/** Faultless values by content: a project is sent whole each time, and little of it is new. Shared, hence frozen.
 *  Never of svc.config.yaml, which may hold secrets. */
const faultless = new LRUCache<string, object>({ maxSize: 16_000_000 });

export function parseYamlFile<K extends ProjectFileKind>(
  kind: K,
  path: string,
  text: string,
): YamlFile<z.infer<(typeof projectSchemas)[K]>> {
  if (kind === 'config') return parseAnew(kind, path, text);
  const key = createHash('sha256').update(`${kind}\n${text}`).digest('base64');
  const known = faultless.get(key);
  if (known) {
    let place: Complain | undefined;
    const complain: Complain = (...said) => {
      place ??= complainOf(path, ...readDocument(text));
      return place(...said);
    };
    return { value: known as z.infer<(typeof projectSchemas)[K]>, problems: [], complain };
  }
  const parsed = parseAnew(kind, path, text);
  if (parsed.value && parsed.problems.length === 0)
    faultless.set(key, frozen(parsed.value), { size: Math.max(1, text.length) });
  return parsed;
}

const frozen = <T>(value: T): T => {
  if (value === null || typeof value !== 'object') return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
};

function readDocument(text: string): [Document, LineCounter] {
  const lines = new LineCounter();
  return [parseDocument(text.length > MAX_FILE ? '' : text, { lineCounter: lines, uniqueKeys: true }), lines];
}

const complainOf =
  (path: string, doc: Document, lines: LineCounter): Complain =>
  (at, code, message, more = {}) => ({
    path,
    ...position(doc, lines, at, more.key ?? false),
    pointer: at.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    code,
    message,
    severity: more.severity ?? 'error',
  });

function parseAnew<K extends ProjectFileKind>(
  kind: K,
  path: string,
  text: string,
): YamlFile<z.infer<(typeof projectSchemas)[K]>> {
  const [doc, lines] = readDocument(text);
  const complain = complainOf(path, doc, lines);
  const failed = (problems: ProjectProblem[]) => ({ value: null, problems, complain });
  if (text.length > MAX_FILE) return failed([complain([], 'too_large', 'The file is larger than 2 MB; split it.')]);
  if (doc.errors.length > 0) {
    return failed(
      doc.errors.map((error) => ({
        ...complain([], error.code === 'DUPLICATE_KEY' ? 'duplicate_key' : 'yaml', firstLine(error.message)),
        ...placed(lines, error.pos[0]),
      })),
    );
  }
  let aliases = 0;
  const unfit: number[] = [];
  visit(doc, {
    Alias: () => void aliases++,
    Scalar: (_key, { value, range }) =>
      void (typeof value === 'string' && UNFIT.test(value) && unfit.push(range?.[0] ?? 0)),
  });
  if (unfit.length > 0)
    return failed(
      unfit.map((offset) => ({
        ...complain([], 'invalid', 'This text holds a NUL character or half of a surrogate pair. Write it without.'),
        ...placed(lines, offset),
      })),
    );
  if (aliases > MAX_ALIASES)
    return failed([complain([], 'yaml', 'The file uses too many YAML aliases; write it out.')]);
  let plain: unknown;
  try {
    plain = doc.toJS({ maxAliasCount: MAX_ALIASES }) ?? (kind === 'certified' || kind === 'evals' ? [] : {});
  } catch {
    return failed([complain([], 'yaml', 'The YAML aliases expand without bound; write the values out.')]);
  }
  const parsed = projectSchemas[kind].safeParse(plain);
  if (parsed.success) return { value: parsed.data as z.infer<(typeof projectSchemas)[K]>, problems: [], complain };
  const problems = parsed.error.issues.flatMap((issue) => explain(issue as Issue, [], plain, kind, complain));
  return failed(problems);
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

function explain(
  issue: Issue,
  above: Path,
  plain: unknown,
  kind: ProjectFileKind,
  complain: Complain,
): ProjectProblem[] {
  const at = [...above, ...issue.path];
  const found = valueAt(plain, at);
  if (issue.code === 'invalid_union' && issue.errors && issue.errors.length > 0) {
    const branch = bestBranch(issue.errors, found);
    return branch.flatMap((inner) => explain(inner, at, plain, kind, complain));
  }
  if (issue.code === 'unrecognized_keys') {
    const valid = keysAt(jsonSchemas[kind], at, found);
    return (issue.keys ?? []).map((key) =>
      complain([...at, key], 'unknown_key', unknownName('key', key, valid), { key: true }),
    );
  }
  if (issue.code === 'invalid_key')
    return [complain(at, 'invalid', `The name "${String(at.at(-1))}" ${keyRule(issue)}.`, { key: true })];
  if (found === undefined && issue.path.length > 0)
    return [complain(at.slice(0, -1), 'missing_key', `The key "${String(at.at(-1))}" is missing.`, { key: true })];
  const name = String(at.at(-1) ?? 'file');
  if (issue.code === 'invalid_value' && issue.values)
    return [complain(at, 'invalid', unknownName(name, String(found), issue.values.map(String)))];
  const expected = whatWasExpected(issue as z.core.$ZodIssue);
  const subject = at.length === 0 ? 'The file' : `"${name}"`;
  const rule = expected.startsWith('must') ? `${subject} ${expected}` : `${subject}: ${expected}`;
  return [complain(at, 'invalid', rule.endsWith('.') ? rule : `${rule}.`)];
}

const keyRule = (issue: Issue): string => {
  const inner = (issue as unknown as { issues?: { message: string }[] }).issues?.[0]?.message;
  return inner?.startsWith('must') ? inner : 'is not a valid name';
};

/** The branch the writer meant: the one whose fixed words (kind) fit and that complains least, deepest first. */
function bestBranch(branches: Issue[][], found: unknown): Issue[] {
  const score = (issues: Issue[]): number => {
    const wrongShape = issues.some((issue) => issue.path.length === 0 && issue.code === 'invalid_type') ? 100 : 0;
    const wrongKind = issues.some((issue) => issue.path.at(-1) === 'kind') ? 50 : 0;
    const strangers = issues.reduce((sum, issue) => sum + (issue.path.length === 0 ? (issue.keys?.length ?? 0) : 0), 0);
    const missing = issues.filter(
      (issue) => issue.path.length === 1 && valueAt(found, issue.path) === undefined,
    ).length;
    return wrongShape + wrongKind + (strangers + missing) * 4 + issues.length;
  };
  return branches.reduce((best, branch) => (score(branch) < score(best) ? branch : best));
}

function valueAt(plain: unknown, at: Path): unknown {
  let here: unknown = plain;
  for (const part of at) {
    if (here === null || typeof here !== 'object') return undefined;
    here = (here as Record<string | number, unknown>)[part];
  }
  return here;
}

type Schema = Record<string, unknown>;
/** The keys that the JSON Schema allows at a path; of several alternatives, those that share most keys with the value. */
function keysAt(schema: Schema, at: Path, found: unknown): string[] {
  let here: Schema[] = [schema];
  for (const part of at) here = here.flatMap(alternatives).flatMap((one) => step(one, part));
  const present = Object.keys((found ?? {}) as object);
  const sets = here.flatMap(alternatives).map((one) => Object.keys((one['properties'] ?? {}) as object));
  const shared = (keys: string[]): number => keys.filter((key) => present.includes(key)).length;
  return sets.sort((a, b) => shared(b) - shared(a))[0] ?? [];
}
const alternatives = (schema: Schema): Schema[] =>
  ['anyOf', 'oneOf', 'allOf'].reduce<Schema[]>(
    (all, word) => all.concat(((schema[word] ?? []) as Schema[]).flatMap(alternatives)),
    schema['properties'] || schema['items'] || schema['additionalProperties'] ? [schema] : [],
  );
function step(schema: Schema, part: string | number): Schema[] {
  const property = (schema['properties'] as Record<string, Schema> | undefined)?.[part];
  const other = typeof part === 'number' ? schema['items'] : schema['additionalProperties'];
  const next = property ?? other;
  return next && typeof next === 'object' ? [next as Schema] : [];
}

function position(doc: Document, lines: LineCounter, at: Path, key: boolean): { line: number; column: number } {
  for (let depth = at.length; depth >= 0; depth--) {
    const here = at.slice(0, depth);
    if (key || depth < at.length) {
      const parent = depth > 0 ? doc.getIn(here.slice(0, -1), true) : null;
      const pair = isMap(parent)
        ? parent.items.find((item) => isPair(item) && keyText(item.key) === String(here.at(-1)))
        : null;
      const start = pair && isNode(pair.key) ? pair.key.range?.[0] : undefined;
      if (start !== undefined) return placed(lines, start);
    }
    const node = depth === 0 ? doc.contents : doc.getIn(here, true);
    const start = isNode(node) ? node.range?.[0] : undefined;
    if (start !== undefined) return placed(lines, start);
  }
  return { line: 1, column: 1 };
}
const keyText = (key: unknown): string => String(isScalar(key) ? key.value : key);
const placed = (lines: LineCounter, offset: number): { line: number; column: number } => {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
};
const firstLine = (message: string): string =>
  (message.split('\n')[0] ?? message).replace(/ at line \d+, column \d+:?$/, '.');
