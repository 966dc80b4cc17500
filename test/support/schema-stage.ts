// What the attacks made of schemas need of a stage: a document, tools, names that exist, and an organization to spend.

import type { Attack } from './door-attacks.ts';
import type { EngineStage } from './engine-stage.ts';
import { openApiDocument } from './openapi-document.ts';
import { attacksOfSchemas } from './schema-attacks.ts';

const LENS = 'duck';
const KEPT = /^\/v1\/(boards|threads|reviews|answers)\//;
// biome-ignore lint/suspicious/noExplicitAny: replies of many routes
type Json = any;

/** Of each route and each tool its attacks, for one organization of callers and another one of admins. */
export async function attacksOnRoutes(stage: EngineStage): Promise<Attack[][]> {
  const { svc, own, keys } = stage;
  const spent = await svc.addTenant('spent');
  const applied = await svc.addTenant('applied');
  const call = async (path: string, token: string, body?: unknown): Promise<Json> => {
    const reply = await fetch(own.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return reply.ok ? reply.json() : {};
  };
  const answer = await call(`/v1/lenses/${LENS}/metrics`, keys[0]!, { metrics: ['revenue'], dimensions: ['region'] });
  const kept = { request_id: answer.request_id };
  const board = await call('/v1/boards', keys[0]!, { title: 'Kept' });
  await call(`/v1/boards/${board.id}/tiles`, keys[0]!, kept);
  await call('/v1/threads', keys[0]!, kept);
  await call('/v1/reviews', keys[0]!, kept);
  const listed = await call('/mcp', keys[0]!, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const routes = await attacksOfSchemas({
    document: await openApiDocument(),
    tools: listed.result.tools,
    members: {
      lens: LENS,
      connection: LENS,
      model: `svc/${LENS}`,
      sql: 'select region, sum(sales) as revenue from orders group by region',
      q: 'What was revenue by region in 2016?',
      question: 'What was revenue by region in 2016?',
      metrics: ['revenue'],
      dimensions: ['region'],
      filters: [{ field: 'region', op: '=', values: ['West'] }],
      messages: [{ role: 'user', content: 'What was revenue by region in 2016?' }],
      request_id: answer.request_id,
      receipt: answer.receipt,
      answer,
      rows: answer.data,
      files: {
        'svc.config.yaml': '',
        [`lenses/${LENS}/lens.yaml`]: `name: ${LENS}\nconnection: ${LENS}\n`,
        'boards/kept.yaml': `title: Kept\ntiles: [{lens: ${LENS}, question: revenue}]\n`,
      },
      field: 'region',
    },
    parts: { name: LENS, model: `svc/${LENS}`, file: 'lens.json', path: 'lens.yaml', version: 1 },
    async idOf(path) {
      const list = path.replace(/\/tiles$/, '');
      const { items, tiles } = await call(list, list.startsWith('/v1') ? keys[0]! : spent.adminToken);
      const [first] = (list === path ? (items ?? []) : (tiles ?? [])) as Record<string, string>[];
      return first && (first['id'] ?? first['ticket_id'] ?? first['run_id'] ?? first['request_id'] ?? first['cert_id']);
    },
  });
  return [...routes, ...projects()].map((attacks) =>
    attacks.map((attack) => {
      // What is kept belongs to the caller who made it.
      if (!attack.admin) return KEPT.test(attack.path) ? { ...attack, token: keys[0]! } : attack;
      return { ...attack, token: attack.path.startsWith('/mgmt/project') ? applied.adminToken : spent.adminToken };
    }),
  );
}

const PROJECT = 60_000_000;
/** Each file is read within 15 s, one after the other. */
const FILES = 30;
const FILE_MS = 15_000;
/** The routes of a project take bodies of 64 MB, all others of 1 MB. */
function projects(): Attack[][] {
  const files: [string, Record<string, string>][] = [
    ['one large file', { 'svc.config.yaml': ' '.repeat(PROJECT) }],
    ['one file of short lines', { 'svc.config.yaml': '#\n'.repeat(PROJECT / 3) }],
    ['one file of signs to escape', { [`lenses/${LENS}/lens.yaml`]: '\u0001'.repeat(PROJECT / 6) }],
    ['a text beside the project', { 'README.md': 'revenue by "region"\n'.repeat(PROJECT / 22) }],
    ['large lenses', many(FILES, (n) => `lenses/l${n}/lens.yaml`, `name: l\n${'# a note\n'.repeat(190_000)}`)],
    ['lenses of lists', many(8, (n) => `lenses/l${n}/lens.yaml`, `datasets:\n${'  - [a, {b: c}]\n'.repeat(100_000)}`)],
    ['boards', many(20_000, (n) => `boards/b${n}.yaml`, `title: B\ntiles: [{lens: ${LENS}, question: revenue}]\n`)],
    [
      'certified entries',
      many(20_000, (n) => `lenses/${LENS}/certified/c${n}.yaml`, '- {id: a, question: b, sql: select 1}\n'),
    ],
  ];
  // Written beforehand: nothing else of this process is late because of it.
  const bodies = files.map(([what, given]) => ({ what, body: Buffer.from(JSON.stringify({ files: given })) }));
  return ['plan', 'apply'].map((door) =>
    bodies.map(({ what, body }) => ({
      door: `POST /mgmt/project/${door}: 60 MB, ${what}`,
      path: `/mgmt/project/${door}`,
      body,
      admin: true,
      moreMs: FILES * FILE_MS,
    })),
  );
}
const many = (count: number, path: (n: number) => string, text: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [path(n), text]));

/** Each route in turn. */
export function inTurn(routes: Attack[][], from: number): Attack[] {
  const most = Math.max(...routes.map(({ length }) => length));
  return Array.from({ length: most }, (_, turn) =>
    routes.flatMap((attacks) => (turn < attacks.length ? [attacks[(from + turn) % attacks.length]!] : [])),
  ).flat();
}
