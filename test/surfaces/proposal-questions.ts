// Questions that a lens answers, and the same questions with unknown words. Both are generated from the lens.
import type { LensDetail } from '../../src/contract/lens.ts';
import type { TestApp } from '../support/app.ts';

export interface GarbledQuestion {
  whole: string;
  q: string;
  /** The inserted words, in order. */
  unknown: string[];
}

const UNKNOWN = ['zorbly', 'quandled', 'wemblers', 'Snarfton', 'brillige', 'frumious', 'mimsying', 'toves'];
const PERIODS = ['in 2016', 'in March 2001', 'in 2023', 'last year'];
const toWords = (name: string): string => name.replaceAll(/[_.]/g, ' ').toLowerCase();

/** Picks at most `maxCount` items at equal distances, so that each run picks the same items. */
const pickSpread = <T>(all: readonly T[], maxCount: number): T[] =>
  all.filter((_, at) => at % Math.max(1, Math.ceil(all.length / maxCount)) === 0).slice(0, maxCount);

/** Generates the same kinds of questions for several metrics of the lens. */
export async function generateQuestions(app: TestApp, name: string): Promise<string[][]> {
  const { schema } = (await app.get<LensDetail>(`/v1/lenses/${name}`)).body;
  const texts = schema.datasets.flatMap(({ name: dataset, fields }) =>
    fields.filter(({ datatype, masked }) => datatype === 'string' && !masked).map((field) => ({ dataset, ...field })),
  );
  const values: string[] = [];
  for (const { dataset, name: field } of pickSpread(
    texts.filter(({ has_values }) => has_values),
    3,
  )) {
    const page = await app.get<{ items: string[] }>(`/v1/lenses/${name}/values?field=${dataset}.${field}&limit=1`);
    values.push(...(page.body.items ?? []).filter((value) => /^[A-Z][a-z]{3,}$/.test(value)));
  }
  const groups = pickSpread(texts, 3).map(({ name: field }) => toWords(field));
  return pickSpread(schema.metrics, 2).map(({ name: metric }, at) => {
    const metricWords = toWords(metric);
    const group = groups[at % Math.max(1, groups.length)];
    const value = values[at % Math.max(1, values.length)];
    const period = PERIODS[at % PERIODS.length]!;
    return [
      metricWords,
      `${metricWords} ${period}`,
      ...(group
        ? [`${metricWords} by ${group}`, `top 3 ${group} by ${metricWords}`, `${metricWords} by ${group} ${period}`]
        : []),
      ...(value ? [`${metricWords} for ${value}`, `what was ${metricWords} for ${value} ${period}?`] : []),
      ...(group && value ? [`top 5 ${group} by ${metricWords} for ${value} ${period}`] : []),
      ...(schema.datasets[at] ? [`how many ${toWords(schema.datasets[at].name)} are there ${period}`] : []),
    ];
  });
}

/** Inserts unknown words at the start, after prepositions, and at the end. `turn` selects the words and the places. */
export function garbleQuestion(whole: string, turn: number): GarbledQuestion[] {
  const word = (at: number): string => UNKNOWN[(turn + at) % UNKNOWN.length]!;
  const mark = whole.endsWith('?') ? '?' : '';
  const questionText = mark ? whole.slice(0, -1) : whole;
  const made: GarbledQuestion[] = [
    { whole, q: `${questionText} for ${word(0)}${mark}`, unknown: [word(0)] },
    { whole, q: `${questionText} and ${word(1)}${mark}`, unknown: [word(1)] },
    { whole, q: `${questionText} ${word(2)} by ${word(3)}${mark}`, unknown: [word(2), word(3)] },
    { whole, q: `${word(4)} ${questionText}${mark}`, unknown: [word(4)] },
    { whole, q: `${questionText} that were ${word(5)}${mark}`, unknown: [word(5)] },
  ];
  for (const preposition of ['by', 'for', 'in'])
    if (questionText.includes(` ${preposition} `))
      made.push({
        whole,
        q: `${questionText.replace(` ${preposition} `, ` ${preposition} ${word(6)} and `)}${mark}`,
        unknown: [word(6)],
      });
  if (/^(?:top \d+|how many) /.test(questionText))
    made.push({ whole, q: questionText.replace(/^(top \d+|how many) /, `$1 ${word(7)} `) + mark, unknown: [word(7)] });
  return made.filter((_, at) => (at + turn) % 2 === 0);
}
