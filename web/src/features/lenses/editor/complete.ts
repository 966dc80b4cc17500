import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { findCursorContext } from './cursor-context.ts';

export interface JsonSchema {
  $ref?: string;
  type?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  $defs?: Record<string, JsonSchema>;
}

export const completeFromSchema =
  (schema: JsonSchema, names: () => string[]) =>
  (context: CompletionContext): CompletionResult | null => {
    const text = context.state.doc.toString();
    const { path, word, from, isValue: value, siblings } = findCursorContext(text, context.pos);
    if (!word && !context.explicit) return null;
    const schemas = path.reduce<JsonSchema[]>(
      (parents, key) => parents.flatMap((item) => findSchemaAtKey(schema, item, key)),
      [schema],
    );
    const options = value ? completeValues(schema, schemas, names()) : completeKeys(schema, schemas, siblings);
    return options.length === 0 ? null : { from, options, validFor: /^[\w.-]*$/ };
  };

function listAlternatives(root: JsonSchema, schema: JsonSchema): JsonSchema[] {
  if (schema.$ref) {
    const definition = schema.$ref.startsWith('#/$defs/') ? root.$defs?.[schema.$ref.slice(8)] : undefined;
    return definition ? listAlternatives(root, definition) : [];
  }
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...parts.flatMap((part) => listAlternatives(root, part))];
}

function findSchemaAtKey(root: JsonSchema, schema: JsonSchema, key: string): JsonSchema[] {
  return listAlternatives(root, schema).flatMap((shape) => {
    if (key === '[]') return shape.items ? [shape.items] : [];
    const propertySchema = shape.properties?.[key];
    if (propertySchema) return [propertySchema];
    return typeof shape.additionalProperties === 'object' ? [shape.additionalProperties] : [];
  });
}

function completeKeys(root: JsonSchema, schemas: JsonSchema[], usedKeys: string[]): Completion[] {
  const completions = new Map<string, Completion>();
  for (const shape of schemas.flatMap((item) => listAlternatives(root, item)))
    for (const [key, { description }] of Object.entries(shape.properties ?? {}))
      if (!usedKeys.includes(key))
        completions.set(key, {
          label: key,
          apply: `${key}: `,
          type: 'property',
          ...(description ? { info: description } : {}),
        });
  return [...completions.values()];
}

function completeValues(root: JsonSchema, schemas: JsonSchema[], names: string[]): Completion[] {
  const allShapes = schemas.flatMap((item) => listAlternatives(root, item));
  const words = allShapes.flatMap((shape) => [
    ...(shape.enum ?? []),
    ...(shape.const === undefined ? [] : [shape.const]),
    ...(shape.type === 'boolean' ? [true, false] : []),
  ]);
  if (words.length > 0) return [...new Set(words.map(String))].map((label) => ({ label, type: 'enum' }));
  return allShapes.some(({ type }) => type === 'string') ? names.map((label) => ({ label, type: 'variable' })) : [];
}
