// Checks what certified matching needs from an embedder: unit vectors that depend only on the text.
import type { Embedder } from '../../src/domain/ports.ts';
import { assertSame, assertTrue, type Check } from './check.ts';

const SAMPLE_TEXTS = [
  'What was revenue by region in 2016?',
  'Show me revenue by region in 2016',
  'How many kittens sleep on the roof tonight?',
  'ünïcode 漢字 😀 "quotes" \\ and a\nnew line',
];
const BATCH_SIZE = 300;

export function embedderChecks(make: () => Embedder): Check[] {
  const check = (family: string, name: string, prove: (embedder: Embedder) => Promise<void>): Check => ({
    family,
    name,
    run: () => prove(make()),
  });
  return [
    check('vectors', 'has a name', async ({ name }) =>
      assertTrue(typeof name === 'string' && name !== '', 'name is empty'),
    ),
    check('vectors', 'returns one unit vector for each text, all of the same length', async (embedder) => {
      const vectors = await embedder.embed(SAMPLE_TEXTS);
      assertSame(vectors.length, SAMPLE_TEXTS.length, 'vectors');
      for (const vector of vectors) {
        assertTrue(vector instanceof Float32Array, 'a vector is not a Float32Array');
        assertSame(vector.length, vectors[0]!.length, 'dimensions');
        assertTrue(Math.abs(Math.hypot(...vector) - 1) < 1e-3, `a vector has length ${Math.hypot(...vector)}, not 1`);
      }
    }),
    check('batches', 'accepts an empty list, an empty text and a long text', async (embedder) => {
      assertSame((await embedder.embed([])).length, 0, 'vectors for an empty list');
      const odd = await embedder.embed(['', 'long text '.repeat(400)]);
      assertTrue(
        odd.length === 2 && odd.every((vector) => vector.every(Number.isFinite)),
        'the vector of an unusual text is not finite',
      );
    }),
    check('batches', `keeps the order of ${BATCH_SIZE} texts, including repeated ones`, async (embedder) => {
      const texts = Array.from({ length: BATCH_SIZE }, (_, n) => `Question number ${n % 150} about sales`);
      const vectors = await embedder.embed(texts);
      assertSame(vectors.length, BATCH_SIZE, 'vectors');
      for (const n of [0, 1, 77, 149]) {
        assertTrue(
          cosineSimilarity(vectors[n]!, vectors[n + 150]!) > 0.999,
          `text ${n} and its repetition have different vectors`,
        );
        const [singleVector] = await embedder.embed([texts[n]!]);
        assertTrue(
          cosineSimilarity(vectors[n]!, singleVector!) > 0.999,
          `text ${n} has a different vector when it is sent alone`,
        );
      }
    }),
    check('meaning', 'places a rephrased question nearer than a different one', async (embedder) => {
      const [question, rephrased, unrelatedVector] = await embedder.embed(SAMPLE_TEXTS);
      assertTrue(
        cosineSimilarity(question!, rephrased!) > cosineSimilarity(question!, unrelatedVector!),
        'an unrelated question is nearer than a rephrased one',
      );
      assertTrue(cosineSimilarity(question!, unrelatedVector!) < 0.999, 'different questions have the same vector');
    }),
    check('stability', 'returns the same vector for the same text, in sequence and concurrently', async (embedder) => {
      const [firstVectors, secondVectors] = await Promise.all([
        embedder.embed([SAMPLE_TEXTS[0]!]),
        embedder.embed([SAMPLE_TEXTS[0]!]),
      ]);
      const [repeatedVector] = await make().embed([SAMPLE_TEXTS[0]!]);
      for (const otherVectors of [secondVectors, [repeatedVector!]])
        assertTrue(
          cosineSimilarity(firstVectors[0]!, otherVectors[0]!) > 0.999,
          'the same text has two different vectors',
        );
    }),
  ];
}

const cosineSimilarity = (left: Float32Array, right: Float32Array): number =>
  left.reduce((sum, value, index) => sum + value * right[index]!, 0);
