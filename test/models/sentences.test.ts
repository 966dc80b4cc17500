// A model's sentence is served only if the rows support each of its words, whatever its wording.
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
  ['What was gross in 2020?', 'In 2020, the gross was $189,980.68.'],
  ['gross of Alder in 2021', 'Alder had a gross of $2,500.46 in 2021.'],
  ['top 2 studios by gross', 'The top 2 studios by gross were Alder with $189,980.64 and Cedar with $90,000.25.'],
  ['top 2 studios by gross', 'The top 2 studios are Alder ($189,980.64) and Cedar ($90,000.25).'],
  ['which studio has the highest gross', 'The studio with the highest gross is Alder.'],
  ['number of films by studio', 'Alder and Birch have 2 films each, while Cedar has 1.'],
  ['number of films by studio', 'Alder has 2 films, Birch has 2, and Cedar has 1.'],
  ['how many films are there', 'There are 5 films.'],
  ['list the studios', 'There are 3 studios: Alder, Birch and Cedar.'],
  ['gross by studio', 'Alder had a gross of $189,980.64, Cedar $90,000.25 and Birch $62,500.50.'],
  [
    'gross and number of films by studio',
    'Alder: gross $189,980.64, 2 films. Cedar: gross $90,000.25, 1 film. Birch: gross $62,500.50, 2 films.',
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
