import { notApplicable, type ProvenBy, passed, untold } from '../check.ts';
import { bareAmounts } from './bare-amounts.ts';
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
      case 'model': {
        if (plan !== 'compiled' || !read.proof) return untold(UNPROVEN);
        const { open, unsaid } = read.proof;
        if (open.length === 0 && unsaid.length === 0) return passed(`${COVERED} A language model read it.`);
        const words = open.length > 0 ? ` Not accounted for: ${open.map((word) => `“${word}”`).join(', ')}.` : '';
        const parts = unsaid.length > 0 ? ` Not asked for in words that are known: ${unsaid.join(', ')}.` : '';
        return untold(`${UNPROVEN}${words}${parts}`);
      }
      case 'caller':
        return plan === 'compiled' ? passed(COVERED) : notApplicable('There was no question in words.');
    }
  },
  /** Every word has a place, but the rows show that one of them can be meant in two ways. */
  ofRows(fetched, said) {
    const doubt = repeatedRows(fetched) ?? bareAmounts(fetched);
    if (doubt !== null) return { ...untold(doubt), warning: doubt };
    const { plan, rows } = fetched;
    return plan.read.by === 'model' && rows.length === 0 && said?.outcome === 'pass'
      ? untold('A language model read the question, and no row bears its reading out.')
      : said;
  },
};

const wordsOf = (words: readonly { text: string; as: string; name?: string }[]): string =>
  words.map(({ text, as, name }) => `${text}: ${name ? `${as} ${name}` : as}`).join('; ');
