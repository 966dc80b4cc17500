// Embeds texts through an endpoint in OpenAI's format. If the endpoint is down, svc doesn't use the built-in embedder
// instead, because vectors of two embedders can't be compared.
import { LRUCache } from 'lru-cache';
import type { Embedder } from '../../domain/ports.ts';
import { Problem } from '../../platform/problem.ts';
import { createOpenAiLoader } from '../openai-client.ts';

const MAX_BATCH_SIZE = 256;
const EMBEDDING_TIMEOUT_MS = 3_000; // the time limit for all attempts together
const FAILURE_PAUSE_MS = 5_000; // after a failure, asks don't wait for the endpoint during this time

export function createOpenAiEmbedder(config: { model: string; baseUrl: string | null; apiKey: string }): Embedder {
  const vectorCache = new LRUCache<string, Float32Array>({
    max: 200_000,
    maxSize: 512 * 1024 * 1024,
    sizeCalculation: (vector) => vector.byteLength,
  });
  let pausedUntil = 0;
  const getClient = createOpenAiLoader(config, { maxRetries: 1, timeout: EMBEDDING_TIMEOUT_MS });

  return {
    name: `openai:${config.model}`,
    async embed(texts) {
      const uncachedTexts = [...new Set(texts.filter((text) => !vectorCache.has(text)))];
      const vectors = new Map<string, Float32Array>();
      if (uncachedTexts.length > 0 && performance.now() < pausedUntil) throw createConnectionProblem();
      for (let start = 0; start < uncachedTexts.length; start += MAX_BATCH_SIZE) {
        const input = uncachedTexts.slice(start, start + MAX_BATCH_SIZE);
        const openai = await getClient();
        const reply = await openai.embeddings
          .create(
            { model: config.model, input, encoding_format: 'float' },
            { signal: AbortSignal.timeout(EMBEDDING_TIMEOUT_MS) },
          )
          .then(({ data }) => toNormalizedVectors(data, input.length))
          .catch((cause: unknown) => {
            pausedUntil = performance.now() + FAILURE_PAUSE_MS;
            throw createConnectionProblem(cause);
          });
        for (const [index, vector] of reply.entries()) vectors.set(input[index]!, vector);
      }
      for (const [text, vector] of vectors) vectorCache.set(text, vector);
      return texts.map((text) => vectors.get(text) ?? vectorCache.get(text)!);
    },
  };
}

const createConnectionProblem = (cause?: unknown): Problem =>
  new Problem('unreachable', 'The embedding service is not responding.', { cause });

/** Returns one vector for each string, in the order of the strings. */
function toNormalizedVectors(data: { index: number; embedding: number[] }[], count: number): Float32Array[] {
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  for (const { index, embedding } of data) vectors[index] = normalize(embedding);
  if (vectors.length !== count || vectors.includes(undefined))
    throw new Error('the reply has no vector for one of the texts');
  return vectors as Float32Array[];
}

function normalize(numbers: number[]): Float32Array {
  const norm = Math.hypot(...numbers) || 1;
  return Float32Array.from(numbers, (value) => value / norm);
}
