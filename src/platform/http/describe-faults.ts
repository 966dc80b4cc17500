// Converts zod issues to problem details, with the path of the error and the nearest valid name for a misspelled one.
import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import type { ProblemDetail } from '../../contract/problem.ts';
import { createIssueMessage } from './issue-message.ts';

type ZodIssue = z.core.$ZodIssue;
type JsonSchema = { [key: string]: unknown };
interface SchemaRoot {
  schema: z.ZodType;
  kind: unknown;
}

const MAX_FAULTS = 50;

/** Returns only the first errors. In a union, the member `kind` of `input` selects the branch to report. */
export function describeFaults(error: z.ZodError, schema: z.ZodType, input?: unknown): ProblemDetail[] {
  const root: SchemaRoot = { schema, kind: (input as { kind?: unknown } | null | undefined)?.kind };
  const details = error.issues.slice(0, MAX_FAULTS).flatMap((issue) => describeIssue(issue, issue.path, root));
  const omittedCount = Math.max(0, error.issues.length - MAX_FAULTS) + Math.max(0, details.length - MAX_FAULTS);
  if (omittedCount === 0) return details;
  return [
    ...details.slice(0, MAX_FAULTS),
    { path: '', code: 'more', message: 'There are more errors. Fix these first.' },
  ];
}

export const formatFault = ({ path, message }: ProblemDetail): string =>
  path === '' ? message : `${path}: ${message}`;

export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  );
}

