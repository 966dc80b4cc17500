// "times 2", "twice": a multiple of a measure, or the number of times an event happened.

import { countsOf } from '../../plan/filters.ts';
import type { Measure } from '../../plan/lens-plan.ts';
import type { Outcome } from './outcome.ts';
import type { Place } from './place.ts';
import { normAt, type Restricting } from './sentence.ts';

export function timesMeans({ sentence, plan, rows }: Place, { text, from, to, by }: Restricting): Outcome {
  const numbers = [sentence.tokens[from - 1], sentence.tokens[to]].flatMap((one) =>
    one?.kind === 'number' && one.value !== undefined ? [one.value] : [],
  );
  const wanted = by ?? numbers[0];
  if (wanted === undefined)
    return /often$/.test(text) || OFTEN.test(normAt(sentence, from - 1)) ? { says: 'how often' } : null;
  const often = (op: string, value: number | undefined): boolean => value === wanted && op !== '!=';
  if (plan.measures.some((one) => isScaled(one, wanted))) return { says: `multiplied by ${wanted}` };
  const counted =
    rows.some(
      ({ related }) =>
        related &&
        countsOf(related).some(
          ({ op, value }) => value + { '>=': -1, '<=': 1, '=': 0 }[op] === wanted || value === wanted,
        ),
    ) || plan.having.some(({ op, values }) => often(op, values[0]));
  return counted ? { says: `${wanted} of them` } : null;
}
const OFTEN = /^(?:of|many|most|fewest|least|more|fewer|several)$/;
const isScaled = (measure: Measure, by: number): boolean =>
  measure.fn === 'product' && Math.abs(measure.by - by) < 1e-9;
