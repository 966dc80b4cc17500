type SchemaNode = { [key: string]: unknown };

const SAMPLE_ID = '0192f0c1-7a10-4b52-8f3e-0d5c1f2a9b77';
const SAMPLE_TIME = '2026-01-31T09:30:00.000Z';
const MAX_DEPTH = 8;
const EXAMPLE_TEXT_BY_MEMBER_NAME: [RegExp, string][] = [
  [/(_at|^at|since|until|^from|^to|time)$/, SAMPLE_TIME],
  [/(^id|_id|request|run)$/, SAMPLE_ID],
  [/cert_id$/, 'revenue-by-region'],
  [/lens$/, 'superstore'],
  [/question$/, 'What is revenue by region?'],
  [/sql$/, 'select region, sum(sales) as revenue from main.orders group by region'],
  [/url$/, 'http://127.0.0.1:8080'],
  [/(email|_by|actor|author|caller)$/, 'ops@example.com'],
  [/path$/, 'lenses/superstore/lens.yaml'],
  [/cursor$/, 'bmV4dA'],
];

/** `schemas` contains the components to which references in the schema point. */
export function createExample(schema: SchemaNode | undefined, schemas: SchemaNode, name = '', depth = 0): unknown {
  if (!schema || depth > MAX_DEPTH) return null;
  const explicitExample =
    (schema['examples'] as unknown[] | undefined)?.[0] ?? schema['example'] ?? schema['const'] ?? schema['default'];
  if (explicitExample !== undefined) return explicitExample;
  const reference = /^#\/components\/schemas\/(.+)$/.exec(String(schema['$ref'] ?? ''))?.[1];
  if (reference) return createExample(schemas[reference] as SchemaNode | undefined, schemas, name, depth + 1);
  const [choice] = (schema['enum'] ?? []) as unknown[];
  if (choice !== undefined) return choice;
  const options = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as SchemaNode[] | undefined;
  if (options)
    return createExample(
      options.find((option) => option['type'] !== 'null'),
      schemas,
      name,
      depth + 1,
    );
  switch (Array.isArray(schema['type']) ? schema['type'].find((type) => type !== 'null') : schema['type']) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema['properties'] ?? {}) as Record<string, SchemaNode>).map(([member, inner]) => [
          member,
          createExample(inner, schemas, member, depth + 1),
        ]),
      );
    case 'array':
      return [
        createExample(schema['items'] as SchemaNode | undefined, schemas, name.replace(/s$/, ''), depth + 1),
      ].filter((item) => item !== null);
    case 'string':
      return (
        EXAMPLE_TEXT_BY_MEMBER_NAME.find(([end]) => end.test(name))?.[1] ??
        (name === '' ? 'text' : name.replaceAll('_', ' '))
      );
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema['minimum'] ?? 1));
    case 'boolean':
      return true;
    default:
      return null;
  }
}
