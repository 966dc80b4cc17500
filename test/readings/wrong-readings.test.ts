// Each verified answer equals reference SQL, over five schemas with several dates, levels and ties. Each option of a
// clarification resolves it.
import { expect, it } from 'vitest';
import { findOptionProblems } from '../surfaces/every-option.ts';
import { type ReadingsBench, startReadingsBench } from './ask-wrong-readings.ts';
import { wrongReadings } from './wrong-readings.ts';

const SOME_MINUTES = 180_000;
const bench = await startReadingsBench();

it(
  'gives no wrong verified answer to 364 questions that invite misinterpretation',
  async () => {
    const wrong: string[] = [];
    const right = { answered: 0, asked: 0 };
    const judge = async (questionText: string, envelope: Awaited<ReturnType<ReadingsBench['ask']>>, gold: string[]) => {
      if (envelope.status !== 'answered' || envelope.confidence !== 'verified') return;
      if (await bench.agrees(envelope, gold)) right.answered++;
      else wrong.push(`${questionText}: ${envelope.scope?.sentence}`);
    };
    for (const wrongReading of wrongReadings()) {
      const envelope = await bench.ask(wrongReading);
      await judge(`${wrongReading.lens}: ${wrongReading.q}`, envelope, wrongReading.gold);
      const { clarification } = envelope;
      if (!clarification) continue;
      right.asked++;
      wrong.push(
        ...(await findOptionProblems(wrongReading.q, envelope, (choices) => bench.ask(wrongReading, choices))),
      );
      for (const [key, gold] of Object.entries(wrongReading.settled ?? {})) {
        const resolvedAnswer = await bench.ask(wrongReading, { [clarification.term]: key });
        expect([wrongReading.q, key, resolvedAnswer.status]).toEqual([wrongReading.q, key, 'answered']);
        await judge(`${wrongReading.lens}: ${wrongReading.q} (${key})`, resolvedAnswer, [gold]);
      }
    }
    expect(wrong).toEqual([]);
    // svc must not pass by refusing everything.
    expect(right.answered).toBeGreaterThan(150);
    expect(right.asked).toBeGreaterThan(30);
  },
  SOME_MINUTES,
);

it('grades missing rows partial when a row policy hides rows that could match', async () => {
  const ask = async (q: string, region?: string) => {
    const { confidence, checks } = await bench.ask({ lens: 'trade', q, region });
    return [confidence, checks.find(({ name }) => name === 'nulls_stated')?.detail];
  };
  for (const q of ['customers without orders', 'number of order lines by status']) {
    expect(await ask(q)).toEqual(['verified', undefined]);
    expect(await ask(q, 'North')).toEqual([
      'partial',
      'The row policy own-orders hides rows of orders. svc treats the hidden rows as missing.',
    ]);
  }
});
