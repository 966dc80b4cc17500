// What is asked of several things at once: several aggregates, several periods, two related rows of one kind, and the
// years that are whole numbers.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const zoo = lens('zoo', {
  datasets: [
    dataset(
      'keepers',
      ['keeper_id'],
      [
        field('keeper_id', 'integer'),
        field('keeper_name', 'string', { values: ['Ada', 'Bo'] }),
        field('town', 'string', { values: ['Linz', 'Graz'] }),
        field('shifts', 'integer'),
      ],
    ),
    dataset(
      'animals',
      ['animal_id'],
      [
        field('animal_id', 'integer'),
        field('animal_name', 'string', { values: ['Rex', 'Mia'] }),
        field('kind', 'string', { values: ['bear', 'owl', 'cat'] }),
        field('weight', 'decimal'),
        field('feeding_time', 'integer'),
      ],
      { synonyms: ['pets'] },
    ),
    dataset('tends', ['keeper_id', 'animal_id'], [field('keeper_id', 'integer'), field('animal_id', 'integer')]),
    dataset(
      'houses',
      ['house_id'],
      [
        field('house_id', 'integer'),
        field('house_name', 'string', { values: ['North Wing'] }),
        field('opening_year', 'integer', { synonyms: ['opened'] }),
        field('places', 'integer'),
      ],
    ),
    dataset(
      'tours',
      ['tour_id'],
      [
        field('tour_id', 'integer'),
        field('tour_date', 'date'),
        field('rating', 'decimal'),
        field('guests', 'integer'),
        field('amount', 'decimal'),
      ],
      {
        timeField: 'tour_date',
      },
    ),
  ],
  metrics: [],
  relationships: [
    relation('tends', 'keeper_id', 'keepers', 'keeper_id'),
    relation('tends', 'animal_id', 'animals', 'animal_id'),
    relation('tours', 'keeper_id', 'keepers', 'keeper_id'),
    relation('tours', 'house_id', 'houses', 'house_id'),
  ],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: zoo, choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  if (reading.kind === 'intent') return intentBrief(reading.intent);
  return reading.kind === 'refused' ? `refused: ${reading.words.join(' ')}` : 'asked back';
};

test('several aggregates of one field are read at once, with and without articles', () => {
  expect(read('What is the average, minimum, and maximum weight of all animals?')).toBe(
    'avg(animals.weight), min(animals.weight), max(animals.weight)',
  );
  expect(read('What is the average and the maximum weight of the animals?')).toBe(
    'avg(animals.weight), max(animals.weight)',
  );
});

test('years and dates joined by "or" are any of them, open ends included', () => {
  expect(read('How many houses were opened in 2014 or 2016?')).toBe(
    'count(houses) | where houses.opening_year in 2014|2016',
  );
  expect(read('How many houses were opened after 2013 or before 2008?')).toBe(
    'count(houses) | where any(houses.opening_year >= 2014 ; houses.opening_year < 2008)',
  );
  expect(read('How many houses were opened in 2014 or after?')).toBe(
    'count(houses) | where houses.opening_year >= 2014',
  );
  expect(read('How many tours in 2020 or 2022?')).toContain('any(all(tours.tour_date >= 2020-01-01');
});

test('two years of one column joined by "and" are taken together, never demanded of one row', () => {
  expect(read('How many houses were opened in 2014 and 2016?')).toBe(
    'count(houses) | where houses.opening_year in 2014|2016',
  );
  expect(read('houses opened in both 2014 and 2016')).toContain('refused');
});

test('"in both" years asks for a related row of each', () => {
  expect(read('Which houses had tours in both 2020 and 2022?')).toBe(
    'list houses | by houses.house_name | where some tours (tours.tour_date >= 2020-01-01 & tours.tour_date < 2021-01-01) & some tours (tours.tour_date >= 2022-01-01 & tours.tour_date < 2023-01-01)',
  );
});

test('a period behind a related thing is about that thing, not about a year of its own', () => {
  expect(read('Which houses had tours in 2020?')).toBe(
    'list houses | by houses.house_name | where some tours (tours.tour_date >= 2020-01-01 & tours.tour_date < 2021-01-01)',
  );
});

