import type { Operator } from '../../../plan/lens-plan.ts';
import {
  type Cond,
  cond,
  type Field,
  type Measure,
  measure,
  type Query,
  query,
  restricted,
  type Term,
  type Things,
  things,
  type Value,
  value,
  type Word,
} from '../terms.ts';

/** Names in the lens that operators need in addition to the slots. */
export interface Named {
  isStored(said: string): boolean;
  metric(said: string): Measure | null;
  ranking(at: number): { by: Field | Measure; direction: 'asc' | 'desc' } | null;
  gain(said: string): Measure | null;
  /** Things with this name are amounts. */
  isAmount(said: string): boolean;
  /** The dates of the verb's event. */
  happened(verb: string): Field | null;
  /** True if some things have several references to one kind, with different roles. */
  parts: boolean;
  /** Things named after the verb. */
  done(verb: string): Things | null;
  /** The number of the verb's events. */
  events(verb: string): Measure | null;
}

export type Slots = Readonly<Record<string, Term>>;

export type Operate = (slots: Slots, takes: Readonly<Record<string, string>>, named: Named) => Term | null;

export const as = <T extends Term>(term: Term | undefined): T => term as T;

export const has = (term: Term, feature: string): boolean => term.features.includes(feature);

export const withConds = (of: Things, more: readonly Cond[]): Things =>
  things(of.text, of.options, [...of.conds, ...more], of.features);

export const ofValue = (meant: Value, word: string | null): Cond =>
  cond({ is: 'value', value: meant, word }, meant.key, word ? ['value', 'verb'] : ['value']);

export const not = (of: Cond): Cond => cond({ is: 'not', of }, of.key, ['negated']);

/** The word before a value may name its role; a participle must. */
export const led = (of: Cond, by: Term, { parts }: Pick<Named, 'parts'>, must = false): Cond => {
  if (of.is === 'all') return all(of.of.map((one) => led(one, by, { parts }, must)));
  if (of.is === 'not') return not(led(of.of, by, { parts }, must));
  if (!must && !(parts && (has(by, 'part') || has(by, 'valued')))) return of;
  const { value } = by as Word;
  return of.is === 'value' ? { ...of, led: { by: value, must }, key: `${of.key} ${value}${must ? '!' : ''}` } : of;
};
/** A condition that a row meets or not. */
export const flagged = (of: Field): Cond =>
  cond({ is: 'compare', field: of, op: '=', values: [true], unit: null }, `${of.key} = true`, ['value']);

export const all = (of: readonly Cond[]): Cond =>
  cond(
    { is: 'all', of },
    of
      .map(({ key }) => key)
      .sort()
      .join('&'),
  );

export const count = (of: Things): Measure =>
  measure({ is: 'count', things: { ...of, conds: [] }, conds: of.conds }, things(of.text, of.options, [], []).key, [
    'count',
  ]);

export const listOf = (parts: readonly Value[], both: boolean): Value | null => {
  if (parts.some(({ field }) => field)) return null;
  const any = parts.flatMap((one) => one.any);
  return value(
    any.map(({ text }) => text).join(both ? ' and ' : ' or '),
    any,
    both ? { both } : {},
    parts.every((one) => has(one, 'state')),
  );
};

export const hasThings = (
  of: Things,
  verb: string | null,
  counted: { op: Operator; value: number } | null,
): Cond | null =>
  has(of, 'values')
    ? null
    : cond(
        { is: 'has', things: of, verb, count: counted },
        `${verb ?? ''} ${of.key} ${counted ? counted.op + counted.value : ''}`,
        ['has'],
      );

export const restrictedTo = (of: Measure, conds: readonly Cond[]): Measure =>
  restricted({ ...of, conds: [] } as Measure, conds);

export const measured = (of: Measure): Query => {
  const hoisted = of.is === 'combined' || of.is === 'part' || of.is === 'averaged' ? [] : of.conds;
  return query({ shown: [hoisted.length > 0 ? restrictedTo(of, []) : of], conds: hoisted }, ['measured']);
};

export const directionOf = (term: Term | undefined): 'asc' | 'desc' =>
  as<Word>(term).value === 'asc' ? 'asc' : 'desc';

/** If parts have their own conditions, another condition may apply to one or to all. */
export const composed = (of: Measure): boolean =>
  of.is === 'part' || (of.is === 'combined' && (of.left.conds.length > 0 || of.right.conds.length > 0));

export const NOTHING: Named = {
  isStored: () => false,
  metric: () => null,
  ranking: () => null,
  gain: () => null,
  parts: false,
  done: () => null,
  events: () => null,
  isAmount: () => false,
  happened: () => null,
};
