// Verbs that name rows on the many side: "customers who ordered in 2016", "bikes that were never repaired", "ordered more
// than once". The event must be a dataset called like the verb, whose rows lead to the thing in one way.

import { verbRoot } from '../english/inflection.ts';
import { isTemporal } from '../words/datatypes.ts';
import { type Term, words } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import { readComparison } from './read-comparison.ts';
import { attempt } from './read-things.ts';
import type { Rule } from './rule.ts';

const IRREGULAR: Readonly<Record<string, string>> = {
  ridden: 'rid',
  rode: 'rid',
  bought: 'buy',
  sold: 'sell',
  paid: 'pay',
  flown: 'fl',
  taken: 'tak',
};
const VERBAL = /(?:ed|en|ought|old|aid|own|ode)$/;

export const eventRoot = (norm: string): string => (Object.hasOwn(IRREGULAR, norm) ? IRREGULAR[norm]! : verbRoot(norm));

/** The nearest dataset called like the verb, whose rows lead to the subject; null where there is none, or several. */
export const eventOf = (c: Cursor, norm: string, subject: string): string | null => {
  if (!VERBAL.test(norm)) return null;
  const root = eventRoot(norm);
  if (root.length < 3) return null;
  const { graph, lens } = c.vocabulary;
  const called = (name: string): boolean => words(name).some((word) => word.startsWith(root));
  // "orders shipped": their own date says so.
  if (c.vocabulary.dataset(subject).fields.some((field) => isTemporal(field.datatype) && called(field.name)))
    return null;
  const steps = lens.datasets.flatMap((dataset) => {
    const paths = dataset.name === subject ? [] : graph.paths(dataset.name, subject);
    return paths.length === 1 && [dataset.name, ...dataset.synonyms].some(called)
      ? [{ dataset: dataset.name, hops: paths[0]!.hops }]
      : [];
  });
  const fewest = Math.min(...steps.map(({ hops }) => hops));
  const near = steps.filter(({ hops }) => hops === fewest);
  return near.length === 1 ? near[0]!.dataset : null;
};

export const subjectOf = (c: Cursor): string | null => {
  const { entities, shown } = c.draft;
  const measured = shown.flatMap(({ measure }) => (measure?.kind === 'count' ? [measure.dataset!] : []));
  const named = [...new Set([...entities.map(({ dataset }) => dataset), ...measured])];
  return named.length === 1 ? named[0]! : null;
};

/** "never inspected", where the inspections' date is called so. */
const datesAnother = (term: Term, subject: string): boolean =>
  term.kind === 'field' && isTemporal(term.field.datatype) && term.dataset !== subject;

const TIMES = /(?:once|twice|# times?|one time)/;
const END = /(?:\.|\?|!|,|and|but|or|per|for each|each|yet|before|at all|ever|anything)/;

export const event: Rule = (c, state) =>
  attempt(c, () => {
    const subject = subjectOf(c);
    const token = c.token()!;
    if (
      !subject ||
      token.kind !== 'word' ||
      c.clause.relation ||
      c.phrase()?.terms.some((term) => !(term.kind === 'dataset' || datesAnother(term, subject)))
    )
      return null;
    const dataset = eventOf(c, token.norm, subject);
    if (!dataset) return null;
    const { at } = c;
    const text = c.accept(1, 'verb', dataset);
    let count: { op: '=' | '>' | '>=' | '<' | '<='; value: number } | undefined;
    const op = readComparison(c) ?? (c.match(TIMES) > 0 ? '=' : null);
    if (op) {
      const length = c.match(TIMES);
      if (length === 0) return null;
      const number = c.token()!;
      const value = number.kind === 'number' ? number.value! : number.norm === 'twice' ? 2 : 1;
      if (!Number.isInteger(value)) return null;
      c.accept(length, 'number');
      count = { op, value };
    }
    if (c.token() && !c.time() && !c.match(END)) return null;
    c.take(/(?:yet|at all|ever|anything|before(?= (?:\.|\?)|$))/, 'filler');
    if (c.clause.id === 0) c.newClause(false);
    c.clause.relation = { dataset, at, text, ...(count ? { count } : {}) };
    state.head = false;
    return true;
  }) ?? false;
