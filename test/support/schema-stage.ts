// Prepares the attacks generated from schemas: a document, tools, existing names, and an organization to attack.

import type { Attack } from './door-attacks.ts';
import type { EngineStage } from './engine-stage.ts';
import { openApiDocument } from './openapi-document.ts';
import { attacksOfSchemas } from './schema-attacks.ts';

const LENS = 'duck';
const SQL = 'select region, sum(sales) as revenue from orders group by region';
const QUESTION = 'What was revenue by region in 2016?';
const BOARD = `title: Kept\ntiles: [{lens: ${LENS}, question: revenue}]\n`;
const KEPT = /^\/v1\/(boards|threads|reviews|answers)\//;
// biome-ignore lint/suspicious/noExplicitAny: replies of many routes
type Json = any;

/** The attacks on each route and tool, for an organization with callers and one with admins. */
export async function attacksOnRoutes(stage: EngineStage): Promise<Attack[][]> {
  const { svc, own, keys } = stage;
  const spent = await svc.addTenant('spent');
  const appliedTenant = await svc.addTenant('applied');
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
  const tokenOf = (path: string): string =>
    path.startsWith('/v1') ? keys[0]! : path.startsWith('/mgmt/project') ? appliedTenant.adminToken : spent.adminToken;
  const plan = { metrics: ['revenue'], dimensions: ['region'] };
  const filters = [{ field: 'region', op: '=', values: ['West'] }];
  const { receipt, ...answer } = await call(`/v1/lenses/${LENS}/metrics`, keys[0]!, plan);
  const kept = { request_id: answer.request_id };
  const board = await call('/v1/boards', keys[0]!, { title: 'Kept' });
  const { tiles } = await call(`/v1/boards/${board.id}/tiles`, keys[0]!, kept);
  await call('/v1/threads', keys[0]!, kept);
  const { ticket_id } = await call('/v1/reviews', keys[0]!, kept);
  const certified = { cert_id: 'by-region', question: 'What is revenue by region?', sql: SQL };
  for (const { adminToken } of [stage.svc, spent]) {
    await call(`/mgmt/lenses/${LENS}/certified`, adminToken, certified);
    await call(`/mgmt/lenses/${LENS}/certified/by-region/approve`, adminToken, { approved_by: 'ada' });
  }
  const otherAnswer = await call(`/v1/lenses/${LENS}/metrics`, spent.callerKey, plan);
  await call('/v1/reviews', spent.callerKey, { request_id: otherAnswer.request_id, correction: { sql: SQL } });
  await call(`/v1/lenses/${LENS}/query`, spent.callerKey, { q: 'unicorns by region' });
  const { run_id } = await call(`/mgmt/lenses/${LENS}/profile`, spent.adminToken, {});
  const listed = await call('/mcp', keys[0]!, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const { files } = await call('/mgmt/project/export', appliedTenant.adminToken);
  const lens = `lenses/${LENS}/lens.yaml`;
  const ownFile = { 'lens.yaml': files[lens] };
  const parts: Record<string, string | number> = {
    ...{ name: LENS, model: `svc/${LENS}`, file: 'lens.json', path: 'lens.yaml', version: 1 },
    ...{ cert_id: 'by-region', run_id, ticket_id, tile: tiles[0].id },
  };
  const routes = await attacksOfSchemas({
    document: await openApiDocument(),
    tools: listed.result.tools,
    members: {
      ...{
        lens: LENS,
        connection: LENS,
        model: `svc/${LENS}`,
        sql: SQL,
        q: QUESTION,
        question: QUESTION,
        ...plan,
        filters,
      },
      ...{
        messages: [{ role: 'user', content: QUESTION }],
        receipt,
        answer,
        rows: answer.data,
        field: 'region',
        ...kept,
      },
      ...{ cert_id: 'by-region', ticket_id, lenses: [LENS] },
    },
    bodies: {
      'POST /v1/lenses/{name}/metrics': { ...plan, filters },
      'POST /v1/lenses/{name}/certified/{cert_id}/run': {},
      'POST /v1/verify': { receipt, rows: answer.data, text: 'Revenue of the West was 710.5.' },
      'POST /v1/reviews': { ...kept, note: 'Is it so?', correction: { sql: SQL } },
      'PATCH /v1/boards/{id}': { title: 'Kept', shared: true, tiles: [{ id: tiles[0].id, wide: true }] },
      'POST /mgmt/users': { email: 'grace@example.com', password: 'correct horse battery', role: 'viewer' },
      'POST /mgmt/lenses/{name}/evals/run': { ids: ['west-2016'] },
      'POST /mgmt/lenses': { name: 'made', files: ownFile },
      'POST /mgmt/lenses/{name}/drafts': { message: 'Drafted' },
      'PUT /mgmt/lenses/{name}/drafts/{id}': { files: ownFile },
      'POST /mgmt/lenses/{name}/facts': { confirm: 'proven_joins', correct: {} },
      'MCP describe_lens': { lens: LENS },
      'MCP run_certified': { lens: LENS, cert_id: 'by-region' },
      'MCP send_for_review': { ...kept, note: 'Is it so?' },
      'MCP verify_receipt': { receipt },
      ...Object.fromEntries(
        ['plan', 'apply'].map((route) => [
          `POST /mgmt/project/${route}`,
          { files: { [lens]: files[lens], 'boards/kept.yaml': BOARD, ...files } },
        ]),
      ),
    },
    async partOf(part, path, createBody) {
      if (path === '/v1/answers') return answer.request_id;
      if (part in parts) return parts[part];
      const firstProblem = async () => {
        const [firstItem] = (await call(path, tokenOf(path))).items ?? [];
        return (
          firstItem &&
          (firstItem.id ??
            firstItem[part] ??
            firstItem.ticket_id ??
            firstItem.run_id ??
            firstItem.key_id ??
            firstItem.cert_id)
        );
      };
      const foundItem = await firstProblem();
      if (foundItem !== undefined || createBody === undefined) return foundItem;
      await call(path, tokenOf(path), createBody);
      return firstProblem();
    },
  });
  return [...routes, ...projects()].map((attacks) =>
    attacks.map((attack) => {
      // Stored objects belong to the caller who created them.
      if (!attack.admin) return KEPT.test(attack.path) ? { ...attack, token: keys[0]! } : attack;
      return { ...attack, token: tokenOf(attack.path) };
    }),
  );
}

const PROJECT = 60_000_000;
/** Reading the files one after the other may take 15 s for each. */
const FILES = 30;
const FILE_MS = 15_000;
/** Project routes accept bodies of 64 MB, all others 1 MB. */
function projects(): Attack[][] {
  const files: [string, Record<string, string>][] = [
    ['one large file', { 'svc.config.yaml': ' '.repeat(PROJECT) }],
    ['one file of short lines', { 'svc.config.yaml': '#\n'.repeat(PROJECT / 3) }],
    ['one file of signs to escape', { [`lenses/${LENS}/lens.yaml`]: '\u0001'.repeat(PROJECT / 6) }],
    ['a text beside the project', { 'README.md': 'revenue by "region"\n'.repeat(PROJECT / 22) }],
    ['large lenses', repeatFiles(FILES, (n) => `lenses/l${n}/lens.yaml`, `name: l\n${'# a note\n'.repeat(190_000)}`)],
    [
      'lenses of lists',
      repeatFiles(8, (n) => `lenses/l${n}/lens.yaml`, `datasets:\n${'  - [a, {b: c}]\n'.repeat(100_000)}`),
    ],
    [
      'boards',
      repeatFiles(20_000, (n) => `boards/b${n}.yaml`, `title: B\ntiles: [{lens: ${LENS}, question: revenue}]\n`),
    ],
    [
      'certified entries',
      repeatFiles(20_000, (n) => `lenses/${LENS}/certified/c${n}.yaml`, '- {id: a, question: b, sql: select 1}\n'),
    ],
  ];
  // Bodies are serialized in advance, so that serializing doesn't delay the measurement.
  const bodies = files.map(([what, given]) => ({ what, body: Buffer.from(JSON.stringify({ files: given })) }));
  return ['plan', 'apply'].map((route) =>
    bodies.map(({ what, body }) => ({
      door: `POST /mgmt/project/${route}: 60 MB, ${what}`,
      path: `/mgmt/project/${route}`,
      body,
      admin: true,
      moreMs: FILES * FILE_MS,
    })),
  );
}
const repeatFiles = (count: number, path: (n: number) => string, text: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [path(n), text]));

/** Orders the attacks so that consecutive attacks go to different routes. */
export function inTurn(routes: Attack[][], from: number): Attack[] {
  const longestList = Math.max(...routes.map(({ length }) => length));
  return Array.from({ length: longestList }, (_, turn) =>
    routes.flatMap((attacks) => (turn < attacks.length ? [attacks[(from + turn) % attacks.length]!] : [])),
  ).flat();
}
