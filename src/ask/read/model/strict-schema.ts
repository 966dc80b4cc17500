// Converts a zod shape to JSON Schema for OpenAI's strict mode and for the grammars of other providers. Every member is
// required, and an optional one can be null. Defaults, lengths and patterns are left out, because the zod shape checks
// each reply again.
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

const SUPPORTED_KEYWORDS = new Set([
  'type',
  'enum',
  'description',
  'properties',
  'items',
  'anyOf',
  'additionalProperties',
]);

export function toStrictSchema(shape: z.ZodType): JsonSchema {
  const { $defs, ...root } = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const definitionEntries = Object.entries(($defs ?? {}) as Record<string, JsonSchema>).map(([name, definition]) => [
    name,
    toStrict(definition),
  ]);
  return shareDefinitions(toStrict(root), Object.fromEntries(definitionEntries));
}

const MIN_SHARED_LENGTH = 40; // characters

/** Moves repeated parts to the definitions, because each decision sends the whole schema. */
function shareDefinitions(root: JsonSchema, definitions: Record<string, JsonSchema>): JsonSchema {
  const useCounts = new Map<string, number>();
  const countUses = (schema: JsonSchema): void => {
    const text = JSON.stringify(schema);
    const occurrences = useCounts.get(text) ?? 0;
    useCounts.set(text, occurrences + 1);
    if (occurrences > 0) return;
    mapNestedSchemas(schema, (inner) => {
      countUses(inner);
      return inner;
    });
  };
  const defs: Record<string, JsonSchema> = {};
  const names = new Map<string, string>();
  const share = (schema: JsonSchema, key: string): JsonSchema => {
    const text = JSON.stringify(schema);
    if (text.length < MIN_SHARED_LENGTH || useCounts.get(text)! < 2) return mapNestedSchemas(schema, share, key);
    if (!names.has(text)) {
      names.set(text, chooseDefinitionName(key, { ...definitions, ...defs }));
      defs[names.get(text)!] = {};
      defs[names.get(text)!] = mapNestedSchemas(schema, share, key);
    }
    return { $ref: `#/$defs/${names.get(text)}` };
  };
  for (const schema of [root, ...Object.values(definitions)]) countUses(schema);
  const strictRoot = mapNestedSchemas(root, share);
  const definitionEntries = Object.entries(definitions).map(([name, definition]) => [
    name,
    mapNestedSchemas(definition, share, name),
  ]);
  return { ...strictRoot, $defs: { ...Object.fromEntries(definitionEntries), ...defs } };
}

function chooseDefinitionName(key: string, existingNames: Record<string, unknown>): string {
  for (let suffix = 1; ; suffix++) {
    const name = suffix === 1 ? key : `${key}_${suffix}`;
    if (!Object.hasOwn(existingNames, name)) return name;
  }
}

/** Applies `change` to each direct child schema. `key` is the name of the child's member. */
function mapNestedSchemas(
  schema: JsonSchema,
  change: (inner: JsonSchema, key: string) => JsonSchema,
  key = 'of',
): JsonSchema {
  const { properties, items, anyOf } = schema as Record<string, JsonSchema | JsonSchema[] | undefined>;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, change(property as JsonSchema, name)]),
      ),
    }),
    ...(items && { items: change(items as JsonSchema, `${key}_item`) }),
    ...(anyOf && { anyOf: (anyOf as JsonSchema[]).map((item) => change(item, `${key}_one`)) }),
  };
}

function toStrict(schema: JsonSchema): JsonSchema {
  if (typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] };
  if ('const' in schema) return { ...pickKeywords(schema, 'type', 'description'), enum: [schema['const']] };
  const alternatives = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  const keywords = Object.fromEntries(
    Object.entries(schema).filter(([key, value]) => SUPPORTED_KEYWORDS.has(key) && value !== undefined),
  );
  if (alternatives) return { ...pickKeywords(keywords, 'description'), anyOf: alternatives.map(toStrict) };
  const propertySchemas = schema['properties'] as Record<string, JsonSchema> | undefined;
  if (propertySchemas) {
    const requiredKeys = new Set((schema['required'] as string[] | undefined) ?? []);
    const properties = Object.entries(propertySchemas).map(([name, property]) => [
      name,
      requiredKeys.has(name) ? toStrict(property) : makeNullable(toStrict(property)),
    ]);
    return {
      ...pickKeywords(keywords, 'type', 'description'),
      properties: Object.fromEntries(properties),
      required: Object.keys(propertySchemas),
      additionalProperties: false,
    };
  }
  const items = schema['items'] as JsonSchema | undefined;
  return items ? { ...keywords, items: toStrict(items) } : keywords;
}

const pickKeywords = (schema: JsonSchema, ...keys: string[]): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => keys.includes(key)));

const NULL_SCHEMA = { type: 'null' };
const SCALAR_TYPES = new Set<unknown>(['string', 'number', 'integer', 'boolean']);
/** Makes a schema nullable. For a scalar, a list of types is shorter than `anyOf`. */
function makeNullable(schema: JsonSchema): JsonSchema {
  const { description, ...bare } = schema;
  const alternatives = (bare['anyOf'] as JsonSchema[] | undefined) ?? [bare];
  const isNullable = alternatives.some(({ type }) => type === 'null');
  const [first, second] = alternatives;
  if (!second && SCALAR_TYPES.has(first!['type']) && !first!['enum'])
    return { ...schema, type: [first!['type'], 'null'] };
  return {
    ...(description !== undefined && { description }),
    anyOf: isNullable ? alternatives : [...alternatives, NULL_SCHEMA],
  };
}

/** Removes null members at every level, because null means absent. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (member === null ? [] : [[key, withoutNulls(member)]])),
  );
}
