// What an organization calls this installation, for MCP: read when a client introduces itself or asks for a text that says
// it, and remembered for its other messages, which are not to wait for a title.
import { LRUCache } from 'lru-cache';
import type { Deps } from '../../deps.ts';

const SAYING_IT = new Set<unknown>(['initialize', 'server/discover', 'prompts/get']);
const ORGANIZATIONS = 1_000;

export class InstanceNames {
  readonly #deps: Pick<Deps, 'instance' | 'config'>;
  readonly #known = new LRUCache<string, string>({ max: ORGANIZATIONS });

  constructor(deps: Pick<Deps, 'instance' | 'config'>) {
    this.#deps = deps;
  }

  async of(orgId: string, method: unknown): Promise<string> {
    if (SAYING_IT.has(method)) this.#known.set(orgId, (await this.#deps.instance(orgId)).name);
    return this.#known.get(orgId) ?? this.#deps.config.operator.instance?.name ?? 'svc';
  }
}
