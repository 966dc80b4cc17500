// Two thousand questions with a restricting or quantifying word, over three lenses. Each verified answer must be right.
import { expect, test } from 'vitest';
import { startWordsBench } from '../words/ask-words.ts';
import { wordQuestions } from '../words/word-questions.ts';
import { WORLDS } from '../words/worlds.ts';

const bench = await startWordsBench();

test('grades no answer verified if it ignores a word of the question', async () => {
  const asked = await bench.run(wordQuestions(WORLDS, 2_000));
  const outcomes = asked.map(({ one, envelope }) => {
    const outcome = envelope.status === 'answered' ? envelope.confidence : envelope.status;
    return `${one.world.lens} ${outcome}`;
  });
  const counts = new Map<string, number>();
  for (const item of outcomes) counts.set(item, (counts.get(item) ?? 0) + 1);
  console.log(asked.length, Object.fromEntries([...counts].sort()));
  expect(asked).toHaveLength(2_000);
  expect(
    asked.flatMap(({ one, envelope, wrong }) => (wrong ? [`${one.q} -> ${envelope.scope?.sentence}`] : [])),
  ).toEqual([]);
});
