// What the attacks made of schemas need of a stage: a document, tools, names that exist, and an organization to spend.

import type { Attack } from './door-attacks.ts';
import type { EngineStage } from './engine-stage.ts';
import { openApiDocument } from './openapi-document.ts';
import { attacksOfSchemas } from './schema-attacks.ts';

const LENS = 'duck';
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
      files: { 'svc.config.yaml': '', [`lenses/${LENS}/lens.yaml`]: `name: ${LENS}\nconnection: ${LENS}\n` },
      field: 'region',
    },
    parts: { name: LENS, model: `svc/${LENS}`, file: 'lens.json', path: 'lens.yaml', version: 1 },
    async idOf(path) {
      const { items } = await call(path, path.startsWith('/v1') ? keys[0]! : spent.adminToken);
      const [first] = (items ?? []) as Record<string, string>[];
      return first && (first['id'] ?? first['ticket_id'] ?? first['run_id'] ?? first['request_id'] ?? first['cert_id']);
    },
  });
  return routes.map((attacks) =>
    attacks.map((attack) => {
      if (!attack.admin) return attack;
      return { ...attack, token: attack.path.startsWith('/mgmt/project') ? applied.adminToken : spent.adminToken };
    }),
  );
}

/** Each route in turn. */
export function inTurn(routes: Attack[][], from: number): Attack[] {
  const most = Math.max(...routes.map(({ length }) => length));
  return Array.from({ length: most }, (_, turn) =>
    routes.flatMap((attacks) => (turn < attacks.length ? [attacks[(from + turn) % attacks.length]!] : [])),
  ).flat();
}