export function findNearestName(name: string, candidates: readonly string[]): string | null {
  const longerCandidate = name.length > 2 && candidates.find((candidate) => candidate.startsWith(name));
  if (longerCandidate) return longerCandidate;
  const nearestCandidate = candidates
    .map((candidate) => ({ candidate, edits: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)[0];
  return nearestCandidate && nearestCandidate.edits <= Math.max(2, Math.floor(name.length / 3))
    ? nearestCandidate.candidate
    : null;
}

function describeIssue(issue: ZodIssue, path: readonly PropertyKey[], root: SchemaRoot): ProblemDetail[] {
  if (issue.code === 'unrecognized_keys') {
    const validKeys = findKnownKeys(root, path);
    return issue.keys.slice(0, MAX_FAULTS + 1).map((key) => {
      const suggestion = validKeys.includes(key) ? null : findNearestName(key, validKeys);
      const hint = suggestion ? `Did you mean “${suggestion}”?` : `Allowed here: ${validKeys.join(', ') || 'none'}.`;
      return {
        path: formatPath([...path, truncateKey(key)]),
        code: 'unknown_key',
        message: validKeys.includes(key)
          ? `“${truncateKey(key)}” can't be combined with the other members here. Remove one of them. Allowed here: ${validKeys.join(', ')}.`
          : `“${truncateKey(key)}” is not a member here. ${hint}`,
      };
    });
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const alternatives = listAlternativeNames(issue.errors);
    if (alternatives.length > 1)
      return [{ path: formatPath(path), code: 'missing', message: `Give one of ${alternatives.join(', ')}.` }];
    const nearestBranch = [...issue.errors].sort(
      (a, b) => computeBranchDistance(a) - computeBranchDistance(b) || findGreatestDepth(b) - findGreatestDepth(a),
    )[0]!;
    if (findGreatestDepth(nearestBranch) > 0 || nearestBranch.some(({ code }) => code === 'unrecognized_keys')) {
      return nearestBranch.flatMap((innerIssue) => describeIssue(innerIssue, [...path, ...innerIssue.path], root));
    }
  }
  const isAbsent = isMissing(issue) || (issue.code === 'invalid_union' && issue.errors.flat().some(isMissing));
  const missingText = path.length > 0 ? 'Required.' : 'The body is required.';
  return [
    {
      path: formatPath(path),
      code: isAbsent ? 'missing' : issue.code,
      message: isAbsent ? missingText : toSentence(describeExpectation(issue)),
    },
  ];
}

/** Lists the members that select a branch of a union, for the error message of an object that has none of them. */
function listAlternativeNames(branches: ZodIssue[][]): string[] {
  const issues = branches.flat();
  const isOpen = issues.every(({ code, path }) => code !== 'unrecognized_keys' && path.length === 1);
  return isOpen && issues.some(isMissing) ? [...new Set(issues.map(({ path }) => String(path[0])))] : [];
}
/** Estimates how many changes the input needs to fit a branch of a union. */
const computeBranchDistance = (issues: ZodIssue[]): number =>
  issues.reduce(
    (sum, issue) =>
      sum +
      (issue.code === 'unrecognized_keys'
        ? 3 * issue.keys.length
        : isMissing(issue)
          ? 3
          : issue.path[0] === 'kind'
            ? 12
            : issue.path.length === 0
              ? 9
              : 1),
    0,
  );

const isMissing = (issue: ZodIssue): boolean =>
  issue.code === 'invalid_type' && issue.message.endsWith('received undefined');

const EXPECTATION_PREFIX = 'must be ';

function describeExpectation(issue: ZodIssue): string {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'invalid_type' && issue.message.endsWith('received NaN')) return 'must be a number';
  if (issue.code === 'invalid_union' && issue.message === 'Invalid input') {
    const alternatives = [...new Set(issue.errors.flat().map(createIssueMessage))];
    const expectations = alternatives.flatMap((text) =>
      text.startsWith(EXPECTATION_PREFIX) ? [text.slice(EXPECTATION_PREFIX.length)] : [],
    );
    if (expectations.length > 0 && expectations.length === alternatives.length)
      return `${EXPECTATION_PREFIX}${expectations.join(' or ')}`;
    if (alternatives.length > 0) return `matches none of the alternatives: ${alternatives.join('; ')}`;
  }
  return createIssueMessage(issue);
}

const toSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

const findGreatestDepth = (issues: ZodIssue[]): number => Math.max(0, ...issues.map((issue) => issue.path.length));
const truncateKey = (key: string): string => (key.length > 100 ? `${key.slice(0, 100)}…` : key);

const jsonSchemas = new WeakMap<z.ZodType, JsonSchema>();

function findKnownKeys({ schema, kind }: SchemaRoot, path: readonly PropertyKey[]): string[] {
  const root =
    jsonSchemas.get(schema) ?? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema);
  jsonSchemas.set(schema, root);
  const definitions = (root['$defs'] ?? {}) as Record<string, JsonSchema>;
  const shapesOf = (node: JsonSchema | undefined, nestingDepth = 0): JsonSchema[] => {
    if (!node || nestingDepth > 8) return [];
    const definitionName = String(node['$ref'] ?? '').replace('#/$defs/', '');
    const alternatives = [...((node['anyOf'] ?? []) as JsonSchema[]), ...((node['oneOf'] ?? []) as JsonSchema[])];
    if (definitionName !== '')
      alternatives.push(...(Object.hasOwn(definitions, definitionName) ? [definitions[definitionName]!] : []));
    return alternatives.length > 0
      ? alternatives.flatMap((alternative) => shapesOf(alternative, nestingDepth + 1))
      : [node];
  };
  const allShapes = shapesOf(root);
  const shapesOfKind = allShapes.filter(
    ({ properties }) => (properties as Record<string, JsonSchema> | undefined)?.['kind']?.['const'] === kind,
  );
  let shapes = kind === undefined || shapesOfKind.length === 0 ? allShapes : shapesOfKind;
  for (const part of path)
    shapes = shapes.flatMap((node) =>
      shapesOf(
        (typeof part === 'number'
          ? node['items']
          : (node['properties'] as JsonSchema | undefined)?.[String(part)]) as JsonSchema,
      ),
    );
  return [...new Set(shapes.flatMap((shape) => Object.keys((shape['properties'] as JsonSchema | undefined) ?? {})))];
}
