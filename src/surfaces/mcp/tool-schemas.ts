// Every client keeps the list of tools in its context, so svc shortens the schemas. svc omits limits, because errors
// report them. It also merges the schemas of the functions in a union into one schema, and defines repeated parts once.
// test/mcp/replies.test.ts checks the size.

import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { mcpTools, type ToolDescription } from '../../contract/mcp-tools.ts';

type JsonSchema = { [key: string]: unknown };

const LIMIT_KEYWORD_PATTERN = /^(min|max|exclusive|multipleOf|pattern|propertyNames)/;
/** The members of these keywords are names, not keywords. */
const NAME_KEYED_KEYWORDS = new Set(['properties', '$defs']);
const REF_PREFIX = '#/$defs/';
/** A definition must save at least this many characters. */
const MIN_SAVED_LENGTH = 30;

function toAgentSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...fullSchema } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  }) as JsonSchema;
  const shapes = mapSchemaNodes(fullSchema, (node) => mergeAlternatives(mergeTypes(withoutLimits(node))));
  const shortSchema = mapSchemaNodes(shapes, ({ required: __, ...node }) => node) as JsonSchema;
  const liftedText = JSON.stringify(moveSharedToDefinitions(shortSchema)).replaceAll(
    /(?<="|\$defs\/)Plan(?=[A-Z]\w*")/g,
    '',
  );
  const { required } = fullSchema; // leaves out `required` in nested objects, because errors report missing members
  return {
    ...{ type: 'object', properties: {}, ...(JSON.parse(liftedText) as JsonSchema) },
    ...(required ? { required } : {}),
    additionalProperties: false,
  };
}

function mapSchemaNodes(value: unknown, change: (node: JsonSchema) => JsonSchema, isNameMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => mapSchemaNodes(item, change));
  if (!isSchemaNode(value)) return value;
  const mappedNode = Object.fromEntries(
    Object.entries(value).map(([key, innerNode]) => [
      key,
      mapSchemaNodes(innerNode, change, !isNameMap && NAME_KEYED_KEYWORDS.has(key)),
    ]),
  );
  if (isNameMap) return mappedNode;
  const { description, ...rest } = change(mappedNode);
  // Equal nodes must produce equal JSON, so the description comes last.
  return description === undefined ? rest : { ...rest, description };
}

function withoutLimits(node: JsonSchema): JsonSchema {
  const isListed = 'const' in node || 'enum' in node;
  const entries = Object.entries(node).filter(
    ([key, value]) =>
      !LIMIT_KEYWORD_PATTERN.test(key) &&
      !(key === 'additionalProperties' && value === false) &&
      !(key === 'type' && isListed) &&
      !(key === 'default' && Array.isArray(value)),
  );
  return Object.fromEntries(entries);
}

function mergeTypes(node: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = node;
  const isPlainType = (branch: JsonSchema) =>
    Object.keys(branch).every((key) => key === 'type' || key === 'description');
  if (!Array.isArray(anyOf) || !anyOf.every(isPlainType)) return node;
  return { type: [...new Set(anyOf.map(({ type }) => type))], ...rest };
}

/** Merges alternative objects into one object with all members, and lists the members of each alternative. */
function mergeAlternatives(node: JsonSchema): JsonSchema {
  const { anyOf, oneOf, ...rest } = node;
  const branches = ((anyOf ?? oneOf ?? []) as JsonSchema[]).flatMap(
    (branch) => (branch['oneOf'] as JsonSchema[]) ?? [branch],
  );
  const objects = branches.filter((branch) => isSchemaNode(branch['properties']));
  if (objects.length < 2) return node;
  const shapes = objects.map((branch) => toObjectShape(branch));
  const sharedNames = Object.keys(shapes[0]!.members).filter((name) =>
    shapes.every(({ members }) => name in members && name !== 'fn'),
  );
  const list = shapes.map(({ title, members, required }) => {
    const ownMembers = Object.keys(members).filter((name) => name !== title.memberName && !sharedNames.includes(name));
    const memberList = ownMembers.map((name) => (required.includes(name) ? name : `${name}?`)).join(', ');
    return `${title.text}${memberList && `(${memberList})`}${title.description && `: ${title.description}`}`;
  });
  const properties: Record<string, JsonSchema> = {};
  for (const name of new Set(shapes.flatMap(({ members }) => Object.keys(members))))
    properties[name] = mergeMemberSchemas(
      shapes.filter(({ members }) => name in members).map((shape) => [shape, name]),
    );
  if (properties['fn']) properties['fn'] = { type: 'string' };
  const mergedSchema = { type: 'object', description: `One of ${list.join('; ')}`, properties };
  const otherBranches = branches.filter((branch) => !objects.includes(branch));
  return otherBranches.length > 0 ? { ...rest, anyOf: [...otherBranches, mergedSchema] } : { ...mergedSchema, ...rest };
}

interface ObjectShape {
  members: Record<string, JsonSchema>;
  required: string[];
  title: { memberName: string; text: string; description: string };
}
/** The title of a shape is its function, or otherwise its first required member. */
function toObjectShape(branch: JsonSchema): ObjectShape {
  const members = branch['properties'] as Record<string, JsonSchema>;
  const required = (branch['required'] ?? []) as string[];
  const { fn } = members;
  const memberName = fn ? 'fn' : required[0]!;
  const text = fn ? ((fn['enum'] ?? [fn['const']]) as string[]).join('|') : memberName;
  return { members, required, title: { memberName, text, description: String(fn?.['description'] ?? '') } };
}