test('"both a … and a …" asks for two related rows, and of the row itself it is refused', () => {
  const both = 'some tours (houses.opening_year < 2009) & some tours (houses.opening_year >= 2012)';
  expect(read('Which keepers had tours in both a house opened before 2009 and a house opened after 2011?')).toBe(
    `list keepers | by keepers.keeper_name | where ${both}`,
  );
  expect(read('Which keepers had tours in both houses opened before 2009 and those opened after 2011?')).toContain(
    both,
  );
  expect(read('Which kind has both animals with weight below 3 and animals with weight above 10?')).toContain(
    'refused',
  );
});

test('a verb that a year is called by restricts by that year, of a thing two steps away too', () => {
  expect(read('keepers without tours in houses opened after 2010')).toBe(
    'list keepers | by keepers.keeper_name | where no tours (houses.opening_year >= 2011)',
  );
  expect(read('How many houses opened?')).toContain('refused');
});

test('what somebody has or has not is a related row, whatever it is called as', () => {
  expect(read('Which keepers have a bear but do not have an owl?')).toBe(
    'list keepers | by keepers.keeper_name | where some tends (animals.kind = bear) & no tends (animals.kind = owl)',
  );
  expect(read('keepers who have both cats and bears as pets')).toBe(
    'list keepers | by keepers.keeper_name | where some tends (animals.kind = cat) & some tends (animals.kind = bear)',
  );
  expect(read('keepers that have no animals')).toBe('list keepers | by keepers.keeper_name | where no tends');
});

test('a comparative behind a field compares that field', () => {
  expect(read('Find the number of animals whose weight is heavier than 10.')).toBe(
    'count(animals) | where animals.weight > 10',
  );
});

test('"who has a cat that is …" goes on about the cat', () => {
  expect(read('keepers who have a cat whose weight is above 3')).toBe(
    'list keepers | by keepers.keeper_name | where some tends (animals.kind = cat & animals.weight > 3)',
  );
  expect(read('keepers who have a cat that have more than 3 shifts')).toContain('refused');
});

test('the highest of what each thing has ranks the things, unless it could be a sum', () => {
  expect(read('Which house has the highest rating?')).toBe(
    'list houses | by houses.house_name | order max(tours.rating) desc | limit 1',
  );
  expect(read('Which house has the highest amount?')).toBe('asked back');
  expect(read('Which house has the highest rating in 2023?')).toContain('refused');
});

test('what is counted in the highest of its things is counted in all that tie for it', () => {
  expect(read('How many tours were in the house with the highest places?')).toContain(
    'houses.places = max(houses.places)',
  );
  expect(read('How many tours were in the house with the highest places opened in 2010?')).toContain('refused');
});

test('what opens a question with "for the …," says of which rows, and what is asked behind it is shown', () => {
  expect(read('For the tours with rating above 3, which house has the highest guests?')).toBe(
    'list tours | by houses.house_name | where tours.rating > 3 | order tours.guests desc | limit 1',
  );
});

test('an extreme and what has it are not read as a row for each', () => {
  expect(read('What is the maximum weight and the animal name of the animals?')).toContain('refused');
  expect(read('What are the minimum and maximum weight across all the animals?')).toBe(
    'max(animals.weight), min(animals.weight)',
  );
});

test('a count is grouped over a link only by the thing at its other end, not by where that thing lives', () => {
  expect(read('number of animals for each keeper')).toContain('by keepers.keeper_name');
  expect(read('number of animals in each town')).toContain('refused');
});

test('a thing named again behind "except for", a comparative in front of its field, and the words of an order', () => {
  expect(read('houses except for houses having a tour in 2020')).toBe(
    'list houses | by houses.house_name | where no tours (tours.tour_date >= 2020-01-01 & tours.tour_date < 2021-01-01)',
  );
  expect(read('How many animals have a greater weight than 10?')).toBe('count(animals) | where animals.weight > 10');
  expect(read('animals with a lower weight than the average')).toContain('animals.weight < avg(animals.weight)');
  expect(read('animal names by animals above the average weight')).toContain('where animals.weight > avg');
  expect(read('animal names sorted by weight from high to low')).toContain('order animals.weight desc');
  expect(read('houses that had no tours yet')).toContain('no tours');
});
