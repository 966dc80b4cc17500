// zod -> the JSON Schemas of tools/list. Inputs in full; outputs only as deep as a client needs to rely on them, because
// every client reads the list and pays for its length.
import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type McpToolName, mcpTools, toolFailure } from '../../contract/mcp-tools.ts';

type JsonSchema = { [key: string]: unknown };

const unnamed = z.registry<{ id?: string }>();

function inputSchema(schema: z.ZodType): Tool['inputSchema'] {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  }) as JsonSchema;
  return { properties: {}, ...rest, type: 'object' } as Tool['inputSchema'];
}

/** Top-level members with their types; what is inside an object or an array stays open. */
function shallow(schema: z.ZodType): JsonSchema {
  const { properties } = z.toJSONSchema(schema, { metadata: unnamed, reused: 'inline', io: 'output' }) as {
    properties: Record<string, JsonSchema>;
  };
  return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, typeOf(member)]));
}

function typeOf(member: JsonSchema): JsonSchema {
  if (member['const'] !== undefined || member['enum']) return member;
  const types = [...new Set(typesOf(member))];
  return { type: types.length === 1 ? types[0] : types };
}

const typesOf = (member: JsonSchema): string[] =>
  (member['anyOf'] as JsonSchema[] | undefined)?.flatMap(typesOf) ?? [member['type'] as string];

/** Root `type: object` with `ok` required; a success has the body's members, a failure the envelope's. */
function outputSchema(success: z.ZodObject): Tool['outputSchema'] {
  const required = (schema: z.ZodObject) =>
    Object.entries(schema.shape).flatMap(([name, member]) => (member instanceof z.ZodOptional ? [] : [name]));
  const { ok: _, ...failure } = shallow(toolFailure);
  const { ok: __, ...body } = shallow(success);
  return {
    type: 'object',
    properties: { ok: { type: 'boolean' } },
    required: ['ok'],
    oneOf: [
      { properties: { ok: { const: true }, ...body }, required: required(success) },
      { properties: { ok: { const: false }, ...failure }, required: required(toolFailure) },
    ],
  };
}

const LISTED: Tool[] = (Object.keys(mcpTools) as McpToolName[]).map((name) => {
  const { title, description, input, output, readOnly } = mcpTools[name];
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(input),
    outputSchema: outputSchema(output),
    annotations: {
      title,
      readOnlyHint: readOnly,
      destructiveHint: false,
      idempotentHint: readOnly,
      openWorldHint: false,
    },
  };
});

const NAMED = 20;

/** The tools with what this key may put in for `lens`. */
export function listTools(lenses: readonly string[] | null): Tool[] {
  const known = lenses && [...lenses].sort();
  const says =
    known === null
      ? 'Name of a lens (list_lenses)'
      : known.length === 0
        ? 'Name of a lens. None is granted to this key yet: ask an administrator'
        : `One of: ${known.slice(0, NAMED).join(', ')}${known.length > NAMED ? ', … (list_lenses)' : ''}`;
  return LISTED.map((tool) => {
    const properties = tool.inputSchema['properties'] as Record<string, JsonSchema>;
    if (!properties['lens']) return tool;
    const lens = { ...properties['lens'], description: says };
    return { ...tool, inputSchema: { ...tool.inputSchema, properties: { ...properties, lens } } };
  });
}
