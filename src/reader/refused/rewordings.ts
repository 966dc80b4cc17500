// Suggests similar questions that svc can answer. They contain the same words with a measure, or combine measures,
// groups, values and times that the question names.

import { isNumeric } from '../../contract/warehouse.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { waitForTurn } from '../../platform/schedule/in-turns.ts';
import { readQuestion } from '../read-question.ts';
import type { ReaderInput, ReaderResult } from '../reader-result.ts';
import { determineSummability } from '../words/summability.ts';
import type { VocabularyField } from '../words/vocabulary-term.ts';
import type { WordMeaning, WordMeanings } from './word-meanings.ts';

const MAX_TRIED_QUESTIONS = 6;
const MAX_SUGGESTIONS = 3;
const MAX_MEASURES = 3;

type NamedWord = Extract<WordMeaning, { is: 'name' }>;

/** Inserts "total", "average" or "number of" before a name in the question. */
export async function findRewordings(input: ReaderInput, { text, meanings }: WordMeanings): Promise<string[]> {
  const questions = meanings.flatMap((item) =>
    item.is === 'name'
      ? listMeasurePrefixes(input.lens, item).map((prefix) => text.slice(0, item.from) + prefix + text.slice(item.from))
      : [],
  );
  const readings = await findReadableQuestions(input, [...new Set(questions)].slice(0, MAX_TRIED_QUESTIONS));
  return readings.slice(0, MAX_SUGGESTIONS).map(({ question }) => question);
}

/**
 * For each measure that the question names, finds the question about this measure that keeps the most other names. If
 * the question names no measure, uses the first metrics of the lens, with a group or value from the question.
 */
export async function findQuestionsAboutNames(input: ReaderInput, { meanings }: WordMeanings): Promise<string[]> {
  const names = meanings.filter((item) => item.is === 'name');
  const namedMeasures = names
    .flatMap((name) => [
      ...(isMetricName(name) ? [{ name, text: name.text, rank: 0 }] : []),
      ...listMeasurePrefixes(input.lens, name)
        .slice(-1)
        .map((prefix) => ({ name, text: prefix + name.text, rank: prefix === COUNT_PREFIX ? 2 : 1 })),
    ])
    .sort((measure, other) => measure.rank - other.rank);
  const textsOf = (kind: WordMeaning['is']): string[] =>
    meanings.filter(({ is }) => is === kind).map(({ text }) => text);
  const join = (preposition: string, texts: readonly string[]): string =>
    texts.length > 0 ? ` ${preposition}${texts.join(' and ')}` : '';
  const [values, times, units] = [
    join('for ', textsOf('value')),
    join('', textsOf('time')),
    textsOf('unit').slice(0, 1),
  ];
  const measures =
    namedMeasures.length > 0
      ? namedMeasures
      : input.lens.metrics.slice(0, 2).map(({ name }) => ({ name: null, text: name.replaceAll('_', ' ') }));
  const suggestions = new Set<string>();
  for (const measure of measures.slice(0, MAX_MEASURES)) {
    const group = names.find((name) => name !== measure.name && isGroupName(name));
    const groups = join('by ', [...(group ? [group.text] : []), ...units]);
    const endings = [groups + values + times, values + times, groups + times, ''];
    const isRelated = (ending: string): boolean => measure.name !== null || (ending !== '' && ending !== times);
    const questions = [...new Set(endings)].filter(isRelated).map((ending) => measure.text + ending);
    const readings = await findReadableQuestions(input, questions, 1);
    for (const { reading } of readings) suggestions.add(reading.sentence.replace(/\.$/, ''));
  }
  return [...suggestions];
}

async function findReadableQuestions(input: ReaderInput, questions: string[], count = MAX_TRIED_QUESTIONS) {
  const readings: { question: string; reading: Extract<ReaderResult, { kind: 'plan' }> }[] = [];
  for (const question of questions) {
    await waitForTurn(); // each interpretation takes a few milliseconds
    const reading = readQuestion({ ...input, question });
    if (reading.kind === 'plan' && reading.plan.measures.length > 0) readings.push({ question, reading });
    if (readings.length === count) break;
  }
  return readings;
}

const isMetricName = ({ terms }: NamedWord): boolean => terms.some(({ kind }) => kind === 'metric');
const isGroupName = ({ terms }: NamedWord): boolean =>
  terms.some((term) => term.kind === 'field' && !isNumeric(term.field.datatype));

const COUNT_PREFIX = 'number of ';
function listMeasurePrefixes(lens: Lens, { terms }: NamedWord): string[] {
  const numbers = terms.filter(
    (term): term is VocabularyField =>
      term.kind === 'field' && term.loose < 2 && term.identity === undefined && isNumeric(term.field.datatype),
  );
  const canBeSummed = numbers.some(({ dataset, field }) => determineSummability(lens, dataset, field) === 'yes');
  const isEntity = terms.some((term) => term.kind === 'dataset' || (term.kind === 'field' && term.identity));
  return [
    ...(canBeSummed ? ['total '] : []),
    ...(numbers.length > 0 ? ['average '] : []),
    ...(isEntity ? [COUNT_PREFIX] : []),
  ];
}
