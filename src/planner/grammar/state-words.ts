// "active", "high", "cancelled": words that may describe any thing. Beside a thing that does not hold the value itself they
// say something else: "high transactions" are not those of clients of high risk, "active invoices" not those of active accounts.

import type { Term } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import type { ConditionOption } from './draft.ts';
import { subjectOf } from './rules-event.ts';

const STATE =
  /^(?:(?:in|un)?active|open|pending|current|live|online|offline|new|old|(?:in)?valid|standard|normal|regular|special|high|low|medium|average|large|small|big|long|short|heavy|light|fast|slow|good|bad|strong|weak|late|early|urgent|critical|final|full|empty|partial|complete|incomplete|[a-z]{4,}ed|paid|unpaid|sold|lost|won|broken|frozen|overdue|void)$/;

const holders = (term: Term): string[] =>
  term.kind === 'dataset' || term.kind === 'field' || term.kind === 'names'
    ? [term.dataset]
    : term.kind === 'metric'
      ? [term.metric.home ?? '']
      : [];

/** Those of the readings of a word just read from `from` on that the thing it describes allows. */
export const ofWhatItDescribes = <T extends ConditionOption>(c: Cursor, from: number, options: T[]): T[] => {
  const said = c.tokens.slice(from, c.at);
  const described = said.length === 1 && !said[0]!.capital && STATE.test(said[0]!.norm);
  if (!described) return options;
  let ahead = 0;
  while (ahead < 6 && !c.phrase(ahead) && c.values(ahead).length > 0) ahead += c.values(ahead)[0]!.length;
  const noun = c.phrase(ahead);
  const told = /^(?:is|are|was|were|not|still|currently|be|been)$/.test(c.tokens[from - 1]?.norm ?? '');
  const subject = noun || !told ? null : (c.draft.entities.at(-1)?.dataset ?? subjectOf(c));
  const things = noun ? noun.terms.flatMap(holders) : subject ? [subject] : [];
  return things.length === 0 ? options : options.filter(({ dataset }) => things.includes(dataset));
};
