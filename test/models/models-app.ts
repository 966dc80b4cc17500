// The shop of the fixtures, with both models served by a scripted endpoint.
import { appendFile, cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Envelope } from '../../src/contract/ask.ts';
import { SHOP, startTestApp, type TestApp } from '../support/app.ts';
import { type Behaviour, type ModelRequest, type ModelServer, startModelServer } from '../support/model-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export interface ModelsApp {
  svc: TestApp;
  models: ModelServer;
  ask(q: string, format?: string, lens?: string): Promise<Envelope>;
  /** The model calls in the trace of the ask. */
  modelCalls(requestId: string): Promise<ModelCall[]>;
  /** Asks another replica, with other model settings or another model address. */
  asks(extra: string, baseUrl?: string): Promise<(q: string) => Promise<Envelope>>;
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
  const project = await temporaryFolder();
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
    async asks(extraConfig, baseUrl = models.baseUrl) {
      const config = join(project, 'svc.config.yaml');
      await writeFile(config, (await readFile(join(source, 'svc.config.yaml'), 'utf8')) + extraConfig);
      const replica = await svc.replica({ OPENAI_BASE_URL: baseUrl });
      const headers = { authorization: `Bearer ${svc.callerKey}` };
      return async (q) => {
        const payload = { q, format: 'structured' };
        const reply = await replica.inject({ method: 'POST', url: '/v1/lenses/shop/query', headers, payload });
        return reply.json<Envelope>();
      };
    },
  };
}

/** A decision in the protocol, with every member that strict mode requires. */
export const decision = (
  kind: 'plan' | 'sql' | 'needs_definition' | 'unanswerable',
  parts: { plan?: unknown; sql?: string; missing?: unknown[] } = {},
) => ({ kind, plan: null, sql: null, missing: [], ...parts });
export const CANNOT = { say: decision('unanswerable') };

/** The fast model decides, and the smart one writes SQL and then prose. */
export const scriptRoles =
  (parts: { decides?: Behaviour; writesSql?: Behaviour; composes?: Behaviour }) =>
  (request: ModelRequest): Behaviour => {
    if (request.structured) return parts.decides ?? { status: 500 };
    return (request.user.includes('<rows') ? parts.composes : parts.writesSql) ?? { status: 500 };
  };
