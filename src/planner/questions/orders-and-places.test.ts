// Several keys of an order, places that a field holds, dates named by what happened, amounts said in a currency.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const firms = (unit?: string) =>
  lens('firms', {
    datasets: [
      dataset(
        'firms',
        ['firm_id'],
        [
          field('firm_id', 'integer'),
          field('name', 'string', { values: ['Acorn', 'Birch'] }),
          field('head_office', 'string', { values: ['Austin', 'Paris', 'Tokyo'], synonyms: ['headquarters'] }),
          field('branch', 'string', { values: ['Wood', 'Glass'] }),
          field('revenue', 'decimal'),
        ],
      ),
      dataset(
        'wares',
        ['ware_id'],
        [
          field('ware_id', 'integer'),
          field('ware_name', 'string', { values: ['Bowl', 'Cup'], synonyms: ['name'] }),
          field('price', 'decimal', unit ? { unit } : {}),
        ],
      ),
      dataset(
        'claims',
        ['claim_id'],
        [
          field('claim_id', 'integer'),
          field('date_claim_made', 'date'),
          field('date_claim_settled', 'date'),
          field('amount_claimed', 'decimal'),
        ],
      ),
    ],
    metrics: [],
    relationships: [
      relation('wares', 'firm_id', 'firms', 'firm_id'),
      relation('claims', 'firm_id', 'firms', 'firm_id'),
    ],
  });
const read = (question: string, unit?: string): string => {
  const reading = readQuestion({ question, lens: firms(unit), choices: {}, now: new Date('2024-06-30T12:00:00Z') });
  if (reading.kind === 'intent') return intentBrief(reading.intent);
  return reading.kind === 'refused' ? `refused ${reading.message}` : reading.clarification.message;
};

test('an order has several keys, each with its own way', () => {
  const both = 'list wares | by wares.ware_name, wares.price | order wares.price desc, wares.ware_name asc';
  expect(read('List the names and prices of wares, sorted by price decreasing and name ascending.')).toBe(both);
  expect(
    read('List the ware name and price, and sort first by price (in descending order), and then by ware name.'),
  ).toBe(both);
  expect(read('List the names of firms sorted by branch and revenue.')).toBe(
    'list firms | by firms.name | order firms.branch asc, firms.revenue asc',
  );
});

test('a way that may belong to one key or to both is not chosen', () => {
  expect(read('List the names of firms sorted by branch and revenue descending.')).toMatch(/^refused/);
});

test('an order may be said by its first rows', () => {
  const down = 'list firms | by firms.name | order firms.revenue desc';
  expect(read('List the names of firms, sorted by the ones with the highest revenue first.')).toBe(down);
  expect(read('List the names of firms sorted by their revenue in the descending order.')).toBe(down);
  expect(read("Sort the firm names in descending order of the firm's revenue.")).toBe(down);
});

test('values ordered by how many rows have them are groups', () => {
  expect(read('Show the branches of firms in descending order of the number of firms.')).toBe(
    'groups | by firms.branch | order count(firms) desc',
  );
});

test('a field with a place it holds restricts', () => {
  expect(read('How many firms have headquarters in either Tokyo or Paris?')).toBe(
    'count(firms) | where firms.head_office in Tokyo|Paris',
  );
  expect(read('What is the total revenue of firms whose head office is located at Austin?')).toBe(
    'sum(firms.revenue) | where firms.head_office = Austin',
  );
  expect(read('Which firms have headquarters in Rome?')).toMatch(/^refused/);
});

test('not to have it in one place is to have it in another', () => {
  const elsewhere = 'list firms | by firms.name | where firms.head_office != Paris or null';
  expect(read('Which firms do not have headquarters in Paris?')).toBe(elsewhere);
  expect(read('Which firms have headquarters that are not located in Paris?')).toBe(elsewhere);
  expect(read('Which firms have no headquarters?')).toBe(
    'list firms | by firms.name | where firms.head_office is_null',
  );
});

test('two words of a name may be said the other way round', () => {
  expect(read('What is the total claimed amount of the claims?')).toBe('sum(claims.amount_claimed)');
  expect(read('Show the claim ids whose claimed amount is larger than the average.')).toBe(
    'list claims | by claims.claim_id | where claims.amount_claimed > avg(claims.amount_claimed)',
  );
});

test('a date is named by what happened then', () => {
  expect(read('List the date the claim was made and the date it was settled for all claims.')).toBe(
    'list claims | by claims.date_claim_made, claims.date_claim_settled',
  );
  expect(read('List the date the claim was refused for all claims.')).toMatch(/^refused/);
});

test('a currency is read where the lens names no other', () => {
  expect(read('Which wares have a price of at least $20?')).toBe(
    'list wares | by wares.ware_name | where wares.price >= 20',
  );
  expect(read('How many wares have a price less than or equal to $20?', 'EUR')).toMatch(/^refused/);
});

test('everything about a thing may be asked for by its information', () => {
  expect(read('Find all information about the wares with a price between 5 and 9.')).toBe(
    'list wares | by wares.ware_id, wares.ware_name, wares.price | where wares.price between 5|9',
  );
});

test('how the groups are called may be said behind', () => {
  expect(read('How many wares are there for each firm, showing the name of each firm?')).toBe(
    'count(wares) | by firms.name | key firms',
  );
  expect(read("What is the average price of each firm's wares, showing only the firm's id?")).toBe(
    'avg(wares.price) | by firms.firm_id | key firms',
  );
});

test('what one thing has is no group', () => {
  expect(read('Show the claim ids of all claims by the firm with the name Acorn.')).toBe(
    'list claims | by claims.claim_id | where firms.name = Acorn',
  );
});
