// Creates sample questions that a lens can answer. For each dataset, creates one question of every kind.

import { isNumeric } from '../../contract/warehouse.ts';
import type { Lens, LensDataset } from '../../lens/model/lens.ts';
import { NoUnambiguousSentenceError } from '../../plan/sentence/names.ts';
import { createYieldIfDue } from '../../platform/schedule/in-turns.ts';
import { findFieldName, findMetricName, findPluralName, formatStoredValue } from '../canonical/round-trip-names.ts';
import { writeCanonicalSentence } from '../canonical/sentence.ts';
import { findPreferredInterpretations } from '../decide/interpret.ts';
import { getVocabulary, type Vocabulary } from '../words/vocabulary.ts';
import type { CompletionRequest } from './complete.ts';

export interface SampleQuestion {
  /** The dataset whose rows the question counts, measures or lists. */
  about: string;
  sentence: string;
}

/**
 * Keeps only questions with exactly one plan, and writes each question as the sentence of its plan. Runs in slices,
 * because interpreting the questions takes time.
 */
export async function createSampleQuestions(
  lens: Lens,
  datasets: readonly LensDataset[],
  { now, dataEnd }: Pick<CompletionRequest, 'now' | 'dataEnd'>,
): Promise<SampleQuestion[]> {
  // The last complete year in the data.
  const lastYear = (dataEnd && dataEnd < now ? dataEnd : now).getUTCFullYear() - 1;
  const phrases: SampleQuestion[] = [];
  const pauseIfDue = createYieldIfDue();
  for (const dataset of datasets) {
    const sentences = new Set<string>();
    for (const question of createQuestions(getVocabulary(lens), dataset, lastYear)) {
      await pauseIfDue();
      const [reading, ...others] = findPreferredInterpretations({ question, lens, choices: {}, now });
      const hasOnePlan =
        reading?.declinedReason === null && others.every(({ planText }) => planText === reading.planText);
      const sentence = hasOnePlan ? writeCanonicalSentence(lens, reading.plan) : null;
      if (sentence !== null) sentences.add(sentence);
    }
    phrases.push(...[...sentences].map((sentence) => ({ about: dataset.name, sentence })));
  }
  return phrases;
}

const MAX_MEASURES = 3;
const isAmount = ({ name, datatype, masked }: LensDataset['fields'][number]): boolean =>
  !masked && isNumeric(datatype) && !/(?:^|_)(?:id|key|year)$/.test(name);

/** Calls each function to get a name. Omits objects without an unambiguous name. */
const collectNames = (names: readonly (() => string)[]): string[] =>
  names.flatMap((name) => {
    try {
      return [name()];
    } catch (fault) {
      if (fault instanceof NoUnambiguousSentenceError) return [];
      throw fault;
    }
  });

function createQuestions(vocabulary: Vocabulary, dataset: LensDataset, lastYear: number): string[] {
  const { lens, graph } = vocabulary;
  const { name: homeDataset, fields, timeField } = dataset;
  const reachablePaths = [...graph.pathsFrom(homeDataset).values()].filter(({ ambiguous }) => !ambiguous);
  const amount = fields.find(isAmount);
  const measures = collectNames([
    ...lens.metrics
      .filter((metric) => metric.home === homeDataset)
      .map((metric) => () => findMetricName(vocabulary, metric.name)),
    () => `number of ${findPluralName(vocabulary, homeDataset)}`,
    ...(amount ? [() => `average ${findFieldName(vocabulary, { path: homeDataset, field: amount.name })}`] : []),
  ]).slice(0, MAX_MEASURES);
  const [kindCondition] = reachablePaths.flatMap(({ path, dataset: name }) =>
    vocabulary.dataset(name).fields.flatMap(({ name: field, masked, dictionary }) => {
      const [value] = (!masked && dictionary?.values) || [];
      const [fieldText] = value ? collectNames([() => findFieldName(vocabulary, { path, field })]) : [];
      return fieldText && value ? [{ fieldText, value: formatStoredValue(vocabulary, value.value) }] : [];
    }),
  );
  const otherPath = reachablePaths.find(
    ({ path, dataset: name, hops }) => hops > 0 && path === name && vocabulary.displayFieldsOf(name)[0],
  );
  const relatedDataset = lens.datasets.find(
    ({ name }) => name !== homeDataset && graph.paths(name, homeDataset).length === 1,
  );
  const [firstMeasure] = measures;
  const [rows] = collectNames([() => findPluralName(vocabulary, homeDataset)]);
  const [otherThings] = otherPath ? collectNames([() => findPluralName(vocabulary, otherPath.path)]) : [];
  const [parts] = relatedDataset ? collectNames([() => findPluralName(vocabulary, relatedDataset.name)]) : [];
  const kindConditionText = kindCondition ? `where ${kindCondition.fieldText} is ${kindCondition.value}` : '';
  return [
    ...measures,
    ...(kindCondition ? measures.map((measure) => `${measure} per ${kindCondition.fieldText}`) : []),
    ...(firstMeasure && timeField
      ? [`${firstMeasure} per month`, `${firstMeasure} in ${lastYear}`, `growth of ${firstMeasure} per month`]
      : []),
    ...(firstMeasure && kindCondition
      ? [
          `${firstMeasure} ${kindConditionText}`,
          `${firstMeasure} excluding ${kindCondition.fieldText} ${kindCondition.value}`,
          `share of each ${kindCondition.fieldText} in ${firstMeasure}`,
        ]
      : []),
    ...(firstMeasure && otherThings ? [`top 5 ${otherThings} by ${firstMeasure}`] : []),
    ...(rows && kindCondition ? [`${rows} ${kindConditionText}`] : []),
    ...(rows && parts ? [`${rows} with more than 5 ${parts}`, `${rows} without ${parts}`] : []),
  ];
}
