// "without a perk", where the perk is a field of linked rows: no such row is there. A thing in between lacks it itself.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const lodges = lens('lodges', {
  datasets: [
    dataset(
      'lodge',
      ['lodge_id'],
      [
        field('lodge_id', 'integer'),
        field('lodge_name', 'string', { values: ['Pine', 'Oak'] }),
        field('valley', 'string', { values: ['North', 'South'] }),
      ],
    ),
    dataset(
      'lodge_perk',
      ['perk_id'],
      [field('perk_id', 'integer'), field('perk_name', 'string', { values: ['Sauna'] })],
    ),
    dataset('has_perk', ['lodge_id', 'perk_id'], [field('lodge_id', 'integer'), field('perk_id', 'integer')]),
    dataset('visit', ['visit_id'], [field('visit_id', 'integer'), field('remark', 'string')]),
  ],
  metrics: [],
  relationships: [
    relation('has_perk', 'lodge_id', 'lodge', 'lodge_id'),
    relation('has_perk', 'perk_id', 'lodge_perk', 'perk_id'),
    relation('visit', 'lodge_id', 'lodge', 'lodge_id'),
  ],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: lodges, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  if (reading.kind === 'intent') return intentBrief(reading.intent);
  return reading.kind;
};
const none = 'no has_perk (lodge_perk.perk_name is_not_null)';
const listed = (where: string) => `list lodge | by lodge.lodge_name | where ${where}`;

test.each([
  ['Find the name of lodges that do not have any perk', listed(none)],
  ['lodges without a perk', listed(none)],
  ['which lodges have no perks', listed(none)],
  ['which lodges in the North valley have no perks', listed(`lodge.valley = North & ${none}`)],
  ['how many lodges have no perk', `count(lodge) | where ${none}`],
  ['lodges without a remark', listed('no visit (visit.remark is_not_null)')],
  ['lodges with visits without a remark', listed('some visit & some visit (visit.remark is_null)')],
  ['visits without a remark', 'list visit | by visit.visit_id, visit.remark | where visit.remark is_null'],
  ['which lodges have a perk', listed('some has_perk (lodge_perk.perk_name is_not_null)')],
  ['lodges with visits without a perk', 'refused'],
  ['lodges without a perk or in the North valley', 'refused'],
])('%s', (question, brief) => expect(read(question)).toBe(brief));
