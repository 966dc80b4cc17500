// A model's sentence is served when the rows bear each word of it, however it is put; a lie is not, however it is put.
// Written before anybody saw what the code made of them (stage 12, "Prose").
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelsApp, playing, startModelsApp } from './models-app.ts';

let app: ModelsApp;
beforeAll(async () => {
  app = await startModelsApp(undefined, fileURLToPath(new URL('../fixtures/cinema', import.meta.url)));
});
afterAll(() => app?.close());

const served = async (q: string, say: string) => {
  app.models.script(playing({ composes: { say } }));
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

const LYING: [what: string, question: string, sentence: string][] = [
  ['swaps the keys', 'gross by hall', 'Hall 3 made $189,980.68, hall 2 $92,500.71 and hall 1 $60,000.'],
  [
    'takes a key for a count',
    'number of films by hall',
    'Hall 1 has 3 films, hall 2 has 2 films and hall 3 has 1 film.',
  ],
  ['rounds up', 'What was gross in 2020?', 'In 2020, the gross was $189,980.70.'],
  ['cuts instead of rounding', 'What was gross in 2020?', 'In 2020, the gross was $189,980.67.'],
  ['rounds to nothing', 'return rate by studio', 'The return rate was 0.3 for Alder, 0.2 for Birch and 0.1 for Cedar.'],
  [
    'says "each" of what is not',
    'number of films by studio',
    'Cedar and Birch have two films each, and Alder has two.',
  ],
  ['counts together', 'number of films by studio', 'Alder and Birch made 2 films.'],
  ['invents a total', 'gross by studio', 'Together the three studios made $342,481.39.'],
  ['invents a mean', 'gross by studio', 'On average a studio made $114,160.46.'],
  ['ranks wrongly', 'gross by studio', 'Cedar had the highest gross, at $90,000.25, and Alder $189,980.64.'],
  ['turns the direction', 'gross by studio', 'Alder had the lowest gross, at $189,980.64.'],
  [
    'turns a rank of the question',
    'top 2 studios by gross',
    'The bottom two studios are Alder ($189,980.64) and Cedar ($90,000.25).',
  ],
  [
    'ranks more than there are',
    'top 2 studios by gross',
    'The top three studios are Alder ($189,980.64) and Cedar ($90,000.25).',
  ],
  ['says "only"', 'number of films by studio', 'Only Alder and Birch have two films each.'],
  ['says "most of"', 'gross by studio', 'Alder made the most of the gross: $189,980.64.'],
  ['says "all"', 'number of films by studio', 'All studios have two films each: Alder, Birch.'],
  ['denies what is there', 'number of films by studio', 'There are no films by Cedar; Alder and Birch have two each.'],
  ['moves a unit', 'gross and number of films by studio', 'Alder: gross 189,980.64 USD, film count 2 USD.'],
  ['mixes two rows', 'votes by studio and kind', 'Birch, Drama: 100 votes. Alder, Drama: 20 votes.'],
  ['makes a share of a hundredth', 'return rate by studio', 'The return rate was 0.265% for Alder.'],
  ['takes another year', 'What was gross in 2020?', 'In 2021, the gross was $189,980.68.'],
  ['takes a key of another year', 'gross by release year', 'In 2021 gross was $189,980.68 and in 2020 $92,500.71.'],
  ['makes a percentage of an amount', 'votes by studio', 'Alder had 140% of the votes.'],
  ['names two for one number', 'number of films by studio', 'Cedar has 2 films, Birch 2.'],
  ['is minus', 'What was gross in 2020?', 'In 2020, the gross was -$189,980.68.'],
  ['is minus by a dash', 'What was gross in 2020?', 'In 2020, the gross was –189,980.68 USD.'],
  ['ranks by another measure', 'gross by studio', 'Alder had the most films, at $189,980.64.'],
  ['swaps halls in a list', 'number of films by hall', 'Halls 1 and 3 have two films each, and hall 2 has one film.'],
  ['mixes labels of two rows', 'number of films by studio and kind', 'Cedar, Comedy: 1 film.'],
  ['joins what is apart', 'gross by studio', 'Cedar and Alder had a gross of $189,980.64.'],
];

// Written after the first mends, before anybody saw what they made of them.
const MORE_LYING: typeof LYING = [
  ['says zero with a name', 'number of films by studio', 'There are no Cedar films, two by Alder and two by Birch.'],
  ['moves "no" to another', 'number of films of Alder in 2022', 'There were no films in 2022.'],
  ['adds up halls', 'number of films by hall', 'Halls 1, 2 and 3 have 5 films.'],
  ['says halls are films', 'number of films by hall', 'There are three films: hall 1, hall 2 and hall 3.'],
  ['turns share and gross', 'gross by studio', 'Alder made 189,980.64 %, Cedar 90,000.25 % and Birch 62,500.50 %.'],
  ['rounds to hundreds', 'What was gross in 2020?', 'In 2020, the gross was $190,000.'],
  [
    'rounds a tie down',
    'return rate by studio',
    'The return rate was 26.5% for Alder, 15.62% for Birch and 12.5% for Cedar.',
  ],
  ['drops a digit', 'What was gross in 2020?', 'In 2020, the gross was $18,998.07.'],
  [
    'names the second the highest',
    'percentage of gross by studio',
    'Cedar has the highest gross: 26.28%. Alder has 55.47%.',
  ],
  ['ranks a tie', 'number of films by studio', 'Alder had the most films: 2. Birch had 2 and Cedar 1.'],
  ['takes a limit for a result', 'gross of films with votes above 20', 'Votes were $279,980.89.'],
  ['takes the year for a gross', 'gross by release year', 'In 2020 gross was $2,021.'],
  ['leaves a hall out of a pair', 'number of films by hall', 'Hall 3 and hall 1 have 2 films each.'],
  ['says how many more', 'number of films by studio', 'Alder has one more film: two, and Cedar one.'],
  ['says "average"', 'gross by studio', 'Alder averaged $189,980.64.'],
  ['names no one', 'gross by studio', 'The highest gross was $189,980.64.'],
  ['changes columns', 'gross and votes by studio', 'Alder: gross $140, votes 189,980.64.'],
  ['says a half', 'gross by studio', 'Alder made half: $189,980.64.'],
  ['predicts', 'What was gross in 2020?', 'In 2020, the gross will be $189,980.68.'],
  ['says "each" of one', 'gross by studio', 'Alder made $189,980.64 each.'],
  ['ranks one label of a pair', 'gross by studio and kind', 'Alder had the highest gross: Drama, $187,480.18.'],
  ['counts more than it names', 'list the studios', 'There are three studios: Alder and Birch.'],
  ['swaps years in a list', 'gross by release year', '2020: 189,980.68 USD; 2021: 60,000 USD; 2022: 92,500.71 USD.'],
];

describe('12 a model’s good sentence', () => {
  it.each(GOOD)('%s: %s', async (question, sentence) => {
    const { status, answer, warnings } = await served(question, sentence);
    expect({ status, answer }, warnings.join()).toEqual({ status: 'answered', answer: sentence });
  });
});

describe('12 a lying sentence', () => {
  it.each([...LYING, ...MORE_LYING])('that %s is not served: %s', async (_what, question, sentence) => {
    const { status, answer, warnings } = await served(question, sentence);
    expect(status).toBe('answered');
    expect(answer).not.toContain(sentence);
    expect(warnings.join()).toContain('replaced');
  });
});
