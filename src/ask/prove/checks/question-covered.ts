import { notApplicable, type ProvenBy, passed, untold } from '../check.ts';
import { repeatedRows } from './repeated-rows.ts';

const COVERED = 'Every word that could measure, restrict, order or group is accounted for.';
export const UNPROVEN = 'A language model read the question; that it accounted for every word is not proven.';

export const questionCovered: ProvenBy = {
  name: 'question_covered',
  critical: true,
  ofPlan({ plan, read }) {
    switch (read.by) {
      case 'approval':
        return passed(read.said);
      case 'planner':
        return read.doubt === null ? passed(wordsOf(read.words)) : { ...untold(read.doubt), warning: read.doubt };
      case 'model':
        return untold(UNPROVEN);
      case 'caller':
        return plan === 'compiled' ? passed(COVERED) : notApplicable('There was no question in words.');
    }
  },
  /** Every word has a place, but the rows show that one of them can be meant in two ways. */
  ofRows(fetched, said) {
    const repeated = repeatedRows(fetched);
    return repeated === null ? said : { ...untold(repeated), warning: repeated };
  },
};

const wordsOf = (words: readonly { text: string; as: string; name?: string }[]): string =>
  words.map(({ text, as, name }) => `${text}: ${name ? `${as} ${name}` : as}`).join('; ');
