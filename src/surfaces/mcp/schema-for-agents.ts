// Shortens a zod schema for agents, because every client keeps the list of tools in its context. Leaves out limits,
// which calls check and report, merges the functions of a union into one list, and defines repeated parts once.
import { z } from 'zod';

export type JsonSchema = { [key: string]: unknown };

const LIMIT_KEYWORDS = new Set(
  [
    'minLength',
    'maxLength',
    'pattern',
    'minItems',
    'maxItems',
    'minProperties',
    'maxProperties',
    'propertyNames',
  ].concat(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']),
);
/** Keywords whose members are names instead of keywords. */
const NAME_MAPS = new Set(['properties', '$defs']);
const REF = '#/$defs/';
/** A definition must save at least this many characters. */
const MIN_SAVED_LENGTH = 30;

export function schemaForAgents(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...written } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  }) as JsonSchema;
  const shapes = mapNodes(written, (node) => asOneShape(asOneType(withoutLimits(node))));
  const short = mapNodes(shapes, ({ required: __, ...node }) => node) as JsonSchema;
  const lifted = JSON.stringify(liftShared(short)).replaceAll(/(?<="|\$defs\/)Plan(?=[A-Z]\w*")/g, '');
  const { required } = written; // a call reports missing members of deeper levels
  return {
    ...{ type: 'object', properties: {}, ...(JSON.parse(lifted) as JsonSchema) },
    ...(required ? { required } : {}),
    additionalProperties: false,
  };
}

/** Visits each node after its children. */
function mapNodes(value: unknown, change: (node: JsonSchema) => JsonSchema, names = false): unknown {
  if (Array.isArray(value)) return value.map((item) => mapNodes(item, change));
  if (!isNode(value)) return value;
  const mapped = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mapNodes(inner, change, !names && NAME_MAPS.has(key))]),
  );
  if (names) return mapped;
  const { description, ...rest } = change(mapped);
  return description === undefined ? rest : { ...rest, description }; // last, so that equal nodes produce equal JSON
}

function withoutLimits(node: JsonSchema): JsonSchema {
  const listed = 'const' in node || 'enum' in node;
  const entries = Object.entries(node).filter(
    ([key, value]) =>
      !LIMIT_KEYWORDS.has(key) &&
      !(key === 'additionalProperties' && value === false) &&
      !(key === 'type' && listed) &&
      !(key === 'default' && Array.isArray(value)),
  );
  return Object.fromEntries(entries);
}

function asOneType(node: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = node;
  const isPlainType = (branch: JsonSchema) =>
    Object.keys(branch).every((key) => key === 'type' || key === 'description');
  if (!Array.isArray(anyOf) || !anyOf.every(isPlainType)) return node;
  return { type: [...new Set(anyOf.map(({ type }) => type))], ...rest };
}

/** Merges alternative objects into one object with all members, and lists the members of each alternative. */
function asOneShape(node: JsonSchema): JsonSchema {
  const { anyOf, oneOf, ...rest } = node;
  const branches = ((anyOf ?? oneOf ?? []) as JsonSchema[]).flatMap(
    (branch) => (branch['oneOf'] as JsonSchema[]) ?? [branch],
  );
  const objects = branches.filter((branch) => isNode(branch['properties']));
  if (objects.length < 2) return node;
  const shapes = objects.map((branch) => shapeOf(branch));
  const everywhere = Object.keys(shapes[0]!.members).filter((name) =>
    shapes.every(({ members }) => name in members && name !== 'fn'),
  );
  const list = shapes.map(({ title, members, required }) => {
    const ownMembers = Object.keys(members).filter((name) => name !== title.by && !everywhere.includes(name));
    const memberList = ownMembers.map((name) => (required.includes(name) ? name : `${name}?`)).join(', ');
    return `${title.text}${memberList && `(${memberList})`}${title.says && `: ${title.says}`}`;
  });
  const properties: Record<string, JsonSchema> = {};
  for (const name of new Set(shapes.flatMap(({ members }) => Object.keys(members))))
    properties[name] = mergeMember(shapes.filter(({ members }) => name in members).map((shape) => [shape, name]));
  if (properties['fn']) properties['fn'] = { type: 'string' };
  const merged = { type: 'object', description: `One of ${list.join('; ')}`, properties };
  const others = branches.filter((branch) => !objects.includes(branch));
  return others.length > 0 ? { ...rest, anyOf: [...others, merged] } : { ...merged, ...rest };
}

