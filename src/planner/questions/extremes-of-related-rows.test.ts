// The highest of what somebody has: the composer of the piece with the lowest price, and the longest piece where the length
// is kept with its recording.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const hall = lens('hall', {
  datasets: [
    dataset(
      'composers',
      ['composer_id'],
      [
        field('composer_id', 'integer'),
        field('composer_name', 'string'),
        field('land', 'string', { values: ['Peru'] }),
      ],
    ),
    dataset('recordings', ['recording_id'], [field('recording_id', 'integer'), field('duration', 'integer')]),
    dataset(
      'pieces',
      ['piece_id'],
      [
        field('piece_id', 'integer'),
        field('piece_name', 'string'),
        field('mood', 'string', { values: ['calm', 'wild'] }),
        field('level', 'integer'),
      ],
      { synonyms: ['piece'] },
    ),
    dataset(
      'loans',
      ['loan_id'],
      [field('loan_id', 'integer'), field('lent_on', 'date'), field('returned_on', 'date')],
      { synonyms: ['loan'] },
    ),
  ],
  relationships: [
    relation('pieces', 'composer_id', 'composers', 'composer_id'),
    relation('pieces', 'recording_id', 'recordings', 'recording_id'),
    relation('loans', 'recording_id', 'recordings', 'recording_id'),
  ],
  metrics: [],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: hall, choices: {}, now: new Date('2026-03-01T12:00:00Z') });
  return reading.kind === 'intent' ? intentBrief(reading.intent) : reading.kind;
};

test.each([
  [
    'What is the name of the composer who wrote the piece with the lowest level?',
    'list composers | by composers.composer_name | where some pieces | order min(pieces.level) asc | limit 1',
  ],
  [
    'Return the name and land of the composer who wrote the piece with the highest level.',
    'list composers | by composers.composer_name, composers.land | where some pieces | order max(pieces.level) desc | limit 1',
  ],
  ['What is the name of the composer who wrote the calm piece with the lowest level?', 'refused'],
])('a verb that leads to the row restricts nothing more: %s', (question, brief) => {
  expect(read(question)).toBe(brief);
});

test.each([
  ['What is the longest piece?', 'list pieces | by pieces.piece_name | order recordings.duration desc | limit 1'],
  [
    'What is the id of the shortest wild piece?',
    'list pieces | by pieces.piece_id | where pieces.mood = wild | order recordings.duration asc | limit 1',
  ],
  [
    'What is the name of the composer who wrote the longest piece?',
    'list pieces | by composers.composer_name | order recordings.duration desc | limit 1',
  ],
  // From one day to another is a length of its own.
  ['What is the longest loan?', 'refused'],
])('the length of what a row leads to is its own: %s', (question, brief) => {
  expect(read(question)).toBe(brief);
});
