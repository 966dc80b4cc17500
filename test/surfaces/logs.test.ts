// LOG-01: secrets and questions appear in no log line of any level, no error, no metric and no page.
import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

const CANARY = 'canary7Qx';
const PASSWORD = `${CANARY} horse battery staple`;
const lines: string[] = [];
const outputs: string[] = [];
const svc = await startTestApp({ onLog: (line) => void lines.push(line) });

const post = async (path: string, body: unknown, token?: string | null, headers = {}) => {
  const reply = await svc.post(path, body, token, headers);
  if (reply.status >= 400) outputs.push(reply.text);
  return reply;
};

it('LOG-01 writes no secret, question or statement to logs, errors, metrics or pages', async () => {
  const wrong = [`svc_${CANARY}0000`, `svcadm_${CANARY}`, `svco_${CANARY}`, `svcsess_${CANARY}`, CANARY];
  for (const token of wrong) expect((await post('/v1/sql', { sql: 'select 1', lens: 'shop' }, token)).status).toBe(401);
  for (const path of [`/v1/lenses?access_token=${CANARY}`, `/v1/lenses?key=${CANARY}`, `/auth/callback?code=${CANARY}`])
    outputs.push((await svc.get(path, null)).text);
  expect((await post('/auth/login', { email: 'lea@example.com', password: PASSWORD }, null)).status).toBe(401);
  await post('/auth/enter', { token: CANARY }, null);
  await post('/oauth/token', { grant_type: 'authorization_code', code: CANARY, client_secret: CANARY }, null);
  // Connections that are unreachable, refuse the login, or have an invalid configuration.
  const at = { host: '127.0.0.1', port: 9, database: 'none', user: 'reader', password: PASSWORD };
  for (const kind of ['postgres', 'mysql', 'nonsense']) {
    await post('/mgmt/connections', { name: `to-${kind}`, kind, ...at }, svc.adminToken);
    await post(`/mgmt/connections/to-${kind}/test`, {}, svc.adminToken);
  }
  const asked = `what is the revenue of ${CANARY}\r\n\u001b[31m`;
  await post('/v1/lenses/shop/query', { q: asked });
  for (const sql of [
    `select '${CANARY}'`,
    `select ${CANARY} from orders`,
    `select cast('${CANARY}' as integer) from orders`,
  ])
    await svc.post('/v1/sql', { sql, lens: 'shop' });
  await svc.post('/v1/sql', `{"q":"${CANARY}`, undefined, { 'content-type': 'application/json' });
  await post('/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'sql', arguments: { sql: CANARY } },
  });
  // The log contains the reason for an internal failure.
  await svc.sql('alter table svc.traces rename to traces_away');
  const failedReply = await post('/v1/lenses/shop/query', { q: asked });
  await svc.sql('alter table svc.traces_away rename to traces');
  expect(failedReply.status).toBe(503);
  for (const path of ['/metrics', '/docs', '/docs/json', '/SKILL.md', '/ready', '/health'])
    outputs.push((await svc.get(path, svc.adminToken)).text);
  expect(lines.length).toBeGreaterThan(0);
  const secrets = [CANARY, svc.callerKey, svc.adminToken, svc.callerKey.slice(8), svc.adminToken.slice(12)];
  for (const secret of secrets)
    expect(
      [...lines, ...outputs.filter((text) => !text.includes('"question"'))].filter((text) => text.includes(secret)),
    ).toEqual([]);
  expect(lines.filter((line) => /[\r\u001b]|\n./.test(line))).toEqual([]);
});
