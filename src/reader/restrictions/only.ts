// "only": before a value, it means that there is nothing else; before the requested part, it requests nothing else.
import type { Filter } from '../../plan/lens-plan.ts';
import { filterWords } from '../../plan/plan-sentence.ts';
import type { Leaf } from '../lattice/leaf.ts';
import { noneOtherwise, type Reach } from './every-row.ts';
import type { Outcome } from './outcome.ts';
import { areOwn, isAskedFor, isFirst, isGrouped, type Place } from './place.ts';
import { isNegative, isOfEachRow, type Rows, saidOf } from './plan-parts.ts';
import {
  isEnd,
  mentionsAt,
  normAt,
  pastLeading,
  type Restricting,
  restrictionAfter,
  restrictionBefore,
} from './sentence.ts';

const WISH =
  /^(?:want|need|like|show|give|tell|list|see|wonder|wondering|curious|looking|asking|find|get|count|name|return|display)$/;
const OFTEN = ['once', 'twice'];
const RANKED = /^(?:top|bottom|best|worst|first|last|highest|lowest|largest|smallest|most|fewest)$/;

export function onlyMeans(place: Place, word: Restricting): Outcome {
  const { sentence, plan } = place;
  const next = pastLeading(sentence, word.to);
  if (WISH.test(normAt(sentence, word.to))) return { says: 'a manner of asking' };
  if (RANKED.test(normAt(sentence, next)))
    return plan.limit !== null || plan.limit_per ? { says: `the first ${plan.limit ?? 'of each'}` } : null;
  const [number] = mentionsAt(sentence, next).filter(({ cat }) => cat === 'number');
  const direct = mentionsAt(sentence, next).some(({ cat }) => cat === 'value' || cat === 'period');
  if (!direct && (number || normAt(sentence, next) === 'one'))
    return asMany(place, number?.term.t === 'number' ? number.term.value : 1);
  const often = OFTEN.indexOf(normAt(sentence, next)) + OFTEN.indexOf(normAt(sentence, next + 1)) + 2;
  if (!direct && often > 0) return asMany(place, often);
  const after = restrictionAfter(sentence, word.to);
  const before = restrictionBefore(sentence, word.from);
  const ends = isEnd(sentence, word.to);
  if (ends && before.length > 0) return ofValue(place, word, before);
  const named = mentionsAt(sentence, next);
  const behind = sentence.mentions.filter((one) => one.to === word.from);
  if (ends) return behind.some((one) => isAskedFor(place, one)) ? { says: 'what is shown' } : null;
  if (isFirst(place, word) && !direct)
    return named.some((one) => isAskedFor(place, one)) ? { says: 'what is asked for' } : null;
  if (after.focus.length === 0)
    return named.some((one) => isGrouped(place, one)) ? { says: 'what it is grouped by or shown' } : null;
  if (before.length > 0 && !allOwn(place, [...before, ...after.focus])) return null;
  return ofValue(place, word, after.focus, isFirst(place, word));
}

/** "only 2 orders", "only once": exactly so many. */
function asMany({ plan, rows }: Place, wanted: number): Outcome {
  const counted = rows.some(({ related }) => related && 'exists' in related && related.exactly === wanted);
  const had = plan.having.some(({ op, values }) => op === '=' && values[0] === wanted);
  return counted || had || plan.limit === wanted ? { says: `exactly ${wanted}` } : null;
}

const allOwn = (place: Place, mentions: readonly Leaf[]): boolean =>
  place.rows.every((rows) => saidOf(rows, mentions).length === 0 || isPlain(place, rows, saidOf(rows, mentions)));
const isPlain = (place: Place, rows: Rows, filters: readonly Filter[]): boolean =>
  areOwn(place, rows) || (rows.related === null && isOfEachRow(place.lens, place.counted, filters));

export function ofValue(place: Place, { text }: Restricting, mentions: readonly Leaf[], first = false): Outcome {
  const { lens, plan, counted, choices } = place;
  const found = place.rows.filter(
    (rows) => !(rows.related && 'not_exists' in rows.related) && saidOf(rows, mentions).length > 0,
  );
  const [rows, more] = found;
  if (!rows || more) return null;
  const focus = saidOf(rows, mentions);
  const said = focus.map((one) => filterWords(one, lens)).join(' and ');
  if (isPlain(place, rows, focus)) return { says: said };
  if (focus.some(isNegative)) return null;
  const chosen = choices[text];
  if (chosen === 'some') return { says: `at least one row where ${said}, as was chosen` };
  const reaches: Reach[] = ['within', 'always'];
  const [within, always] = reaches.map((reach) => noneOtherwise(rows, focus, reach, counted));
  if (!within || !always) return null;
  const holds = (one: Filter): boolean => plan.filters.some((filter) => same(filter, one));
  if (holds(within) || holds(always)) return { says: `no row but where ${said}` };
  if (chosen === 'within' || chosen === 'always')
    return { plan: { ...plan, filters: [...plan.filters, chosen === 'within' ? within : always] } };
  const simple = same(within, always);
  // Two values that one row can't both have: only rows of each of them, or only rows of either?
  if (simple && !first && !takesSeveral(place, mentions, focus))
    return { plan: { ...plan, filters: [...plan.filters, always] } };
  const rest = rows.filters
    .filter((one) => !focus.includes(one))
    .map((one) => filterWords(one, lens))
    .join(' and ');
  return {
    ask: {
      kind: 'ambiguous_term',
      term: text,
      message: `"${text}" can restrict each row of what is asked for, or leave the others out. Say which.`,
      options: [
        option('always', `every row is one where ${said}`, 'Things that also have other rows are left out.'),
        ...(simple
          ? []
          : [option('within', `every row where ${rest} is one where ${said}`, 'Other rows may be there.')]),
        option('some', `at least one row is one where ${said}`, 'Other rows may be there too.'),
      ],
    },
  };
}
const option = (key: string, label: string, meaning: string) => ({ key, label, meaning });
const same = (one: Filter, other: Filter): boolean => JSON.stringify(one) === JSON.stringify(other);

/** "only furniture and technology". */
const takesSeveral = ({ sentence }: Place, mentions: readonly Leaf[], focus: readonly Filter[]): boolean =>
  focus.some((one) => 'field' in one && one.op === 'in') &&
  mentions.some(({ to }) => normAt(sentence, to) === 'and' || normAt(sentence, to) === '&');
