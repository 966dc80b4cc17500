// The largest and most difficult bodies that each route accepts, generated from the OpenAPI document and the schemas of
// MCP tools: long lists and names, many members, deep nesting, repetition, wide cells, and unread answers.
import { createExample } from '../../src/surfaces/create-example.ts';
import type { Attack } from './door-attacks.ts';

type Schema = { [key: string]: unknown };
type Value = unknown;

type Known = Record<string, unknown>;

const BODY = 900_000;
const URL_TEXT = 6_000;
const DEEPEST = 60;
const MOST_MEMBERS = 1_900;
const MOST_SIGNS = 240_000;

const repeatUnit = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const UNITS: [string, string][] = [
  ['words', 'revenue by region in 2016 and '],
  ['numbers', '1,234.5 2016-01-31 7 '],
  ['brackets', '([{"'],
  ['lines', '#\n'],
  ['one sign', ' '],
  ['yaml', 'a: &a [*a, {b: "c"}]\n'],
];
const STATEMENTS: [string, string][] = [
  [
    'wide cells',
    `select ${Array.from({ length: 100 }, (_, n) => `repeat('"', 999) as c${n}`).join(', ')} from orders, range(60)`,
  ],
  ['one huge cell', `select string_agg(repeat('"', 999), '') as c from orders, range(1000)`],
  ['many cells', `select ${Array.from({ length: 500 }, (_, n) => `${n} as c${n}`).join(', ')} from orders, range(60)`],
];

interface Operation {
  route: string;
  attack: Attack;
  /** Wraps the value in the body of the request. */
  within?: (given: Value) => Value;
  schema: Schema | null;
  base: Value;
  query: { name: string; schema: Schema }[];
  parts: string[];
}

export interface Serving {
  document: Schema;
  tools: { name: string; inputSchema: Schema }[];
  /** Values for members that the examples can't know, by name, if the type matches. */
  members: Known;
  /** Bodies for routes and tools whose example isn't enough. */
  bodies: Known;
  /** The value of a path parameter after this path. `made` is the body that creates such an object. */
  partOf: (part: string, path: string, made: Value) => Promise<string | number | undefined>;
}

/** The attacks on each operation. The first is the plain example. */
export async function attacksOfSchemas(serving: Serving): Promise<Attack[][]> {
  const schemas = ((serving.document['components'] as Schema)['schemas'] ?? {}) as Schema;
  const operations = [...(await operationsOf(serving, schemas)), ...toolsOf(serving, schemas)];
  return operations.map((operation) => attacksOn(operation, schemas));
}

async function operationsOf({ document, members, bodies, partOf }: Serving, schemas: Schema): Promise<Operation[]> {
  const operations: Operation[] = [];
  const paths = document['paths'] as Record<string, Record<string, Schema>>;
  const bodyOf = (route: string, operation: Schema | undefined): { schema: Schema | null; base: Value } => {
    const content = (operation?.['requestBody'] as Schema | undefined)?.['content'] as Schema | undefined;
    const media = content?.['application/json'] as Schema | undefined;
    const schema = (media?.['schema'] as Schema | undefined) ?? null;
    const exampleBody = media?.['example'] ?? (schema ? createExample(schema, schemas) : undefined);
    return { schema, base: route in bodies ? bodies[route] : withKnown(exampleBody, members) };
  };
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const route = `${method.toUpperCase()} ${path}`;
      const { schema, base } = bodyOf(route, operation);
      const parameters = (operation['parameters'] as { in: string; name: string; schema: Schema }[] | undefined) ?? [];
      const parts = [...path.matchAll(/\{([^}]+)\}/g)].map(([part]) => part);
      let place = path;
      for (const part of parts) {
        const at = place.indexOf(part);
        const list = path.slice(0, path.indexOf(part) - 1);
        const createBody = bodyOf(`POST ${list}`, paths[list]?.['post']).base;
        // The test changes and reads existing objects, but deletes only others.
        const value =
          (method === 'delete' ? undefined : await partOf(part.slice(1, -1), place.slice(0, at - 1), createBody)) ??
          EXAMPLE_ID;
        place = place.slice(0, at) + encodeURIComponent(String(value)) + place.slice(at + part.length);
      }
      const needed = parameters.filter((parameter) => parameter.in === 'query' && (parameter as Schema)['required']);
      const query = needed.map(({ name, schema: of }) => {
        const value = members[name] ?? createExample(of, schemas, name);
        return `${name}=${encodeURIComponent(String(value))}`;
      });
      operations.push({
        route,
        attack: {
          door: route,
          method: method.toUpperCase(),
          path: place + (query.length > 0 ? `?${query.join('&')}` : ''),
          body: undefined,
          admin: !path.startsWith('/v1'),
        },
        schema,
        base,
        query: parameters.filter((parameter) => parameter.in === 'query'),
        parts,
      });
    }
  }
  return operations;
}

