import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { caseRows } from '../support/case-rows.ts';
import { scriptRoles, startModelsApp } from './models-app.ts';

const app = await startModelsApp(undefined, fileURLToPath(new URL('../fixtures/cinema', import.meta.url)));

const askWithProse = async (q: string, say: string) => {
  app.models.script(scriptRoles({ composes: { say } }));
  return app.ask(q, 'both', 'cinema');
};

const GOOD: [question: string, sentence: string][] = [
  ['gross by hall', 'Hall 1 made $189,980.68, hall 2 $92,500.71 and hall 3 $60,000.'],
  ['number of films by hall', 'Hall 1 has 2 films, hall 2 has 2 films and hall 3 has 1 film.'],
  ['number of films by hall', 'Halls 1 and 2 have two films each, and hall 3 has one film.'],
  ['gross by release year', 'In 2020 gross was $189,980.68, in 2021 $92,500.71 and in 2022 $60,000.'],
  ['gross by release year', 'Gross by release year: 2020: 189,980.68 USD; 2021: 92,500.71 USD; 2022: 60,000 USD.'],
  ['What was gross in 2020?', 'In 2020, the gross was $189,980.68.'],
  ['What was the gross of films with release year 2020?', 'Films with release year 2020 had a gross of $189,980.68.'],
  ['gross of Alder in 2021', 'Alder had a gross of $2,500.46 in 2021.'],
  ['top 2 studios by gross', 'The top 2 studios by gross were Alder with $189,980.64 and Cedar with $90,000.25.'],
  ['top 2 studios by gross', 'The top two studios are Alder ($189,980.64) and Cedar ($90,000.25).'],
  ['which studio has the highest gross', 'The studio with the highest gross is Alder.'],
  ['number of films by studio', 'Alder and Birch have 2 films each, while Cedar has 1.'],
  ['number of films by studio', 'Alder has two films, Birch has two, and Cedar has one.'],
  ['how many films are there', 'There are five films.'],
  ['number of films of Alder in 2022', 'There were no films by Alder in 2022.'],
  ['list the studios', 'There are three studios: Alder, Birch and Cedar.'],
  ['gross by studio', 'Alder had the highest gross, at $189,980.64; Cedar had $90,000.25 and Birch $62,500.50.'],
  ['percentage of gross by studio', 'Alder came to 55.47% of the gross, Cedar to 26.28% and Birch to 18.25%.'],
  ['return rate by studio', 'The return rate was 26.5% for Alder, 15.625% for Birch and 12.5% for Cedar.'],
  [
    'gross and number of films by studio',
    'Alder: gross $189,980.64, two films. Cedar: gross $90,000.25, one film. Birch: gross $62,500.50, two films.',
  ],
];

const LYING: [what: string, question: string, sentence: string][] = caseRows(
  import.meta.dirname,
  'sentences.jsonl',
  'LYING',
);

const MORE_LYING: typeof LYING = caseRows(import.meta.dirname, 'sentences.jsonl', 'MORE_LYING');

describe('a correct sentence of a model', () => {
  it.each(GOOD)('is served for “%s”: %s', async (question, sentence) => {
    const { status, answer, warnings } = await askWithProse(question, sentence);
    expect({ status, answer }, warnings.join()).toEqual({ status: 'answered', answer: sentence });
  });
});

describe('a wrong sentence of a model', () => {
  it.each([...LYING, ...MORE_LYING])('that %s is not served: %s', async (_what, question, sentence) => {
    const { status, answer, warnings } = await askWithProse(question, sentence);
    expect(status).toBe('answered');
    expect(answer).not.toContain(sentence);
    expect(warnings.join()).toContain('replaced');
  });
});
