// Exactly what a language model is shown of a lens: names and meanings, never rows. Values only where a dictionary
// of an unmasked, unfiltered field was committed. Everything in it is data to the model, framed as such.
import type { CertifiedLibrary } from '../../domain/certified/certified-library.ts';
import type { ServedLens } from '../../domain/lenses/lens-repository.ts';
import type { Lens } from '../../lens/lens.ts';
import { Problem } from '../../platform/problem.ts';
import type { AskedQuestion } from './plan-question.ts';

const SHOWN_VALUES = 20;
const EARLIER = 5; // questions of a conversation
const EXAMPLES = 3; // certified questions that come nearest

export interface ModelContext {
  text: string;
  examples: number;
}

/** For every call that reads a question over this lens, and for whoever asks what such a call would be shown. */
export async function modelContext(
  library: Pick<CertifiedLibrary, 'rank'>,
  served: Pick<ServedLens, 'lens' | 'certified'>,
  question: string | null,
): Promise<ModelContext> {
  // Without its embedder the context has no examples.
  const ranked = question === null ? [] : await library.rank(served, question, EXAMPLES).catch(ifAway);
  const examples = ranked.map(({ entry }) => ({ question: entry.question, sql: entry.sql }));
  return { text: lensContext(served.lens, examples), examples: examples.length };
}

function ifAway(fault: unknown): [] {
  if (fault instanceof Problem && fault.code === 'unreachable') return [];
  throw fault;
}

function lensContext(lens: Lens, certified: { question: string; sql: string }[]): string {
  const context = {
    lens: lens.name,
    description: lens.description,
    dialect: lens.dialect,
    timezone: lens.timezone,
    datasets: lens.datasets.map((dataset) => ({
      name: dataset.name,
      table: [dataset.source.catalog, dataset.source.schema, dataset.source.table]
        .filter((part) => part !== null)
        .join('.'),
      description: dataset.description,
      time_field: dataset.timeField,
      fields: dataset.fields
        .filter((field) => !field.masked)
        .map((field) => ({
          name: field.name,
          datatype: field.datatype,
          description: field.description,
          synonyms: field.synonyms,
          unit: field.unit,
          values: field.dictionary?.values.slice(0, SHOWN_VALUES).map(({ value }) => value),
        })),
    })),
    joins: lens.relationships.map(({ role, from, to }) => ({
      role,
      from: `${from.dataset}(${from.columns})`,
      to: `${to.dataset}(${to.columns})`,
    })),
    metrics: lens.metrics.map(({ name, description, synonyms, unit, expression }) => ({
      name,
      description,
      synonyms,
      unit,
      expression,
    })),
    definitions: lens.definitions.map(({ term, meaning, metric, filter, senses }) => ({
      term,
      meaning,
      metric,
      filter,
      senses,
    })),
    approved_examples: certified,
  };
  return JSON.stringify(context, null, 1);
}

/** Whatever stands between the fences is material, never an instruction. */
export const framed = (label: string, text: string): string =>
  `<${label} untrusted="true">\n${text.replaceAll('</', '<\\/')}\n</${label}>`;

/** The question with those that a conversation asked before it, oldest first. */
export const framedQuestion = ({ question, context = [] }: Pick<AskedQuestion, 'question' | 'context'>): string =>
  context.length === 0
    ? framed('question', question)
    : `${framed('earlier_questions', context.slice(-EARLIER).join('\n'))}\n${framed('question', question)}`;
