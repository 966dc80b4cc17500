// What may be meant while somebody types: whole questions that are approved or sampled, and names for the last words.
import type { LensDetail, LensSummary } from '../api/lenses.ts';

export interface Completion {
  group: 'Approved questions' | 'Questions' | 'Metrics' | 'Terms' | 'Fields' | 'Values';
  text: string;
  hint: string | null;
  /** A name takes the place of the words being typed; a question of everything. */
  whole: boolean;
}

const MOST_OF_A_KIND = 4;

export function questionsLike(typed: string, lenses: LensSummary[]): Completion[] {
  const words = wordsOf(typed);
  return lenses
    .flatMap(({ title, sample_questions }) => sample_questions.map((text) => ({ text, title })))
    .filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)) && text !== typed.trim())
    .slice(0, MOST_OF_A_KIND)
    .map(({ text, title }) => ({ group: 'Questions', text, hint: title, whole: true }));
}

export function namesLike(typed: string, details: LensDetail[]): Completion[] {
  const part = lastWord(typed);
  if (part.length < 2) return [];
  const found = (group: Completion['group'], named: { name: string; says: string | null; also: string[] }[]) =>
    [...new Map(named.map((one) => [one.name, one])).values()]
      .filter(({ name, also }) => [name, ...also].some((word) => startsAWord(spoken(word), part)))
      .slice(0, MOST_OF_A_KIND)
      .map(({ name, says }): Completion => ({ group, text: spoken(name), hint: says, whole: false }));
  return [
    ...found(
      'Metrics',
      details.flatMap(({ schema }) =>
        schema.metrics.map(({ name, description, synonyms }) => ({ name, says: description, also: synonyms })),
      ),
    ),
    ...found(
      'Terms',
      details.flatMap(({ definitions }) =>
        definitions.map(({ term, meaning, synonyms }) => ({ name: term, says: meaning, also: synonyms })),
      ),
    ),
    ...found(
      'Fields',
      details.flatMap(({ schema }) =>
        schema.datasets.flatMap(({ fields }) =>
          fields.map(({ name, description, synonyms }) => ({ name, says: description, also: synonyms })),
        ),
      ),
    ),
  ].filter(({ text }) => text.toLowerCase() !== part);
}

/** Fields whose stored values are worth looking through. */
export const fieldsWithValues = ({ schema }: LensDetail): string[] =>
  schema.datasets.flatMap(({ name, fields }) =>
    fields.filter(({ has_values }) => has_values).map((field) => `${name}.${field.name}`),
  );

export const lastWord = (typed: string): string =>
  /([\p{L}\p{N}][\p{L}\p{N}&'.-]*)$/u.exec(typed)?.[1]?.toLowerCase() ?? '';

export const completed = (typed: string, { text, whole }: Completion): string =>
  whole ? text : `${typed.slice(0, typed.length - lastWord(typed).length)}${text} `;

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);
const spoken = (name: string): string => name.replaceAll('_', ' ');
const startsAWord = (name: string, part: string): boolean =>
  name
    .toLowerCase()
    .split(/\s+/)
    .some((word) => word.startsWith(part));
