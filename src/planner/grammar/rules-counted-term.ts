// Governed terms that are counted: "the number of active customers".
import type { Rule } from './rule.ts';
import { COUNTING } from './rules-show.ts';

/** "how many active customers", where the term is measured by a metric that counts, in each of its senses. */
export const countedTerm: Rule = (c) => {
  const length = c.match(COUNTING);
  const [found, other] = (length > 0 && c.phrase(length)?.terms) || [];
  // What is called so besides is counted as what it is.
  if (found?.kind !== 'definition' || other) return false;
  const { metric, senses } = found.definition;
  const named = senses.length > 0 ? senses.map((sense) => sense.metric) : [metric];
  const counts = named.every((name) =>
    c.vocabulary.lens.metrics.some((one) => one.name === name && counting(one.references)),
  );
  if (!counts) return false;
  c.accept(length, 'count');
  return true;
};
const counting = ({ aggregates, metrics }: { aggregates: string[]; metrics: string[] }): boolean =>
  aggregates.length > 0 && metrics.length === 0 && aggregates.every((fn) => /^count/i.test(fn));