const toolsOf = ({ tools, members, bodies }: Serving, schemas: Schema): Operation[] =>
  tools.map(({ name, inputSchema }) => ({
    route: `MCP ${name}`,
    attack: {
      door: `MCP ${name}`,
      path: '/mcp',
      headers: { accept: 'application/json, text/event-stream' },
      body: undefined,
    },
    within: (given) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
    schema: inputSchema,
    base: bodies[`MCP ${name}`] ?? withKnown(createExample(inputSchema, schemas), members),
    query: [],
    parts: [],
  }));

const EXAMPLE_ID = '0192f0c1-7a10-4b52-8f3e-0d5c1f2a9b77';

function withKnown(value: Value, knownValues: Known): Value {
  if (Array.isArray(value)) return value.map((item) => withKnown(item, knownValues));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, memberValue]) => [
      name,
      name in knownValues && kindOf(knownValues[name]) === kindOf(memberValue)
        ? knownValues[name]
        : withKnown(memberValue, knownValues),
    ]),
  );
}

const kindOf = (value: Value): string => (Array.isArray(value) ? 'array' : typeof value);

function attacksOn({ route, attack, within, schema, base, query, parts }: Operation, schemas: Schema): Attack[] {
  const sent = (description: string, body: Value, path = attack.path): Attack => ({
    ...attack,
    door: `${route}: ${description}`,
    path,
    body: within ? within(body) : body,
  });
  const attacks = [sent('its example', base), { ...sent('its example, not read', base), silent: true }];
  if (schema) for (const { what, body } of grown(schema, base, schemas)) attacks.push(sent(what, body));
  if (schema && attack.path.startsWith('/v1')) {
    const csv = { ...attack.headers, accept: 'text/csv' };
    attacks.push(
      ...attacks
        .filter(({ door }) => /cells?$/.test(door))
        .map((attack) => ({ ...attack, door: `${attack.door}, as CSV`, headers: csv })),
    );
  }
  for (const { name, schema: of } of query) {
    if (typeOf(resolveReference(of, schemas)) !== 'string') continue;
    for (const [unitName, unit] of UNITS.slice(0, 3)) {
      const text = encodeURIComponent(repeatUnit(unit, Math.min(URL_TEXT, Number(of['maxLength'] ?? URL_TEXT))));
      const rest = attack.path.replace(new RegExp(`([?&])${name}=[^&]*&?`), '$1').replace(/[?&]$/, '');
      attacks.push(
        sent(
          `${name} of ${unitName}`,
          base,
          `${rest}${rest.includes('?') ? '&' : '?'}${name}=${text}`.slice(0, 15_000),
        ),
      );
    }
  }
  if (parts.length > 0) {
    const long = route.replace(/^\S+ /, '').replace(/\{[^}]+\}/g, 'x'.repeat(480));
    attacks.push(sent('long names in its address', base, long));
  }
  return attacks;
}

interface EnlargedBody {
  what: string;
  body: Value;
}

/** Yields a copy of the body for each part of its schema, with that part enlarged. */
function* grown(given: Schema, value: Value, schemas: Schema, at = '', depth = 0): Generator<EnlargedBody> {
  const schema = resolveReference(given, schemas);
  if (depth > 6) return;
  const options = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  if (options) {
    const kinds = new Set<string>();
    for (const option of options) {
      const kind = typeOf(resolveReference(option, schemas));
      if (kind === 'null' || (kind !== 'object' && kinds.has(kind))) continue;
      kinds.add(kind);
      yield* grown(option, value ?? createExample(option, schemas), schemas, at, depth + 1);
    }
    return;
  }
  const name = at.replace(/\[\]$/, '').split('.').at(-1)!;
  switch (typeOf(schema)) {
    case 'string':
      if (!schema['enum'] && !schema['const']) yield* longTexts(schema, name, at);
      return;
    case 'array':
      yield* longLists(schema, value, schemas, at, depth);
      return;
    case 'object':
      yield* manyMembers(schema, value, schemas, at, depth);
      return;
    case 'any':
      for (const [description, body] of ANYTHING) yield { what: `${at} is ${description}`, body };
  }
}

