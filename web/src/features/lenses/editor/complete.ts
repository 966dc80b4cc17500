// Completions from the file's JSON Schema: keys and allowed values.
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { contextAt } from './path-at.ts';

export interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $defs?: Record<string, Schema>;
}

export const completeFromSchema =
  (schema: Schema, names: () => string[]) =>
  (context: CompletionContext): CompletionResult | null => {
    const text = context.state.doc.toString();
    const { path, word, from, isValue: value, siblings } = contextAt(text, context.pos);
    if (!word && !context.explicit) return null;
    const schemas = path.reduce<Schema[]>(
      (parents, key) => parents.flatMap((item) => schemaAtKey(schema, item, key)),
      [schema],
    );
    const options = value ? completeValues(schema, schemas, names()) : completeKeys(schema, schemas, siblings);
    return options.length === 0 ? null : { from, options, validFor: /^[\w.-]*$/ };
  };

/** Returns a schema and all its alternatives, with references resolved. */
function alternativesOf(root: Schema, schema: Schema): Schema[] {
  if (schema.$ref) {
    const definition = schema.$ref.startsWith('#/$defs/') ? root.$defs?.[schema.$ref.slice(8)] : undefined;
    return definition ? alternativesOf(root, definition) : [];
  }
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [schema, ...parts.flatMap((part) => alternativesOf(root, part))];
}

function schemaAtKey(root: Schema, schema: Schema, key: string): Schema[] {
  return alternativesOf(root, schema).flatMap((shape) => {
    if (key === '[]') return shape.items ? [shape.items] : [];
    const propertySchema = shape.properties?.[key];
    if (propertySchema) return [propertySchema];
    return typeof shape.additionalProperties === 'object' ? [shape.additionalProperties] : [];
  });
}

function completeKeys(root: Schema, schemas: Schema[], usedKeys: string[]): Completion[] {
  const completions = new Map<string, Completion>();
  for (const shape of schemas.flatMap((item) => alternativesOf(root, item)))
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

function completeValues(root: Schema, schemas: Schema[], names: string[]): Completion[] {
  const allShapes = schemas.flatMap((item) => alternativesOf(root, item));
  const words = allShapes.flatMap((shape) => [
    ...(shape.enum ?? []),
    ...(shape.const === undefined ? [] : [shape.const]),
    ...(shape.type === 'boolean' ? [true, false] : []),
  ]);
  if (words.length > 0) return [...new Set(words.map(String))].map((label) => ({ label, type: 'enum' }));
  return allShapes.some(({ type }) => type === 'string') ? names.map((label) => ({ label, type: 'variable' })) : [];
}
