// Completions of what is typed, looked up a moment after the last key.
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { approvedQuery, type LensSummary, lensQuery, valuesQuery } from '../api/lenses.ts';
import { type Completion, fieldsWithValues, lastWord, namesLike, questionsLike } from './completions.ts';

const PAUSE_MS = 160;
const MOST_LENSES = 4;
const MOST_FIELDS = 6;

export function useCompletions(typed: string, lens: string | null, lenses: LensSummary[]): Completion[] {
  const [settled] = useDebouncedValue(typed, PAUSE_MS);
  const asking = settled.trim().length >= 2;
  const among = lens ? [lens] : lenses.slice(0, MOST_LENSES).map(({ name }) => name);
  const details = useQueries({ queries: among.map((name) => ({ ...lensQuery(name), enabled: asking })) });
  const read = details.flatMap(({ data }) => data ?? []);
  const only = read.length === 1 ? read[0] : undefined;
  const approved = useQuery({
    ...approvedQuery(only?.name ?? '', settled.trim()),
    enabled: asking && only !== undefined && only.certified_count > 0,
    placeholderData: keepPreviousData,
  });
  const part = lastWord(settled);
  const fields = only && part.length >= 3 ? fieldsWithValues(only).slice(0, MOST_FIELDS) : [];
  const values = useQueries({
    queries: fields.map((field) => ({ ...valuesQuery(only!.name, field, part), retry: false })),
  });
  if (!asking) return [];
  const stored = values.flatMap(({ data }, index) =>
    (data ?? [])
      .filter((value) => value.toLowerCase().startsWith(part) && value.toLowerCase() !== part)
      .slice(0, 2)
      .map(
        (text): Completion => ({
          group: 'Values',
          text,
          hint: fields[index]!.split('.')[1]!.replaceAll('_', ' '),
          whole: false,
        }),
      ),
  );
  return [
    ...(approved.data ?? [])
      .filter(({ question }) => question !== typed.trim() && !question.includes('{'))
      .slice(0, 3)
      .map(({ question }): Completion => ({ group: 'Approved questions', text: question, hint: null, whole: true })),
    ...namesLike(settled, read),
    ...stored.slice(0, 4),
    ...questionsLike(settled, lens ? lenses.filter(({ name }) => name === lens) : lenses),
  ];
}
