// The built-in embedder hashes words and character 3- to 5-grams. It compares wording and not meaning, so svc shows the
// name of the embedder next to each score.
import { LRUCache } from 'lru-cache';
import type { Embedder } from '../../domain/ports.ts';

const DIMENSIONS = 512;
// Caches the hashes of each word, because questions repeat words.
const hashesByWord = new LRUCache<string, Int32Array>({ max: 20_000 });

export const builtinEmbedder: Embedder = {
  name: 'builtin-lexical-512',
  lexical: true,
  embed: async (texts) => texts.map(createVector),
};

function createVector(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const hashes = hashWord(word);
    for (let index = 0; index < hashes.length; index++) addFeature(vector, hashes[index]!, index === 0 ? 1 : 0.3);
  }
  let squares = 0;
  for (let index = 0; index < DIMENSIONS; index++) squares += vector[index]! * vector[index]!;
  const norm = Math.sqrt(squares) || 1;
  for (let index = 0; index < DIMENSIONS; index++) vector[index]! /= norm;
  return vector;
}

function hashWord(word: string): Int32Array {
  const cachedHashes = hashesByWord.get(word);
  if (cachedHashes) return cachedHashes;
  const features = [`w:${word}`];
  const paddedWord = `^${word}$`;
  for (let size = 3; size <= 5; size++)
    for (let start = 0; start + size <= paddedWord.length; start++)
      features.push(paddedWord.slice(start, start + size));
  const hashes = Int32Array.from(features, hashFeature);
  hashesByWord.set(word, hashes);
  return hashes;
}

// Computes the FNV-1a hash of a feature. The sign bit decides whether the feature adds or subtracts, so collisions
// partly cancel out.
function hashFeature(feature: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < feature.length; i++) hash = Math.imul(hash ^ feature.charCodeAt(i), 0x01000193);
  return hash;
}

function addFeature(vector: Float32Array, hash: number, weight: number): void {
  vector[(hash >>> 1) % DIMENSIONS]! += hash & 1 ? weight : -weight;
}
