// The built-in lexical embedder: hashed words and character 3-to-5-grams, no data files, no network.
// It measures likeness of wording, not of meaning; wherever its band is shown, its name is shown too.
import type { Embedder } from '../../domain/ports.ts';

const DIMENSIONS = 512;

export const builtinEmbedder: Embedder = {
  name: 'builtin-lexical-512',
  lexical: true,
  embed: async (texts) => texts.map(vectorOf),
};

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  for (const word of words) {
    add(vector, `w:${word}`, 1);
    const padded = `^${word}$`;
    for (let size = 3; size <= 5; size++) {
      for (let start = 0; start + size <= padded.length; start++) add(vector, padded.slice(start, start + size), 0.3);
    }
  }
  const norm = Math.hypot(...vector) || 1;
  return vector.map((weight) => weight / norm);
}

// FNV-1a; the sign bit keeps collisions from only ever adding up.
function add(vector: Float32Array, feature: string, weight: number): void {
  let hash = 0x811c9dc5;
  for (let i = 0; i < feature.length; i++) hash = Math.imul(hash ^ feature.charCodeAt(i), 0x01000193);
  vector[(hash >>> 1) % DIMENSIONS]! += hash & 1 ? weight : -weight;
}
