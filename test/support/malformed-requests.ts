// Invalid requests generated from the OpenAPI document: bodies, paths and queries of every operation with missing,
// wrong, renamed or oversized members, or with invalid text. The same seed gives the same requests.
import fc from 'fast-check';

interface Operation {
  method: string;
  path: string;
  body: Schema | null;
  query: string[];
}
interface Schema {
  [key: string]: unknown;
}
export interface MalformedRequest {
  method: string;
  url: string;
  payload: string | undefined;
  headers: Record<string, string>;
}

const HOSTILE = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e\u0301',
  "'; drop table svc.traces; --",
  '../../etc/passwd',
  '$' + '{OPENAI_API_KEY}',
  'x'.repeat(5_000),
  '1e400',
  '-0',
  'null',
  '__proto__',
  '%00',
  '🦜',
];
const nasty: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...HOSTILE),
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 2 ** 53, 1e308, [], {}, [[[[]]]], { a: { b: {} } }),
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.jsonValue({ maxDepth: 3 }),
);

export function operationsOf(document: Schema): Operation[] {
  return Object.entries(document['paths'] as Record<string, Schema>).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Schema>).map(([method, operation]) => {
      const media = (operation['requestBody'] as Schema | undefined)?.['content'] as
        | Record<string, { schema?: Schema }>
        | undefined;
      const parameters = (operation['parameters'] as { in: string; name: string }[] | undefined) ?? [];
      return {
        method: method.toUpperCase(),
        path,
        body: media?.['application/json']?.schema ?? null,
        query: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
      };
    }),
  );
}

export function malformedRequests(operations: Operation[], count: number, seed: number): MalformedRequest[] {
  const request = fc.constantFrom(...operations).chain((operation) =>
    fc.record({
      method: fc.constant(operation.method),
      url: fc
        .record({
          ids: fc.array(fc.constantFrom('shop', 'x', '%00', '%F0%9F%A6%9C', "a'b", '..%2f..', '0'.repeat(200)), {
            minLength: 4,
            maxLength: 4,
          }),
          query: queryOf(operation),
        })
        .map(({ ids, query }) => {
          let next = 0;
          return operation.path.replace(/\{[^}]+\}/g, () => ids[next++ % ids.length]!) + query;
        }),
      payload: operation.method === 'GET' ? fc.constant(undefined) : payloadOf(operation.body),
      headers: fc.constantFrom<Record<string, string>[]>(
        ...([
          { 'content-type': 'application/json' },
          { 'content-type': 'application/json; charset=utf-16' },
          { 'content-type': 'text/plain' },
          { 'content-type': 'application/json', 'idempotency-key': ' ' },
        ] as never[]),
      ) as unknown as fc.Arbitrary<Record<string, string>>,
    }),
  );
  return fc.sample(request, { numRuns: count, seed });
}

const queryOf = (operation: Operation): fc.Arbitrary<string> =>
  fc
    .array(
      fc.tuple(
        fc.constantFrom(...operation.query, 'unknown', 'limit', '__proto__'),
        fc.constantFrom('', '0', '-1', '1e9', 'x', '%00', '%ED%A0%80', 'a'.repeat(3_000)),
      ),
      { maxLength: 3 },
    )
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`));

function payloadOf(schema: Schema | null): fc.Arbitrary<string> {
  const brokenJson = fc.constantFrom(
    '{',
    '[1,',
    '{"a":1,"a":2}',
    '"',
    '{"q":"\\ud800"}',
    '{"__proto__":{"x":1}}',
    '[',
    'null',
    '1e400',
    `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
    '',
  );
  const shapedJson = bodyOf(schema).map((body) => JSON.stringify(body) ?? '');
  return fc.oneof(
    { weight: 5, arbitrary: shapedJson },
    { weight: 1, arbitrary: brokenJson },
    { weight: 1, arbitrary: nasty.map((value) => JSON.stringify(value) ?? '') },
  );
}

/** A body that resembles the schema, in which each member may be missing, of another type, or malformed. */
function bodyOf(schema: Schema | null, depth = 0): fc.Arbitrary<unknown> {
  if (!schema || depth > 4) return nasty;
  const properties = schema['properties'] as Record<string, Schema> | undefined;
  if (properties) {
    const members = Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [name, bodyOf(inner, depth + 1)]),
    );
    return fc.oneof(
      { weight: 6, arbitrary: fc.record(members, { requiredKeys: [] }) },
      { weight: 1, arbitrary: nasty },
    );
  }
  const items = schema['items'] as Schema | undefined;
  if (items)
    return fc.oneof(
      { weight: 3, arbitrary: fc.array(bodyOf(items, depth + 1), { maxLength: 3 }) },
      { weight: 1, arbitrary: nasty },
    );
  const choices = schema['enum'] as unknown[] | undefined;
  const fitting = choices
    ? fc.constantFrom(...choices)
    : schema['type'] === 'string'
      ? fc.constantFrom('shop', 'revenue', 'orders.region', 'select 1', 'x')
      : fc.constantFrom<unknown>(1, true);
  return fc.oneof({ weight: 3, arbitrary: fitting }, { weight: 1, arbitrary: nasty });
}
