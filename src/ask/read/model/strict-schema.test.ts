// Rules of OpenAI's strict mode: https://platform.openai.com/docs/guides/structured-outputs
import { expect, it } from 'vitest';
import { DECISION_JSON_SCHEMA, parseDecision } from './decision.ts';
import type { JsonSchema } from './strict-schema.ts';

const KNOWN_KEYWORDS = new Set([
  'type',
  'enum',
  'description',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  '$ref',
  '$defs',
]);

function findSchemaFaults(schema: JsonSchema, path: string): string[] {
  const unknown = Object.keys(schema).filter((key) => !KNOWN_KEYWORDS.has(key));
  const properties = (schema['properties'] ?? null) as Record<string, JsonSchema> | null;
  const faults = unknown.map((key) => `${path}: ${key}`);
  if ('$ref' in schema && Object.keys(schema).length > 1) faults.push(`${path}: $ref with other members`);
  if (properties) {
    if (schema['additionalProperties'] !== false) faults.push(`${path}: additionalProperties`);
    if (JSON.stringify(schema['required']) !== JSON.stringify(Object.keys(properties)))
      faults.push(`${path}: required`);
  }
  const branches = (schema['anyOf'] ?? []) as JsonSchema[];
  const nestedSchemas = [
    ...Object.entries(properties ?? {}),
    ...Object.entries((schema['$defs'] ?? {}) as Record<string, JsonSchema>),
    ...branches.entries(),
    ...('items' in schema ? [['items', schema['items']] as const] : []),
  ] as [string | number, JsonSchema][];
  return [
    ...faults,
    ...nestedSchemas.flatMap(([key, nestedSchema]) => findSchemaFaults(nestedSchema, `${path}.${key}`)),
  ];
}

it('uses only keywords of strict mode in the decision schema, and defines each part once', () => {
  expect(findSchemaFaults(DECISION_JSON_SCHEMA, '$')).toEqual([]);
  expect(DECISION_JSON_SCHEMA['type']).toBe('object');
  const text = JSON.stringify(DECISION_JSON_SCHEMA);
  expect(text).toContain('"not_exists"');
  // A schema that occurs several times is defined once, and every definition is referenced.
  expect(text.length).toBeLessThan(14_500);
  const defs = Object.keys(DECISION_JSON_SCHEMA['$defs'] as JsonSchema);
  const usedNames = new Set([...text.matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)].map(([, name]) => name));
  expect([...usedNames].sort()).toEqual(defs.sort());
});

it('reads null as a missing member at every depth, and says why a plan is malformed', () => {
  const filters = [{ field: 'a', op: null, values: ['x'], other: null, than: null, during: null }];
  const plan = { metrics: ['m'], filters, limit: null, time: { field: null, from: null, to: null, during: '2024' } };
  expect(parseDecision({ kind: 'plan', plan, sql: null, missing: null })).toMatchObject({
    kind: 'plan',
    body: { metrics: ['m'], filters: [{ field: 'a', op: '=', values: ['x'] }], time: { during: '2024' } },
  });
  expect(parseDecision({ kind: 'plan', plan: { measures: [{ fn: 'sum', field: 'a', colour: 1 }] } })).toMatchObject({
    kind: 'malformed',
    reason: expect.stringContaining('measures.0: Unrecognized key: "colour"'),
  });
  expect(parseDecision({ kind: 'plan', plan, verified: true })).toBeNull();
  expect(parseDecision({ answerable: true, lensPlan: null })).toBeNull();
});
