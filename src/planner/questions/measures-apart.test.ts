// Two measures, each said with a condition: one reading of several, so never verified.
import { expect, test } from 'vitest';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const survey = lens('survey', {
  datasets: [
    dataset(
      'plots',
      ['plot_id'],
      [
        field('plot_id', 'integer'),
        field('area', 'decimal', { unit: 'ha' }),
        field('fee', 'decimal', { unit: 'EUR' }),
        field('zone', 'string', { values: ['North', 'South'] }),
        field('soil', 'string', { values: ['Clay', 'Sand'] }),
        field('start_pier_id', 'integer'),
        field('end_pier_id', 'integer'),
      ],
    ),
    dataset(
      'piers',
      ['pier_id'],
      [field('pier_id', 'integer'), field('pier_name', 'string', { values: ['Alba', 'Ros'] })],
    ),
  ],
  metrics: [],
  relationships: [
    relation('plots', 'start_pier_id', 'piers', 'pier_id', 'start_pier'),
    relation('plots', 'end_pier_id', 'piers', 'pier_id', 'end_pier'),
  ],
});
const read = (question: string) =>
  readQuestion({ question, lens: survey, choices: {}, now: new Date('2024-06-30T12:00:00Z') });

test.each([
  ['average area in the North and average fee for clay', true],
  ['average area and average fee in the North for clay', false],
])('%s', (question, doubted) => {
  const reading = read(question);
  expect(reading.kind === 'intent' ? reading.doubt !== null : reading).toBe(doubted);
});

test.each(['which plots ship from Alba to Ros', 'plots that offer a way from start pier Alba to end pier Ros'])(
  'a verb beside roles ends in a reading or a no: %s',
  (question) => {
    expect(() => read(question)).not.toThrow();
  },
);
