// The shop of the fixtures with both model entries pointing at a scripted endpoint.
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Envelope } from '../../src/contract/ask.ts';
import { SHOP, startTestApp, type TestApp } from '../support/app.ts';
import { type Behaviour, type ModelRequest, type ModelServer, startModelServer } from '../support/model-server.ts';

export interface ModelsApp {
  svc: TestApp;
  models: ModelServer;
  ask(q: string, format?: string, lens?: string): Promise<Envelope>;
  /** What the trace holds of the ask. */
  modelCalls(requestId: string): Promise<ModelCall[]>;
  /** Another replica, started with another configuration of models or on another address of theirs. */
  asks(extra: string, baseUrl?: string): Promise<(q: string) => Promise<Envelope>>;
  close(): Promise<void>;
}
interface ModelCall {
  entry: string;
  model: string;
  tokensIn: number;
  tokensOut: number;
  cost: number | null;
  outcome: string;
}

const MODELS = `
models:
  fast: {model: fast-1, price: {input: 1, output: 2}}
  smart: {model: smart-1, price: {input: 10, output: 20}}
`;

export async function startModelsApp(extra = MODELS, source = SHOP): Promise<ModelsApp> {
  const models = await startModelServer();
  const project = await mkdtemp(join(tmpdir(), 'svc-models-'));
  await cp(source, project, { recursive: true });
  await appendFile(join(project, 'svc.config.yaml'), extra);
  const env = { OPENAI_BASE_URL: models.baseUrl, OPENAI_API_KEY: 'scripted' };
  const svc = await startTestApp({ project, env });
  return {
    svc,
    models,
    ask: async (q, format = 'structured', lens = 'shop') =>
      (await svc.post<Envelope>(`/v1/lenses/${lens}/query`, { q, format })).body,
    async modelCalls(requestId) {
      const trace = await svc.deps.traces.find(svc.orgId, requestId);
      return (trace?.modelCalls ?? []) as ModelCall[];
    },
    async asks(other, baseUrl = models.baseUrl) {
      const config = join(project, 'svc.config.yaml');
      await writeFile(config, (await readFile(join(source, 'svc.config.yaml'), 'utf8')) + other);
      const replica = await svc.replica({ OPENAI_BASE_URL: baseUrl });
      const headers = { authorization: `Bearer ${svc.callerKey}` };
      return async (q) => {
        const payload = { q, format: 'structured' };
        const reply = await replica.inject({ method: 'POST', url: '/v1/lenses/shop/query', headers, payload });
        return reply.json<Envelope>();
      };
    },
    async close() {
      await svc.close();
      await models.close();
      await rm(project, { recursive: true, force: true });
    },
  };
}

/** A decision in the protocol, every member there as strict mode wants it. */
export const decision = (
  kind: 'plan' | 'sql' | 'needs_definition' | 'unanswerable',
  parts: { plan?: unknown; sql?: string; missing?: unknown[]; spans?: unknown[] } = {},
) => ({ kind, plan: null, sql: null, missing: [], spans: [], ...parts });
export const CANNOT = { say: decision('unanswerable') };

// Each word is the lens's; what "per" means here the planner does not guess.
export const MEAN = 'What is the average revenue per region?';
export const MEAN_PLAN = { measures: [{ fn: 'over_groups', take: 'avg', of: 'revenue', by: ['orders.region'] }] };
export const MEAN_SPANS = [{ text: 'average revenue per region', part: 'measures[0]' }];
export const MEAN_SQL =
  'select avg(r) as mean, count(*) as n from (select sum(sales) as r from main.orders group by region) t';

/** Five right answers, which evals show. */
export async function earn({ svc, models, ask }: ModelsApp): Promise<void> {
  const decides = { say: decision('plan', { plan: MEAN_PLAN, spans: MEAN_SPANS }) };
  models.script(playing({ decides, writesSql: { say: MEAN_SQL } }));
  const value = Object.values((await ask(MEAN)).data![0]!)[0];
  for (let nth = 0; nth < 5; nth++) {
    const made = { id: `mean-${nth}`, question: MEAN, expect: { value, tolerance: 0.01 } };
    expect((await svc.post('/mgmt/lenses/shop/evals', made, svc.adminToken)).status).toBe(201);
  }
  const { body } = await svc.post('/mgmt/lenses/shop/evals/run', {}, svc.adminToken);
  const state = async () => (await svc.get(`/mgmt/runs/${body.run_id}`, svc.adminToken)).body.state;
  await expect.poll(state, { timeout: 20_000 }).toBe('succeeded');
  expect(await ask(MEAN)).toMatchObject({ confidence: 'verified' });
}

/** Who answers what: the fast entry decides, the smart one writes SQL, then prose. */
export const playing =
  (parts: { decides?: Behaviour; writesSql?: Behaviour; composes?: Behaviour }) =>
  (request: ModelRequest): Behaviour => {
    if (request.structured) return parts.decides ?? { status: 500 };
    return (request.user.includes('<rows') ? parts.composes : parts.writesSql) ?? { status: 500 };
  };
