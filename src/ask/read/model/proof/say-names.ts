// How the metrics, fields and datasets of a lens are said.
import type { Lens, LensDataset, LensField, LensMetric } from '../../../../lens/lens.ts';
import { type Term, vocabularyOf } from '../../../../planner/words/vocabulary.ts';
import { either, inTurn, nothing, type Saying, words } from './sayings.ts';

export interface NamedField {
  dataset: LensDataset;
  field: LensField;
  /** Said with it: several ways lead to its dataset. */
  role: string | null;
  grain: string | null;
}

const GRAIN = /^(.+)\.(day|week|month|quarter|year)$/;

/** Null: no such field, several, or one that is reached in a way that a name can't tell. */
export function fieldOf(lens: Lens, ref: string): NamedField | null {
  const [, dated, grain] = GRAIN.exec(ref) ?? [];
  const path = (dated ?? ref).split('.');
  if (path.length > 2) return null;
  const own = path.at(-1)!;
  const within = (name: string) => lens.datasets.find((dataset) => dataset.name === name);
  const having = (dataset: LensDataset | undefined) => dataset?.fields.find(({ name }) => name === own);
  if (path.length === 1) {
    const found = lens.datasets.filter(having);
    const [dataset] = found;
    if (found.length !== 1 || !dataset || waysTo(lens, dataset.name) > 1) return null;
    return { dataset, field: having(dataset)!, role: null, grain: grain ?? null };
  }
  const relationship = lens.relationships.find(({ role, to }) => role === path[0] && role !== to.dataset);
  const dataset = relationship ? within(relationship.to.dataset) : within(path[0]!);
  const field = having(dataset);
  if (!dataset || !field) return null;
  const several = waysTo(lens, dataset.name) > 1;
  if (several && !relationship) return null;
  return { dataset, field, role: several ? path[0]! : null, grain: grain ?? null };
}

const waysTo = (lens: Lens, dataset: string): number =>
  lens.relationships.filter(({ to }) => to.dataset === dataset).length;

/** By its name or a synonym, or as the thing that it is the name of. */
export const sayField =
  (lens: Lens, { dataset, field, role }: NamedField): Saying =>
  (asked, at) => {
    const named = vocabularyOf(lens).display(dataset.name);
    const called = named.length === 1 && named[0] === field;
    const means = (term: Term): boolean => {
      switch (term.kind) {
        case 'field':
          return (
            term.loose < 2 &&
            term.dataset === dataset.name &&
            term.field.name === field.name &&
            hasRole(term.role, role)
          );
        case 'dataset':
          return called && term.dataset === dataset.name && hasRole(term.role, role);
        case 'definition':
          return meansOnly(term, { field: `${dataset.name}.${field.name}` });
        default:
          return false;
      }
    };
    return asked.namesAt(at, means);
  };

const hasRole = (said: string | undefined, role: string | null): boolean => (role === null ? true : said === role);

type Definition = Extract<Term, { kind: 'definition' }>;
const meansOnly = ({ definition }: Definition, only: { field?: string; metric?: string }): boolean =>
  definition.senses.length === 0 &&
  definition.filter === null &&
  definition.field === (only.field ?? null) &&
  definition.metric === (only.metric ?? null);

const COUNTS_ROWS = /^\s*count\s*\(\s*\*\s*\)\s*$/i;
const COUNTS = /^\s*count\s*\(/i;
const ADDS_UP = /^\s*sum\s*\([^()]*\)\s*$/i;

/** A field may be called as the metric that adds it up. */
export const sayMetric = (metric: LensMetric): Saying => {
  const { expression, home, references } = metric;
  const [only, another] = references.fields;
  const isIts = (term: Term) =>
    term.kind === 'field' &&
    another === undefined &&
    only?.dataset === term.dataset &&
    (only.field === term.field.name
      ? ADDS_UP.test(expression) || COUNTS.test(expression)
      : COUNTS.test(expression) && term.identity !== undefined);
  const counted = (term: Term) => term.kind === 'dataset' && COUNTS_ROWS.test(expression) && term.dataset === home;
  const isIt = (term: Term) =>
    (term.kind === 'metric' && term.metric.name === metric.name) ||
    (term.kind === 'definition' && meansOnly(term, { metric: metric.name }));
  const name: Saying = (asked, at) =>
    asked
      .namesAt(at, (term) => isIt(term) || isIts(term) || counted(term))
      .filter((to) => asked.terms(at, to).some(isIt));
  const of = perhapsOf(words('total,overall,sum of'));
  const count: Saying = COUNTS.test(expression)
    ? inTurn(words('how many,number of,count of,number,count'), (asked, at) => [
        ...name(asked, at),
        ...asked.namesAt(at, isIt, 'number of'),
        ...asked.namesAt(at, counted),
      ])
    : nothing;
  return either(name, count, ADDS_UP.test(expression) ? inTurn(of, name) : nothing);
};

const perhapsOf = (saying: Saying): Saying => either(saying, inTurn(saying, words('of')));

export const sayDataset =
  (name: string): Saying =>
  (asked, at) =>
    asked.namesAt(at, (term) => term.kind === 'dataset' && term.dataset === name && term.role === undefined);
