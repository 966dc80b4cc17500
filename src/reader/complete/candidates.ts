// Finds completions for a category of the grammar, among the names in a lens and the words of English.
import { DateTime, Info } from 'luxon';
import { toPlural, toSingular } from '../../lens/model/singular.ts';
import { NoUnambiguousSentenceError } from '../../plan/sentence/names.ts';
import { computeOnce } from '../../platform/memoize.ts';
import { findFieldName, findMetricName, findPluralName, formatStoredValue } from '../canonical/round-trip-names.ts';
import { PREFERRED_COMPLETION_WORDS, RANKING_ADJECTIVES, WORD_CLASSES } from '../english/words.ts';
import { findDatatypeKind } from '../words/datatypes.ts';
import { splitWords } from '../words/phrase-key.ts';
import { foldValue } from '../words/tokens.ts';
import type { Vocabulary } from '../words/vocabulary.ts';

export type CompletionCandidateKind =
  | 'metric'
  | 'dataset'
  | 'field'
  | 'value'
  | 'period'
  | 'ranking'
  | 'comparison'
  | 'word';
export interface CompletionCandidate {
  kind: CompletionCandidateKind;
  text: string;
  folded: string;
  name: string | null;
  /** The dataset that the name belongs to. Names from datasets near those in the text come first. */
  dataset: string | null;
  features: readonly string[];
}

export const createCandidate = (
  kind: CompletionCandidateKind,
  text: string,
  extras: Partial<CompletionCandidate> = {},
): CompletionCandidate => ({
  ...{ kind, text, folded: foldValue(text), name: null, dataset: null, features: [] },
  ...extras,
});

/** Returns the rendered name if it is unambiguous, otherwise the words of `name`. */
const chooseName = (render: () => string, name: string): string => {
  try {
    return render();
  } catch (fault) {
    if (fault instanceof NoUnambiguousSentenceError) return splitWords(name).join(' ');
    throw fault;
  }
};

export const findNameCandidates = computeOnce(
  (vocabulary: Vocabulary): ReadonlyMap<string, readonly CompletionCandidate[]> => {
    const { lens } = vocabulary;
    const metrics = lens.metrics.map(({ name, home }) =>
      createCandidate(
        'metric',
        chooseName(() => findMetricName(vocabulary, name), name),
        { name, dataset: home },
      ),
    );
    const datasetCandidates = lens.datasets.flatMap(({ name }) => {
      const text = chooseName(() => findPluralName(vocabulary, name), name);
      const target = { name, dataset: name };
      return [
        createCandidate('dataset', toPlural(text), { ...target, features: ['many', 'rows'] }),
        createCandidate('dataset', toSingular(text), { ...target, features: ['one', 'rows'] }),
      ];
    });
    const roles = new Set(lens.relationships.filter(({ named }) => named).map(({ role }) => role));
    const paths = [
      ...lens.datasets.map(({ name }) => ({ path: name, dataset: name })),
      ...[...roles].flatMap((path) => {
        const dataset = vocabulary.graph.datasetOf(path);
        return dataset && dataset !== path ? [{ path, dataset }] : [];
      }),
    ];
    const placedFields = paths.flatMap(({ path, dataset }) =>
      vocabulary
        .dataset(dataset)
        .fields.filter(({ masked }) => !masked)
        .map((field) => ({ path, dataset, field })),
    );
    const fields = placedFields.flatMap(({ path, dataset, field: { name, datatype } }) => {
      const text = chooseName(() => findFieldName(vocabulary, { path, field: name }), `${path} ${name}`);
      const target = { name: `${path}.${name}`, dataset };
      return [
        createCandidate('field', text, { ...target, features: [findDatatypeKind(datatype), 'one'] }),
        createCandidate('field', toPlural(text), { ...target, features: ['many'] }),
      ];
    });
    const values = placedFields
      .filter(({ path, dataset }) => path === dataset)
      .flatMap(({ dataset, field }) =>
        (field.dictionary?.values ?? [])
          .filter(({ value }) => value.trim())
          .map(({ value }) =>
            createCandidate('value', formatStoredValue(vocabulary, value), {
              name: `${dataset}.${field.name}`,
              dataset,
              features: ['one', 'state'],
            }),
          ),
      );
    return new Map([
      ['measure', metrics],
      ['things', datasetCandidates],
      ['field', fields],
      ['value', values],
    ]);
  },
);

