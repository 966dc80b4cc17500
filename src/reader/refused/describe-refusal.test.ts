import { expect, test } from 'vitest';
import { shop } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';
import { describeRefusal } from './describe-refusal.ts';

/** Returns the number of turns of the event loop until the work was done. */
const countTurns = async (work: Promise<unknown>): Promise<number> => {
  let rounds = 0;
  const countRound = () => {
    rounds++;
    immediate = setImmediate(countRound);
  };
  let immediate = setImmediate(countRound);
  await work;
  clearImmediate(immediate);
  return rounds;
};

test('lets other work run between the questions that svc tries for a refusal', async () => {
  const question = 'frobbed revenue by zorked region and glimmed segment in 2016 for quaxed customers';
  const input = { question, lens: shop, choices: {}, now: new Date('2017-12-31') };
  const reading = readQuestion(input);
  if (reading.kind !== 'refused') throw new Error(`The question is read: ${reading.kind}`);
  expect(await countTurns(describeRefusal(input, reading))).toBeGreaterThan(1);
});
