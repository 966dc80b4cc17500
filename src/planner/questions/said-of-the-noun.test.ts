// What stands behind a noun is said of that noun, and not of what the question is about.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const named = (name: string, key: string, values: string[]) =>
  dataset(name, [key], [field(key, 'integer'), field(`${name.slice(0, -1)}_name`, 'string', { values })]);
const studio = lens('studio', {
  datasets: [
    named('guilds', 'guild_id', ['Red Guild', 'Blue Guild']),
    named('painters', 'painter_id', ['Ada', 'Bo']),
    named('workshops', 'workshop_id', ['Etching']),
    dataset('commissions', ['commission_id'], [field('commission_id', 'integer'), field('fee', 'decimal')]),
    dataset('seats', ['painter_id', 'workshop_id'], [field('paid', 'boolean')]),
  ],
  metrics: [],
  relationships: [
    relation('painters', 'guild_id', 'guilds', 'guild_id'),
    relation('workshops', 'guild_id', 'guilds', 'guild_id'),
    relation('commissions', 'guild_id', 'guilds', 'guild_id'),
    relation('commissions', 'painter_id', 'painters', 'painter_id'),
    relation('seats', 'painter_id', 'painters', 'painter_id'),
    relation('seats', 'workshop_id', 'workshops', 'workshop_id'),
  ],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: studio, choices: {}, now: new Date('2024-05-01T12:00:00Z') });
  return reading.kind === 'intent' ? intentBrief(reading.intent) : reading.kind;
};

test.each([
  [
    'List the painters in the Red Guild',
    'list painters | by painters.painter_name | where guilds.guild_name = Red Guild',
  ],
  [
    'List the painters who have commissions from the Red Guild',
    'list painters | by painters.painter_name | where some commissions (guilds.guild_name = Red Guild)',
  ],
  ['List the painters who take workshops of the Red Guild', 'refused'],
  [
    'List the painters from the Red Guild who have commissions',
    'list painters | by painters.painter_name | where guilds.guild_name = Red Guild & some commissions',
  ],
])('%s', (question, brief) => {
  expect(read(question)).toBe(brief);
});

// Cooks and dishes each have cuisines by a table of their own: which of the two is meant, the nearest noun says.
const link = (name: string, ...columns: string[]) =>
  dataset(
    name,
    columns,
    columns.map((column) => field(column, 'integer')),
  );
const kitchen = lens('kitchen', {
  datasets: [
    named('cooks', 'cook_id', ['Ada', 'Bo']),
    named('dishes', 'dish_id', ['Soup', 'Pie']),
    named('cuisines', 'cuisine_id', ['Thai', 'Basque']),
    link('preparations', 'cook_id', 'dish_id'),
    link('trainings', 'cook_id', 'cuisine_id'),
    link('traditions', 'dish_id', 'cuisine_id'),
  ],
  metrics: [],
  relationships: [
    relation('preparations', 'cook_id', 'cooks', 'cook_id'),
    relation('preparations', 'dish_id', 'dishes', 'dish_id'),
    relation('trainings', 'cook_id', 'cooks', 'cook_id'),
    relation('trainings', 'cuisine_id', 'cuisines', 'cuisine_id'),
    relation('traditions', 'dish_id', 'dishes', 'dish_id'),
    relation('traditions', 'cuisine_id', 'cuisines', 'cuisine_id'),
  ],
});

test.each([
  ['Which cooks prepared dishes in the cuisine Thai?', true],
  ['Which cooks have dishes in the cuisine Basque?', true],
  ['Which cooks of the cuisine Thai prepared dishes?', false],
  ['Which dishes are of the cuisine Thai?', false],
])('12: %s said of another thing than the nearest: %s', (question, doubted) => {
  const reading = readQuestion({ question, lens: kitchen, choices: {}, now: new Date('2024-05-01T12:00:00Z') });
  expect(reading.kind === 'intent' && reading.doubt !== null).toBe(doubted);
});