const KIND_BY_WORD_CLASS: Readonly<Record<string, CompletionCandidateKind>> = {
  op: 'comparison',
  grain: 'period',
  grainly: 'period',
  superl: 'ranking',
  bestworst: 'ranking',
  recent: 'ranking',
  common: 'ranking',
  ranking: 'ranking',
};
/** Among words with the same meaning, keeps only the preferred words, unless the user is typing a word. */
export const keepPreferredWords = (expectedWords: readonly string[], hasPrefix: boolean): readonly string[] => {
  const preferredWords = PREFERRED_COMPLETION_WORDS.filter((word) => expectedWords.includes(word));
  return hasPrefix ? expectedWords : preferredWords.length > 0 ? preferredWords : expectedWords.slice(0, 1);
};

/** Finds the words of a category. Includes only the first of several synonyms, unless the user is typing a word. */
export const findWordCandidates = (cat: string, hasPrefix: boolean): CompletionCandidate[] => {
  const rankings = cat === 'ranking' ? RANKING_ADJECTIVES.map(({ said }) => ({ said, features: [] })) : [];
  return [...rankings, ...WORD_CLASSES.filter((item) => item.cat === cat)].flatMap(({ said, features = [] }) =>
    keepPreferredWords(said.split('|'), hasPrefix).map((text) =>
      createCandidate(KIND_BY_WORD_CLASS[cat] ?? 'word', text, { features }),
    ),
  );
};

const PERIOD_PHRASES = ['this year', 'last year', 'this month', 'last month', 'this quarter', 'last quarter'];
const MAX_OFFERED_YEARS = 10;
/**
 * Offers named periods around today, or around the end of the data if the data ends earlier. Other periods appear once
 * the user is typing.
 */
export const createPeriodCandidates = (
  now: Date,
  dataEnd: Date,
  timezone: string,
  hasPrefix: boolean,
): CompletionCandidate[] => {
  const end = DateTime.fromJSDate(dataEnd < now ? dataEnd : now, { zone: timezone });
  const hasEnded = end < DateTime.fromJSDate(now, { zone: timezone }).startOf('month');
  const { year } = end;
  const years = [...Array(hasPrefix ? MAX_OFFERED_YEARS : 3).keys()].map((yearsBack) => year - yearsBack);
  const yearParts = (hasPrefix ? years : [year]).flatMap((item) => [
    ...[1, 2, 3, 4].map((quarter) => ({ text: `in Q${quarter} ${item}`, begins: [item, quarter * 3 - 2] as const })),
    ...(hasPrefix ? Info.months('long', { locale: 'en' }) : []).map((month, index) => ({
      text: `in ${month} ${item}`,
      begins: [item, index + 1] as const,
    })),
  ]);
  const begunParts = yearParts.filter(({ begins: [item, month] }) => item < year || month <= end.month);
  const withFeatures = (features: readonly string[]) => (text: string) => createCandidate('period', text, { features });
  return [
    ...[
      ...(hasEnded && !hasPrefix ? [] : PERIOD_PHRASES),
      ...years.map((item) => `in ${item}`),
      ...begunParts.map(({ text }) => text),
    ].map(withFeatures(['closed'])),
    ...['since', 'before', 'on'].map(withFeatures(['open', 'closed'])),
    ...[`from ${year - 1} to ${year}`, 'from'].map(withFeatures(['closed', 'range'])),
  ];
};