interface Alternative {
  members: Record<string, JsonSchema>;
  required: string[];
  title: { by: string; text: string; says: string };
}
/** The name of a shape: its function, otherwise its first required member. */
function shapeOf(branch: JsonSchema): Alternative {
  const members = branch['properties'] as Record<string, JsonSchema>;
  const required = (branch['required'] ?? []) as string[];
  const { fn } = members;
  const by = fn ? 'fn' : required[0]!;
  const text = fn ? ((fn['enum'] ?? [fn['const']]) as string[]).join('|') : by;
  return { members, required, title: { by, text, says: String(fn?.['description'] ?? '') } };
}

/**
 * Merges a member of several shapes into one schema. If a description applies to one shape, it starts with that shape's
 * name.
 */
function mergeMember(found: readonly (readonly [Alternative, string])[]): JsonSchema {
  const variants = new Map<string, { bare: JsonSchema; of: number; says: [string, string][] }>();
  for (const [{ members, title }, name] of found) {
    const { description, ...bare } = members[name]!;
    const variant = variants.get(JSON.stringify(bare)) ?? { bare, of: 0, says: [] };
    if (typeof description === 'string') variant.says.push([title.text, description]);
    variants.set(JSON.stringify(bare), { ...variant, of: variant.of + 1 });
  }
  const written = [...variants.values()].map(({ bare, of, says }) => {
    const alone = says.length === 1 && of > 1;
    const descriptions = new Set(says.map(([title, text]) => (alone ? `${title}: ${text}` : text)));
    return descriptions.size > 0 ? { ...bare, description: [...descriptions].join('; ') } : bare;
  });
  return written.length === 1 ? written[0]! : { anyOf: written };
}

/**
 * Repeatedly moves the part that saves most into a definition, until no part saves enough. Descriptions that occur once
 * stay in place.
 */
function liftShared(root: JsonSchema): JsonSchema {
  const { $defs, ...body } = root;
  const definitions = { ...($defs as Record<string, JsonSchema> | undefined) };
  let rest: JsonSchema = body;
  for (;;) {
    const best = bestToShare([rest, ...Object.values(definitions)]);
    if (!best) break;
    const existingName = Object.keys(definitions).find((key) => JSON.stringify(definitions[key]) === best.text);
    let name = existingName ?? best.name;
    for (let n = 2; !existingName && name in definitions; n++) name = `${best.name}${n}`;
    const point = (node: JsonSchema): JsonSchema => {
      const { description, ...bare } = node;
      if (JSON.stringify(node) === best.text) return { $ref: REF + name };
      return JSON.stringify(bare) === best.text ? { description, $ref: REF + name } : node;
    };
    rest = mapNodes(rest, point) as JsonSchema;
    for (const key of Object.keys(definitions))
      if (key !== existingName) definitions[key] = mapNodes(definitions[key], point) as JsonSchema;
    definitions[name] = JSON.parse(best.text) as JsonSchema;
  }
  return Object.keys(definitions).length > 0 ? { ...rest, $defs: definitions } : rest;
}

function bestToShare(roots: readonly JsonSchema[]): { text: string; name: string } | null {
  const seen = new Map<string, { name: string; times: number }>();
  const note = (node: JsonSchema, name: string): void => {
    const text = JSON.stringify(node);
    seen.set(text, { name: seen.get(text)?.name ?? name, times: (seen.get(text)?.times ?? 0) + 1 });
  };
  const visit = (value: unknown, name: string, names: boolean, part: boolean): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, name, false, true);
    if (!isNode(value)) return;
    if (part && !names) {
      note(value, name);
      const { description, ...bare } = value;
      if (description !== undefined) note(bare, name);
    }
    for (const [key, inner] of Object.entries(value))
      visit(inner, names ? key : name, !names && NAME_MAPS.has(key), true);
  };
  for (const root of roots) visit(root, 'part', false, false);
  const saved = (text: string, name: string, times: number): number =>
    (times - 1) * text.length - times * (REF.length + name.length + 11) - name.length - 4;
  let best = { text: '', name: '', saves: 0 };
  for (const [text, { name, times }] of seen) {
    const saves = saved(text, name, times);
    if (saves > best.saves) best = { text, name, saves };
  }
  return best.saves > MIN_SAVED_LENGTH ? best : null;
}

const isNode = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
