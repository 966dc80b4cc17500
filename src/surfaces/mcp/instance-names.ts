// An organization's name for this installation, for MCP. svc reads the name when a client introduces itself or needs
// instructions with the name. For other messages, svc uses the cached name and doesn't wait.
import { LRUCache } from 'lru-cache';
import type { Deps } from '../../deps.ts';

const METHODS_WITH_NAME = new Set<unknown>(['initialize', 'server/discover', 'prompts/get']);
const MAX_ORGANIZATIONS = 1_000;

export class InstanceNames {
  readonly #deps: Pick<Deps, 'instance' | 'config'>;
  readonly #names = new LRUCache<string, string>({ max: MAX_ORGANIZATIONS });

  constructor(deps: Pick<Deps, 'instance' | 'config'>) {
    this.#deps = deps;
  }

  async nameFor(orgId: string, method: unknown): Promise<string> {
    if (METHODS_WITH_NAME.has(method)) this.#names.set(orgId, (await this.#deps.instance(orgId)).name);
    return this.#names.get(orgId) ?? this.#deps.config.operator.instance?.name ?? 'svc';
  }
}
