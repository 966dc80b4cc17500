// "in the West and Texas": a row that is both, or rows of either? Two values of one column never belong to
// one row.
import type { Condition, Filter, LensPlan } from '../../plan/lens-plan.ts';
import { filterWords } from '../../plan/plan-sentence.ts';
import type { Leaf } from '../lattice/leaf.ts';
import { oneOfEach } from './every-row.ts';
import type { Outcome } from './outcome.ts';
import type { Place } from './place.ts';
import { type Rows, saidOf } from './plan-parts.ts';
import { mentionsAt, pastLeading, type Sentence } from './sentence.ts';

interface Conjoined {
  text: string;
  at: number;
  left: Leaf[];
  right: Leaf[];
}

/** Values with only "and" and leading words between them. */
export function conjoined(sentence: Sentence): Conjoined[] {
  const { tokens, mentions, words } = sentence;
  return tokens.flatMap(({ norm }, at) => {
    if (norm !== 'and' && norm !== '&') return [];
    const left = mentions.filter((one) => one.cat === 'value' && one.to === at);
    const right = mentionsAt(sentence, pastLeading(sentence, at + 1)).filter(({ cat }) => cat === 'value');
    // "both", "only" or "neither" before them decides the meaning.
    const said = words.some(({ sense, to }) => /both|only|neither|each/.test(sense) && to <= at && at - to < 6);
    const inside = mentions.some(({ from, to }) => from < at && at < to - 1);
    return left.length > 0 && right.length > 0 && !said && !inside ? [{ text: 'and', at, left, right }] : [];
  });
}

export function andMeans(place: Place, { text, left, right }: Conjoined): Outcome {
  const { rows, lens, choices, counted } = place;
  const of = rows.filter((one) => saidOf(one, left).length > 0 && saidOf(one, right).length > 0);
  const [shared] = of.filter(({ related }) => !(related && 'not_exists' in related));
  if (!shared || of.length > 1) return { says: 'each is said apart' };
  const [one, other] = [saidOf(shared, left)[0]!, saidOf(shared, right)[0]!];
  if (one === other && (shared.related !== null || counted.are !== 'rows'))
    return severalRows(place, text, shared, one);
  if (one === other) return { says: filterWords(one, lens) };
  if (!isOne(one) || !isOne(other)) return { says: 'a condition for each' };
  const chosen = choices[text];
  if (chosen === 'both') return { says: 'both of each row, as was chosen' };
  const either: Filter = { any: [one, other] };
  if (chosen === 'either') {
    const joined = replaced(place.plan, shared, [one, other], either);
    return joined && { plan: joined };
  }
  const [first, second] = [one, other].map((filter) => filterWords(filter, lens));
  return asked(text, `${first} or ${second}`, `${first} and ${second}`, 'rows that are both');
}
const isOne = (filter: Filter): filter is Condition => 'field' in filter && (filter.op === '=' || filter.op === 'in');

/** Things with rows of both values, or of one of them. */
function severalRows({ lens, choices, plan, counted }: Place, text: string, rows: Rows, said: Filter): Outcome {
  if (!('field' in said) || said.op !== 'in') return { says: filterWords(said, lens) };
  const chosen = choices[text];
  if (chosen === 'either') return { says: `${filterWords(said, lens)}, as was chosen` };
  const each = oneOfEach(plan, rows, said, counted);
  if (!each) return null;
  if (chosen === 'both') return { plan: each };
  const values = said.values.map(String);
  return asked(
    text,
    `at least one row of ${values.join(' or ')}`,
    `rows of each: ${values.join(' and ')}`,
    'things that have both',
  );
}

const asked = (text: string, either: string, both: string, meaning: string): Outcome => ({
  ask: {
    kind: 'ambiguous_term',
    term: text,
    message: `"${text}" between two values can mean either of them or both. Say which.`,
    options: [
      { key: 'either', label: either, meaning: 'Whatever is of at least one of them.' },
      { key: 'both', label: both, meaning: `Only ${meaning}.` },
    ],
  },
});

function replaced(plan: LensPlan, { related }: Rows, gone: readonly Filter[], by: Filter): LensPlan | null {
  const without = (filters: readonly Filter[]): Filter[] => [...filters.filter((one) => !gone.includes(one)), by];
  if (!related) return { ...plan, filters: without(plan.filters) };
  if (!plan.filters.includes(related)) return null;
  const changed: Filter = { ...related, where: without(related.where ?? []) };
  return { ...plan, filters: plan.filters.map((one) => (one === related ? changed : one)) };
}
