// Words that belong to another thing than the one asked for: a text in the title of what somebody made, the size of the file
// of a song, the id of a thing that is known by its name alone.
import { expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { dataset, field, lens, metric, relation } from '../../../test/support/planner-lenses.ts';
import { readQuestion } from '../read-question.ts';

const press = lens('press', {
  datasets: [
    dataset(
      'authors',
      ['author_name'],
      [field('author_name', 'string'), field('town', 'string', { values: ['Graz'] })],
    ),
    dataset(
      'scans',
      ['scan_id'],
      [
        field('scan_id', 'integer'),
        field('scan_size', 'decimal'),
        field('format', 'string', { values: ['pdf', 'tiff'] }),
      ],
    ),
    dataset(
      'essays',
      ['essay_title'],
      [field('essay_title', 'string'), field('pages', 'integer'), field('tongue', 'string', { values: ['German'] })],
    ),
  ],
  relationships: [
    relation('essays', 'author_name', 'authors', 'author_name'),
    relation('essays', 'scan_id', 'scans', 'scan_id'),
  ],
  metrics: [metric('total_scan_size', 'sum(scans.scan_size)', 'scans', { synonyms: ['scan size of all scans'] })],
});
const read = (question: string): string => {
  const reading = readQuestion({ question, lens: press, choices: {}, now: new Date('2026-03-01T12:00:00Z') });
  return reading.kind === 'intent' ? intentBrief(reading.intent) : reading.kind;
};

test.each([
  [
    'What are the names of the authors who wrote an essay that has the word tea in its title?',
    'list authors | by authors.author_name | where some essays (essays.essay_title contains tea)',
  ],
  [
    'List the names of the authors whose essays start with T.',
    'list authors | by authors.author_name | where some essays (essays.essay_title starts_with T)',
  ],
  [
    'What are the names of the authors who wrote an essay that has the word tea in its title, and where are they from?',
    'refused',
  ],
  [
    'List the names of the authors that contain the word tea.',
    'list authors | by authors.author_name | where authors.author_name contains tea',
  ],
])('a text is looked for in what the clause is about: %s', (question, brief) => {
  expect(read(question)).toBe(brief);
});

test.each([
  [
    'List the scan size and format for all essays with more than 10 pages.',
    'list scans | by scans.scan_size, scans.format | where some essays (essays.pages > 10)',
  ],
  ['List the scan size and format of all scans.', 'list scans | by scans.scan_size, scans.format'],
  ['Show the scan size by format.', 'total_scan_size | by scans.format'],
  ['What is the scan size of all scans?', 'total_scan_size'],
  ['What is the total scan size of the German essays?', 'total_scan_size | where some essays (essays.tongue = German)'],
  ['List the format and scan size of all scans.', 'clarification'],
])('an amount of each thing listed is no total: %s', (question, brief) => {
  expect(read(question)).toBe(brief);
});

test.each([
  ['List the ids of the German essays.', 'refused'],
  ['List the ids of the tiff scans.', 'list scans | by scans.scan_id | where scans.format = tiff'],
  ['List the titles of the German essays.', 'list essays | by essays.essay_title | where essays.tongue = German'],
])('a name is no id: %s', (question, brief) => {
  expect(read(question)).toBe(brief);
});
