import { ComponentHealth, type HealthState } from '../../platform/component-health.ts';
import { createId } from '../../platform/ids.ts';
import type { Embedder } from '../ports.ts';

const PROBE_INTERVAL_MS = 30_000; // a long interval, because a probe of a paid service costs a few tokens

export function watchEmbedder(embedder: Embedder): { embedder: Embedder; readState(): Promise<HealthState> } {
  const embed = async (texts: string[]): Promise<Float32Array[]> => {
    try {
      const vectors = await embedder.embed(texts);
      embedderHealth.recordSuccess();
      return vectors;
    } catch (fault) {
      embedderHealth.recordFailure();
      throw fault;
    }
  };
  // No cache contains this string, so the service itself must respond.
  const embedderHealth = new ComponentHealth(async () => void (await embed([`ready ${createId()}`])), {
    ...{ validMs: PROBE_INTERVAL_MS, failingMs: 0, detail: 'the embedder does not respond' },
  });
  const { name, lexical = false } = embedder;
  return { embedder: { name, lexical, embed }, readState: () => embedderHealth.readState() };
}
