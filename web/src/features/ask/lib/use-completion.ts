// If no lens is chosen, shows the completions of the lens with which svc recognizes the most words of the text.
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { apiClient, unwrapData } from '../../../api/client.ts';
import type { operations } from '../../../api/schema.d.ts';
import type { QuestionInquiry } from '../api/ask.ts';
import { createCertifiedEntriesQuery, type LensSummary } from '../api/lenses.ts';

export type Completion = operations['completeQuestion']['responses'][200]['content']['application/json'];
export type CompletedWord = Completion['words'][number];

export interface CompletionSuggestion {
  key: string;
  label: string;
  hint: string;
  text: string;
  cursor: number;
  completesWord: boolean;
}

export type EarlierQuestions = Pick<QuestionInquiry, 'earlierQuestions' | 'lens'>;

const DEBOUNCE_MS = 120;
const MAX_SEARCHED_LENSES = 8;
const MAX_SUGGESTIONS = 7;
const MAX_QUESTION_SUGGESTIONS = 3;

const MAX_EARLIER_QUESTIONS = 20;
const MAX_COMPLETED_CHARACTERS = 1_000;

const createCompletionQuery = (lens: string, q: string, cursor: number, before: string[]) =>
  queryOptions({
    queryKey: ['complete', lens, q, cursor, before],
    queryFn: async ({ signal }) => ({
      lens,
      question: q,
      ...(await unwrapData(
        apiClient.GET('/v1/lenses/{name}/complete', {
          signal,
          params: { path: { name: lens }, query: { q, cursor, before, limit: MAX_SUGGESTIONS } },
        }),
      )),
    }),
    staleTime: 60_000,
    retry: false,
  });

/** While the new completion loads, returns the previous completion without the words that the person has changed. */
export function useCompletion(
  typed: { text: string; cursor: number },
  lens: string | null,
  lenses: LensSummary[],
  earlier: EarlierQuestions | null,
) {
  const [debouncedInput] = useDebouncedValue(typed, DEBOUNCE_MS);
  const isLongEnough = debouncedInput.text.trim().length >= 2 && debouncedInput.text.length <= MAX_COMPLETED_CHARACTERS;
  const before = (earlier?.earlierQuestions ?? [])
    .filter(({ length }) => length <= MAX_COMPLETED_CHARACTERS)
    .slice(-MAX_EARLIER_QUESTIONS);
  const lensNames = lens ? [lens] : lenses.slice(0, MAX_SEARCHED_LENSES).map(({ name }) => name);
  const answers = useQueries({
    queries: (isLongEnough ? lensNames : []).map((name) =>
      createCompletionQuery(
        name,
        debouncedInput.text,
        debouncedInput.cursor,
        [null, name].includes(earlier?.lens ?? null) ? before : [],
      ),
    ),
  });
  const completions = answers.flatMap(({ data }) => data ?? []).sort((a, b) => scoreCompletion(b) - scoreCompletion(a));
  const bestCompletion = completions[0] ?? null;
  // A word that one lens doesn't know may be a name in a lens that hasn't answered yet.
  const settledReading =
    bestCompletion && (hasOnlyKnownWords(bestCompletion) || answers.every(({ isPending }) => !isPending))
      ? bestCompletion
      : null;
  const onlyLensName = lens ?? (lenses.length === 1 ? lenses[0]!.name : null);
  const approved = useQuery({
    ...createCertifiedEntriesQuery(onlyLensName ?? '', debouncedInput.text.trim()),
    enabled: isLongEnough && lenses.some(({ name, certified_count }) => name === onlyLensName && certified_count > 0),
    placeholderData: keepPreviousData,
  });
  const previousReading = useRef<typeof settledReading>(null);
  const currentReading = settledReading?.question === typed.text ? settledReading : null;
  const shownReading = typed.text.trim().length < 2 ? null : (currentReading ?? previousReading.current);
  previousReading.current = shownReading;
  if (typed.text.trim().length < 2) return { completion: null, suggestions: [] };
  const questions = [
    ...(approved.data ?? [])
      .filter(({ question }) => !question.includes('{'))
      .map(({ question }) => toQuestionSuggestion(question, 'certified')),
    ...suggestSampleQuestions(typed.text, lens ? lenses.filter(({ name }) => name === lens) : lenses),
  ].filter(({ text }) => text !== typed.text.trim());
  return {
    completion: shownReading && {
      ...shownReading,
      words: shownReading.words.filter(createUnchangedWordFilter(typed.text)),
    },
    suggestions: [
      ...(currentReading?.next ?? [])
        .filter(({ insert }) => insert !== '')
        .map((next) => toWordSuggestion(next, debouncedInput)),
      ...[...new Map(questions.map((question) => [question.text, question])).values()].slice(
        0,
        MAX_QUESTION_SUGGESTIONS,
      ),
    ],
  };
}

const hasOnlyKnownWords = ({ words }: Completion): boolean => words.every(({ kind }) => kind !== 'unresolved');

const createUnchangedWordFilter =
  (now: string) =>
  ({ text, start, end }: CompletedWord): boolean =>
    now.slice(start, end) === text;

const scoreCompletion = ({ sentence, words }: Completion): number =>
  (sentence ? 1 : 0) + words.reduce((sum, { kind }) => sum + (kind === 'unresolved' ? -1 : kind === 'word' ? 0 : 1), 0);

const KIND_HINTS = { metric: 'metric', dimension: 'field', value: 'value', time: 'period', rank: 'ranking', word: '' };

function toWordSuggestion(
  { text, detail, from, kind }: Completion['next'][number],
  typed: { text: string; cursor: number },
): CompletionSuggestion {
  const before = `${typed.text.slice(0, from)}${text} `;
  const hint = kind === 'value' && detail ? (detail.split('.').at(-1) ?? '').replaceAll('_', ' ') : KIND_HINTS[kind];
  const rest = typed.text.slice(typed.cursor).trimStart();
  const completesWord = from < typed.cursor;
  return {
    key: `${from} ${text} ${detail}`,
    label: text,
    hint,
    text: before + rest,
    cursor: before.length,
    completesWord,
  };
}

const toQuestionSuggestion = (text: string, hint: string): CompletionSuggestion => ({
  key: `question ${text}`,
  label: text,
  hint,
  text,
  cursor: text.length,
  completesWord: false,
});

function suggestSampleQuestions(typed: string, lenses: LensSummary[]): CompletionSuggestion[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return lenses
    .flatMap(({ sample_questions }) => sample_questions)
    .filter((text) => words.every((word) => text.toLowerCase().includes(word)))
    .map((text) => toQuestionSuggestion(text, 'question'));
}
