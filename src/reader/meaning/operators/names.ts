import {
  createField,
  createPredicate,
  createValue,
  type Entities,
  type Field,
  type Predicate,
  type Value,
  type ValueCandidate,
  type Word,
} from '../terms.ts';

import {
  createFlagPredicate,
  createRelatedPredicate,
  createValuePredicate,
  hasFeature,
  joinValues,
  negate,
  type Operation,
  withPredicates,
} from './building.ts';

/** The value with only those meanings that fit. Null if this leaves one of several values without a meaning. */
const filterOptions = (
  { text, any }: Value,
  isKept: (option: ValueCandidate) => boolean,
  field?: Field,
): Value | null => {
  const keptValues = any.map((item) => ({ ...item, options: item.options.filter(isKept) }));
  return keptValues.every(({ options }) => options.length > 0) ? createValue(text, keptValues, field) : null;
};

export const NAME_OPERATORS = {
  thingsOfValue: ({ v, t }: { v: Value; t: Entities }) => withPredicates(t, [createValuePredicate(v, null)]),
  thingsFlagged: ({ f, t }: { f: Field; t: Entities }) => {
    const adjacentField = createField(f.text, f.options, [...f.features, 'adjacent']);
    return withPredicates(t, [createFlagPredicate(adjacentField)]);
  },
  neverDone: ({ t, l, c }: { t: Entities; l: Word; c?: Predicate }, _, nameLookup) => {
    const events = nameLookup.entitiesOfVerb(l.value);
    const related = events && createRelatedPredicate(c ? withPredicates(events, [c]) : events, null, null);
    return related && withPredicates(t, [negate(related)]);
  },
  thingsThatDid: ({ t, u, v, l }: { t: Entities; u?: Entities; v: Value; l: Word }) => {
    if (!u) return hasFeature(v, 'quoted') ? null : withPredicates(t, [createValuePredicate(v, l.value)]);
    const related = createRelatedPredicate(u, l.value, null);
    return related && withPredicates(t, [related]);
  },
  thingsThat: ({ t, c }: { t: Entities; c: Predicate }) => withPredicates(t, [c]),
  sameThings: ({ t }: { t: Entities }) => t,
  distinctThings: ({ t }: { t: Entities }) =>
    hasFeature(t, 'values') ? { ...t, features: [...t.features, 'distinct'] } : t,
  thingsCalled: ({ t, v }: { t: Entities; v: Value }) => {
    const value = filterOptions(v, ({ dataset, field }) =>
      t.options.some((option) => option.dataset === dataset && (!option.by || option.by.fields.includes(field))),
    );
    return t.predicates.length === 0 && value
      ? withPredicates(t, [createPredicate({ is: 'value', value, word: '', called: true }, ['value'])])
      : null;
  },
  eitherValue: ({ a, b }: Record<'a' | 'b', Value>) => joinValues([a, b]),
  valueOf: ({ v, f }: { v: Value; f: Field }) => {
    if (v.field || hasFeature(f, 'date') || hasFeature(v, 'defined')) return null;
    if (v.any.every(({ options }) => options.length === 0)) return createValue(v.text, v.any, f);
    return filterOptions(
      v,
      (option) => f.options.some(({ dataset, fields }) => dataset === option.dataset && fields.includes(option.field)),
      f,
    );
  },
} satisfies Record<string, Operation>;
