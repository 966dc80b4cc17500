// The JSON Schema of a zod shape as providers hold models to it: OpenAI's strict mode and the grammars of others. Every
// member is required and may be null where it may be left out; what those schemas can't say (defaults, lengths, patterns)
// is left to the zod shape, which judges each reply all the same.
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

const KEPT = new Set(['type', 'enum', 'description', 'properties', 'items', 'anyOf', 'additionalProperties']);

export function strictSchema(shape: z.ZodType): JsonSchema {
  const { $defs, ...root } = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const defs = Object.entries(($defs ?? {}) as Record<string, JsonSchema>);
  return {
    ...strict(root),
    ...(defs.length > 0 && { $defs: Object.fromEntries(defs.map(([name, one]) => [name, strict(one)])) }),
  };
}

function strict(schema: JsonSchema): JsonSchema {
  if (typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] };
  if ('const' in schema) return { ...only(schema, 'type', 'description'), enum: [schema['const']] };
  const either = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  const kept = Object.fromEntries(
    Object.entries(schema).filter(([key, value]) => KEPT.has(key) && value !== undefined),
  );
  if (either) return { ...only(kept, 'description'), anyOf: either.map(strict) };
  const own = schema['properties'] as Record<string, JsonSchema> | undefined;
  if (own) {
    const needed = new Set((schema['required'] as string[] | undefined) ?? []);
    const properties = Object.entries(own).map(([name, one]) => [
      name,
      needed.has(name) ? strict(one) : orNull(strict(one)),
    ]);
    return {
      ...only(kept, 'type', 'description'),
      properties: Object.fromEntries(properties),
      required: Object.keys(own),
      additionalProperties: false,
    };
  }
  const items = schema['items'] as JsonSchema | undefined;
  return items ? { ...kept, items: strict(items) } : kept;
}

const only = (schema: JsonSchema, ...keys: string[]): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => keys.includes(key)));

const NULL = { type: 'null' };
function orNull(schema: JsonSchema): JsonSchema {
  const { description, ...bare } = schema;
  const either = (bare['anyOf'] as JsonSchema[] | undefined) ?? [bare];
  const known = either.some(({ type }) => type === 'null');
  return { ...(description !== undefined && { description }), anyOf: known ? either : [...either, NULL] };
}

/** Null means absent, wherever it stands. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === null ? [] : [[key, withoutNulls(one)]])),
  );
}