/** A description that applies to one shape starts with that shape's name. */
function mergeMemberSchemas(shapesWithMember: readonly (readonly [ObjectShape, string])[]): JsonSchema {
  const variants = new Map<
    string,
    { plainSchema: JsonSchema; count: number; titledDescriptions: [string, string][] }
  >();
  for (const [{ members, title }, name] of shapesWithMember) {
    const { description, ...bare } = members[name]!;
    const variant = variants.get(JSON.stringify(bare)) ?? { plainSchema: bare, count: 0, titledDescriptions: [] };
    if (typeof description === 'string') variant.titledDescriptions.push([title.text, description]);
    variants.set(JSON.stringify(bare), { ...variant, count: variant.count + 1 });
  }
  const writtenVariants = [...variants.values()].map(({ plainSchema, count, titledDescriptions: says }) => {
    const isOnlyDescription = says.length === 1 && count > 1;
    const descriptions = new Set(says.map(([title, text]) => (isOnlyDescription ? `${title}: ${text}` : text)));
    return descriptions.size > 0 ? { ...plainSchema, description: [...descriptions].join('; ') } : plainSchema;
  });
  return writtenVariants.length === 1 ? writtenVariants[0]! : { anyOf: writtenVariants };
}

/** Each step moves the part that saves the most characters. Descriptions that occur once stay in place. */
function moveSharedToDefinitions(root: JsonSchema): JsonSchema {
  const { $defs, ...body } = root;
  const definitions = { ...($defs as Record<string, JsonSchema> | undefined) };
  let remainingSchema: JsonSchema = body;
  for (;;) {
    const bestShared = findBestSharedNode([remainingSchema, ...Object.values(definitions)]);
    if (!bestShared) break;
    const existingName = Object.keys(definitions).find((key) => JSON.stringify(definitions[key]) === bestShared.text);
    let name = existingName ?? bestShared.name;
    for (let n = 2; !existingName && name in definitions; n++) name = `${bestShared.name}${n}`;
    const replaceShared = (node: JsonSchema): JsonSchema => {
      const { description, ...bare } = node;
      if (JSON.stringify(node) === bestShared.text) return { $ref: REF_PREFIX + name };
      return JSON.stringify(bare) === bestShared.text ? { description, $ref: REF_PREFIX + name } : node;
    };
    remainingSchema = mapSchemaNodes(remainingSchema, replaceShared) as JsonSchema;
    for (const key of Object.keys(definitions))
      if (key !== existingName) definitions[key] = mapSchemaNodes(definitions[key], replaceShared) as JsonSchema;
    definitions[name] = JSON.parse(bestShared.text) as JsonSchema;
  }
  return Object.keys(definitions).length > 0 ? { ...remainingSchema, $defs: definitions } : remainingSchema;
}

function findBestSharedNode(roots: readonly JsonSchema[]): { text: string; name: string } | null {
  const seenNodes = new Map<string, { name: string; count: number }>();
  const countNode = (node: JsonSchema, name: string): void => {
    const text = JSON.stringify(node);
    seenNodes.set(text, { name: seenNodes.get(text)?.name ?? name, count: (seenNodes.get(text)?.count ?? 0) + 1 });
  };
  const visit = (value: unknown, name: string, names: boolean, isPart: boolean): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, name, false, true);
    if (!isSchemaNode(value)) return;
    if (isPart && !names) {
      countNode(value, name);
      const { description, ...bare } = value;
      if (description !== undefined) countNode(bare, name);
    }
    for (const [key, innerNode] of Object.entries(value))
      visit(innerNode, names ? key : name, !names && NAME_KEYED_KEYWORDS.has(key), true);
  };
  for (const root of roots) visit(root, 'part', false, false);
  const savedChars = (text: string, name: string, times: number): number =>
    (times - 1) * text.length - times * (REF_PREFIX.length + name.length + 11) - name.length - 4;
  let bestShared = { text: '', name: '', saves: 0 };
  for (const [text, { name, count }] of seenNodes) {
    const savedLength = savedChars(text, name, count);
    if (savedLength > bestShared.saves) bestShared = { text, name, saves: savedLength };
  }
  return bestShared.saves > MIN_SAVED_LENGTH ? bestShared : null;
}

const isSchemaNode = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const LISTED_TOOLS: Tool[] = Object.entries(mcpTools as Record<string, ToolDescription>).map(([name, tool]) => ({
  name,
  title: tool.title,
  description: tool.description,
  inputSchema: toAgentSchema(tool.input) as Tool['inputSchema'],
  annotations: {
    readOnlyHint: tool.readOnly,
    ...(!tool.readOnly && { destructiveHint: false }),
    ...(tool.readsNoWarehouse && { openWorldHint: false }),
  },
}));

const MAX_NAMES_LENGTH = 300;

/** The first tool that needs a lens lists the lenses of this key in its description. */
export function listTools(lenses: readonly string[] | null): Tool[] {
  return LISTED_TOOLS.map((tool) => {
    if (tool.name !== 'describe_lens') return tool;
    const properties = tool.inputSchema['properties'] as Record<string, JsonSchema>;
    const lens = { ...properties['lens'], description: writeLensNames(lenses && [...lenses].sort()) };
    return { ...tool, inputSchema: { ...tool.inputSchema, properties: { ...properties, lens } } };
  });
}

function writeLensNames(lenses: readonly string[] | null): string {
  if (lenses === null) return 'See list_lenses';
  if (lenses.length === 0) return 'No lens is granted to this key yet: ask an admin';
  const names = lenses.join(', ');
  return `One of: ${names.length > MAX_NAMES_LENGTH ? `${names.slice(0, names.lastIndexOf(',', MAX_NAMES_LENGTH))}, … (list_lenses)` : names}`;
}