function* longTexts(schema: Schema, name: string, at: string): Generator<EnlargedBody> {
  const maxLength = Math.min(Number(schema['maxLength'] ?? BODY), BODY);
  if (name === 'sql')
    for (const [description, text] of STATEMENTS) yield { what: `${at} of ${description}`, body: text };
  for (const [unitName, unit] of UNITS) yield { what: `${at} of ${unitName}`, body: repeatUnit(unit, maxLength) };
}

function* longLists(schema: Schema, value: Value, schemas: Schema, at: string, depth: number): Generator<EnlargedBody> {
  const items = (schema['items'] ?? {}) as Schema;
  const [first = createExample(items, schemas) ?? 1] = Array.isArray(value) ? value : [];
  const each = JSON.stringify(first) ?? '1';
  const signs = 1 + (each.match(/[[{,:]/g)?.length ?? 0);
  const maxItems = Math.floor(
    Math.min(Number(schema['maxItems'] ?? BODY), BODY / (each.length + 8), MOST_SIGNS / signs),
  );
  yield { what: `${at} has ${maxItems} alike`, body: Array(maxItems).fill(first) };
  yield { what: `${at} has ${maxItems} different`, body: Array.from({ length: maxItems }, (_, n) => varied(first, n)) };
  for (const { what, body } of grown(items, first, schemas, `${at}[]`, depth + 1)) yield { what, body: [body] };
}

function* manyMembers(
  schema: Schema,
  value: Value,
  schemas: Schema,
  at: string,
  depth: number,
): Generator<EnlargedBody> {
  const base = (typeof value === 'object' && value !== null ? value : {}) as Record<string, Value>;
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
  const rest = schema['additionalProperties'];
  if (typeof rest === 'object' && rest !== null) {
    const [example = createExample(rest as Schema, schemas) ?? 1] = Object.values(base);
    const maxMembers = Math.min(MOST_MEMBERS, Math.floor(BODY / ((JSON.stringify(example) ?? '1').length + 20)));
    const members = (nameOf: (n: number) => string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [nameOf(n), example]));
    yield { what: `${at} has ${maxMembers} members`, body: { ...base, ...members((n) => `member${n}`, maxMembers) } };
    yield { what: `${at} has long names`, body: { ...base, ...members((n) => `${n}${'n'.repeat(480)}`, 400) } };
    const [first = 'a', ...otherNames] = Object.keys(base);
    for (const name of [first, ...otherNames.slice(0, 2)])
      for (const { what, body } of grown(rest as Schema, example, schemas, `${at}.${name}`, depth + 1))
        yield { what, body: { ...base, [name]: body } };
  }
  for (const [name, memberSchema] of Object.entries(properties)) {
    for (const { what, body } of grown(
      memberSchema,
      base[name],
      schemas,
      at === '' ? name : `${at}.${name}`,
      depth + 1,
    ))
      yield { what, body: { ...base, [name]: body } };
  }
}

const nest = (wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 1;
  for (let n = 0; n < DEEPEST; n++) value = wrap(value);
  return value;
};
const ANYTHING: [string, unknown][] = [
  ['lists in lists', nest((inner) => [inner])],
  ['objects in objects', nest((inner) => ({ a: inner }))],
  ['a list of numbers', Array.from({ length: 100_000 }, (_, n) => n)],
  ['a list of texts', Array.from({ length: 40_000 }, (_, n) => `value ${n}`)],
  ['a long text', repeatUnit('value ', 800_000)],
  ['an object of many members', Object.fromEntries(Array.from({ length: MOST_MEMBERS }, (_, n) => [`m${n}`, n]))],
];

function varied(value: Value, n: number): Value {
  if (typeof value === 'string') return `${value}${n}`;
  if (typeof value === 'number') return value + n;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => varied(item, n));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, varied(inner, n)]));
}

function resolveReference(schema: Schema, schemas: Schema): Schema {
  const reference = /\/([^/]+)$/.exec(String(schema['$ref'] ?? ''))?.[1];
  return reference ? resolveReference((schemas[reference] ?? {}) as Schema, schemas) : schema;
}

function typeOf(schema: Schema): string {
  const { type } = schema as { type?: string | string[] };
  const typeName = Array.isArray(type) ? type.find((item) => item !== 'null') : type;
  if (typeName !== undefined) return typeName;
  if (schema['anyOf'] ?? schema['oneOf']) return 'choice';
  return schema['enum'] || schema['const'] !== undefined ? 'fixed' : 'any';
}
