// How a list is ordered, said behind all else; and each of a stored kind.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const survey = lens('survey', {
  datasets: [
    dataset(
      'people',
      ['person_id'],
      [
        field('person_id', 'integer'),
        field('person_name', 'string'),
        field('job', 'string', { values: ['Surveyor', 'Clerk'] }),
        field('hired_on', 'date', { synonyms: ['hire date'] }),
        field('left_on', 'date'),
        field('pay', 'decimal'),
      ],
    ),
    dataset(
      'plots',
      ['plot_id'],
      [
        field('plot_id', 'integer'),
        field('plot_name', 'string'),
        field('person_id', 'integer'),
        field('measured_on', 'date'),
        field('filed_on', 'date'),
        field('area', 'decimal'),
        field('zone', 'string', { values: ['North', 'South'] }),
      ],
      { timeField: 'measured_on' },
    ),
  ],
  metrics: [],
  relationships: [relation('plots', 'person_id', 'people', 'person_id')],
});
const read = (question: string): string => {
  const found = readQuestion({ question, lens: survey, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  return found.kind === 'intent' ? intentBrief(found.intent) : found.kind;
};

test.each([
  [
    'List the plots in the North, newest first',
    'list plots | by plots.plot_name | where plots.zone = North | order plots.measured_on desc',
  ],
  [
    'List plot name and area of all plots, starting with the oldest.',
    'list plots | by plots.plot_name, plots.area | order plots.measured_on asc',
  ],
  [
    'Show the names and hire dates of people, latest first',
    'list people | by people.person_name, people.hired_on | order people.hired_on desc',
  ],
  ['List people, newest first', 'refused'],
  [
    'List plot name and area of plots in the South, largest area first',
    'list plots | by plots.plot_name, plots.area | where plots.zone = South | order plots.area desc',
  ],
  ['Count the plots per zone, sorted from most to fewest.', 'count(plots) | by plots.zone | order #0 desc'],
  ['number of plots per zone, sorted from fewest to most', 'count(plots) | by plots.zone | order #0 asc'],
  ['number of plots per zone, lowest number first', 'count(plots) | by plots.zone | order #0 asc'],
])('an order said last: %s', (question, brief) => expect(read(question)).toBe(brief));

test.each([
  ['How many plots did each surveyor measure?', 'refused'],
  [
    'number of plots for each surveyor',
    'count(plots) | by people.person_name | key people | where people.job = Surveyor',
  ],
  ['Show the name and pay of each clerk', 'list people | by people.person_name, people.pay | where people.job = Clerk'],
  ['number of plots for each North', 'refused'],
])('each of a stored kind: %s', (question, brief) => expect(read(question)).toBe(brief));
