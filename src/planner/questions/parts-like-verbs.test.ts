// Roles that are named like verbs ("filed_by"): who plays the part restricts, by name or by a clause about them, and is not
// shown; the thing that leads to them is the one that a further clause goes on about.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const office = (filed: string, approved: string, given: string) =>
  lens('office', {
    datasets: [
      dataset(
        'clerks',
        ['clerk_id'],
        [
          field('clerk_id', 'integer'),
          field('first_name', 'string', { values: ['Ann', 'Bo', 'Cy'] }),
          field('last_name', 'string', { values: ['Lee', 'Ek', 'Moe'] }),
          field('floor', 'integer'),
        ],
        { synonyms: ['clerk'] },
      ),
      dataset(
        'machines',
        ['machine_id'],
        [field('machine_id', 'integer'), field('machine_name', 'string', { values: ['Press'] })],
      ),
      dataset(
        'claims',
        ['claim_id'],
        [field('claim_id', 'integer'), field('summary', 'string'), field('filed_on', 'date')],
        { synonyms: ['claim'], timeField: 'filed_on' },
      ),
      dataset('jobs', ['job_id'], [field('job_id', 'integer'), field('note', 'string')]),
    ],
    relationships: [
      relation('claims', 'machine_id', 'machines', 'machine_id'),
      relation('claims', 'filed_by_id', 'clerks', 'clerk_id', filed),
      relation('claims', 'approved_by_id', 'clerks', 'clerk_id', approved),
      relation('jobs', 'given_to_id', 'clerks', 'clerk_id', given),
      relation('jobs', 'claim_id', 'claims', 'claim_id'),
    ],
    metrics: [],
  });
const declared = office('filed_by', 'approved_by', 'given_to');
const drafted = office('filed_by_clerk', 'approved_by_clerk', 'given_to_clerk');
const read = (question: string, of = declared): string => {
  const reading = readQuestion({ question, lens: of, choices: {}, now: new Date('2026-03-01T12:00:00Z') });
  return reading.kind === 'intent' ? intentBrief(reading.intent) : reading.kind;
};

const asked: [string, string][] = [
  [
    'What are the ids of the claims filed by Ann Lee?',
    'list claims | by claims.claim_id | where filed_by.first_name = Ann & filed_by.last_name = Lee',
  ],
  [
    'List the ids of the claims that are filed by the clerk whose last name is Ek.',
    'list claims | by claims.claim_id | where filed_by.last_name = Ek',
  ],
  [
    'Which claims were approved by clerks with first name "Bo"? Show the ids of the claims.',
    'list claims | by claims.claim_id | where approved_by.first_name = Bo',
  ],
  ['How many claims were filed by a clerk whose floor is above 3?', 'count(claims) | where filed_by.floor > 3'],
  [
    'What are the ids of the claims filed by the clerk named Ann Lee or Bo Ek?',
    'list claims | by claims.claim_id | where any(all(filed_by.first_name = Ann ; filed_by.last_name = Lee) ; all(filed_by.first_name = Bo ; filed_by.last_name = Ek))',
  ],
  [
    'List the machine names with claims filed by Ann Lee and approved by Bo Ek.',
    'list machines | by machines.machine_name | where some claims (filed_by.first_name = Ann & filed_by.last_name = Lee & approved_by.first_name = Bo & approved_by.last_name = Ek)',
  ],
  [
    'Which clerks are given to the claim with id 7? List their last names.',
    'list clerks | by clerks.last_name | where some jobs (claims.claim_id = 7)',
  ],
  ['How many claims were filed by 2024?', 'refused'],
  ['List the ids of the claims filed by the machine named Press.', 'refused'],
];

test.each(asked)('a part named like a verb restricts: %s', (question, brief) => {
  expect(read(question)).toBe(brief);
});

test.each(asked)('and a drafted role that names whom it leads to says the same: %s', (question, brief) => {
  expect(read(question, drafted).replaceAll('_by_clerk.', '_by.')).toBe(brief);
});
