// Explains the issues of zod in terms of the input. In a union, it explains only the alternative that the author
// probably meant.
import { z } from 'zod';
import { createUnknownNameMessage } from './closest-names.ts';
import { createIssueMessage } from './issue-message.ts';

type ZodIssue = z.core.$ZodIssue;
type JsonSchema = Record<string, unknown>;
type ValuePath = readonly (string | number)[];
interface CheckedInput {
  schema: z.ZodType;
  input: unknown;
}
export interface IssueExplanation {
  path: ValuePath;
  /** `missing`, `unknown_key`, or a code of zod. */
  code: string;
  /** A rule, such as "must be text", or a sentence. */
  message: string;
  /** True if the explanation is about the key, not about its value. */
  isAboutKey?: true;
  /** The given value and the valid ones. */
  choice?: { given: string; valid: string[] };
}
const MAX_KEY_LENGTH = 100;
const MAX_KEYS = 200;

export function explainIssue(issue: ZodIssue, checked: CheckedInput, parentPath: ValuePath = []): IssueExplanation[] {
  const path = [...parentPath, ...(issue.path as (string | number)[])];
  const { code } = issue;
  const value = getValueAt(checked.input, path);
  if (value === undefined && code !== 'custom' && code !== 'unrecognized_keys')
    return [{ path, code: 'missing', message: 'Required.', isAboutKey: true }];
  if (code === 'unrecognized_keys')
    return explainUnknownKeys(issue.keys, path, createKeyDescriber(findAlternativesAt(checked.schema, path), value));
  if (code === 'invalid_union' && issue.errors.length > 0) {
    const keyFaults = explainKeys(findAlternativesAt(checked.schema, path), path, value);
    if (keyFaults.some((fault) => fault.code !== 'unknown_key')) return keyFaults;
    const alternatives = keyFaults.length > 0 ? [] : listAlternativeNames(issue.errors);
    if (alternatives.length > 1) return [{ path, code: 'missing', message: `Give one of ${alternatives.join(', ')}.` }];
    const branch = findClosestBranch(issue.errors, value);
    const isInside = branch.some((inner) => inner.path.length > 0 || inner.code === 'unrecognized_keys');
    if (keyFaults.length > 0 || isInside) {
      const otherIssues = branch.filter(
        (inner) =>
          keyFaults.length === 0 ||
          (inner.code !== 'unrecognized_keys' && inner.path.length > 0 && getValueAt(value, inner.path) !== undefined),
      );
      return [...keyFaults, ...otherIssues.flatMap((inner) => explainIssue(inner, checked, path))];
    }
  }
  if (code === 'invalid_key') {
    const rule = issue.issues[0]?.message;
    const message = `The name "${String(path.at(-1))}" ${rule?.startsWith('must') ? rule : 'is not a valid name'}.`;
    return [{ path, code, message, isAboutKey: true }];
  }
  const explanation = { path, code, message: createIssueMessage(issue) };
  if (code !== 'invalid_value' || typeof value === 'object') return [explanation];
  return [{ ...explanation, choice: { given: String(value), valid: issue.values.map(String) } }];
}

const explainUnknownKeys = (keys: string[], path: ValuePath, describe: (key: string) => string): IssueExplanation[] =>
  keys.slice(0, MAX_KEYS).map((key) => {
    const shownKey = key.length > MAX_KEY_LENGTH ? `${key.slice(0, MAX_KEY_LENGTH)}…` : key;
    return { path: [...path, shownKey], code: 'unknown_key', message: describe(shownKey), isAboutKey: true };
  });

/** Lists the members that select a branch of a union, for an object that has none of them. */
function listAlternativeNames(branches: ZodIssue[][]): string[] {
  const issues = branches.flat();
  const isOpen = issues.every(({ code, path }) => code !== 'unrecognized_keys' && path.length === 1);
  const hasAbsentMember = issues.some(({ message }) => message.endsWith('received undefined'));
  return isOpen && hasAbsentMember ? [...new Set(issues.map(({ path }) => String(path[0])))] : [];
}

/** The branch that the author probably meant: its constant members (such as kind) match, and its issues are few. */
function findClosestBranch(branches: ZodIssue[][], value: unknown): ZodIssue[] {
  const wrongShapes = ['invalid_type', ...(typeof value === 'object' ? ['invalid_value'] : [])];
  const score = (issues: ZodIssue[]): number =>
    issues.length +
    (issues.some(({ path, code }) => path.length === 0 && wrongShapes.includes(code)) ? 100 : 0) +
    (issues.some(({ path, code }) => path.at(-1) === 'kind' || (path.length === 0 && code === 'custom')) ? 50 : 0) +
    issues.reduce((sum, { path, ...issue }) => {
      if (path.length === 0) return sum + 4 * ('keys' in issue ? issue.keys.length : 0);
      return path.length === 1 && getValueAt(value, path) === undefined ? sum + 4 : sum;
    }, 0);
  return branches.reduce((best, branch) => (score(branch) < score(best) ? branch : best));
}

function getValueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let current = root;
  for (const part of path) {
    if (current === null || typeof current !== 'object') return undefined;
    current = (current as Record<PropertyKey, unknown>)[part];
  }
  return current;
}

/** The members whose value selects an alternative. */
const SELECTORS = ['kind', 'fn'];
const isSelected = (alternative: JsonSchema, value: object): boolean =>
  SELECTORS.every((name) => {
    const given = (value as Record<string, unknown>)[name];
    const { const: constant, enum: choices, pattern }: JsonSchema = getProperties(alternative)[name] ?? {};
    if (typeof given !== 'string') return true;
    if (pattern) return new RegExp(String(pattern)).test(given);
    return constant === undefined ? !Array.isArray(choices) || choices.includes(given) : constant === given;
  });

/** Explains an unknown `kind`, or keys that no alternative of this kind has. */
function explainKeys(alternatives: JsonSchema[], path: ValuePath, value: unknown): IssueExplanation[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const candidates = alternatives.filter((item) => isSelected(item, value));
  if (candidates.length === 0) {
    const kinds = alternatives.flatMap((item) => getProperties(item)['kind']?.['const'] ?? []);
    const choice = { given: String((value as { kind?: unknown }).kind), valid: [...new Set(kinds.map(String))] };
    const message = `must be one of ${choice.valid.join(', ')}`;
    return kinds.length > 0 ? [{ path: [...path, 'kind'], code: 'invalid_value', message, choice }] : [];
  }
  if (candidates.some((item) => item['additionalProperties'] !== false)) return [];
  const validKeys = [...new Set(candidates.flatMap((item) => Object.keys(getProperties(item))))];
  const unknownKeys = Object.keys(value).filter((key) => !validKeys.includes(key));
  return explainUnknownKeys(unknownKeys, path, (key) => createUnknownNameMessage('key', key, validKeys));
}

/** A key of another alternative can't be combined with the keys of this one. */
function createKeyDescriber(alternatives: JsonSchema[], value: unknown): (key: string) => string {
  const object = (value ?? {}) as object;
  const presentKeys = new Set(Object.keys(object));
  const selectedAlternatives = alternatives.filter((item) => isSelected(item, object));
  const keySets = (selectedAlternatives.length > 0 ? selectedAlternatives : alternatives).map((item) =>
    Object.keys(getProperties(item)),
  );
  const countShared = (keys: string[]): number => keys.filter((item) => presentKeys.has(item)).length;
  const [closestKeys = []] = keySets.toSorted((a, b) => countShared(b) - countShared(a));
  return (key) => {
    const otherKey = keySets
      .filter((keys) => keys.includes(key))
      .flatMap((keys) => [...presentKeys].find((item) => !keys.includes(item)) ?? [])[0];
    return otherKey === undefined
      ? createUnknownNameMessage('key', key, closestKeys)
      : `"${key}" can't be combined with "${otherKey}". Remove one of them.`;
  };
}

const jsonSchemas = new WeakMap<z.ZodType, JsonSchema>();

/** The JSON Schemas that a value at this path can satisfy. */
function findAlternativesAt(schema: z.ZodType, path: ValuePath): JsonSchema[] {
  const root = jsonSchemas.get(schema) ?? z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  jsonSchemas.set(schema, root as JsonSchema);
  const definitions = ((root as JsonSchema)['$defs'] ?? {}) as Record<string, JsonSchema>;
  const expand = (node: JsonSchema): JsonSchema[] => {
    const definition = definitions[String(node['$ref'] ?? '').replace('#/$defs/', '')];
    const alternatives = [...(definition ? [definition] : []), ...[node['anyOf'], node['oneOf'], node['allOf']].flat()];
    return [node, ...(alternatives as (JsonSchema | undefined)[]).flatMap((item) => (item ? expand(item) : []))];
  };
  // Removes duplicates. Otherwise, the nodes of a recursive schema would double at each level of a nested value.
  return path
    .reduce(
      (nodes, part) => [...new Set(nodes.flatMap((node) => findChildSchemas(node, part).flatMap(expand)))],
      expand(root),
    )
    .filter((node) => node['properties']);
}

const getProperties = (schema: JsonSchema): Record<string, JsonSchema> =>
  (schema['properties'] ?? {}) as Record<string, JsonSchema>;

function findChildSchemas(schema: JsonSchema, part: string | number): JsonSchema[] {
  const properties = getProperties(schema);
  const otherSchema = typeof part === 'number' ? schema['items'] : schema['additionalProperties'];
  const child = Object.hasOwn(properties, part) ? properties[part] : otherSchema;
  return child && typeof child === 'object' ? [child as JsonSchema] : [];
}
