import {
  createField,
  createPredicate,
  createValue,
  type EntitiesTerm,
  type FieldTerm,
  type PredicateTerm,
  type ValueCandidate,
  type ValueTerm,
  type WordTerm,
} from '../terms.ts';

import {
  createFlagPredicate,
  createRelatedPredicate,
  createValuePredicate,
  hasFeature,
  joinValues,
  negatePredicate,
  restrictEntities,
  type TermOperator,
} from './building.ts';

/**
 * Returns the value with only the matching meanings. Returns null if the value, or one value in a list, has no meaning
 * left.
 */
const filterOptions = (
  { text, any }: ValueTerm,
  isKept: (option: ValueCandidate) => boolean,
  field?: FieldTerm,
): ValueTerm | null => {
  const keptValues = any.map((item) => ({ ...item, options: item.options.filter(isKept) }));
  return keptValues.every(({ options }) => options.length > 0) ? createValue(text, keptValues, field) : null;
};

export const NAME_OPERATORS = {
  thingsOfValue: ({ v, t }: { v: ValueTerm; t: EntitiesTerm }) => restrictEntities(t, [createValuePredicate(v, null)]),
  thingsFlagged: ({ f, t }: { f: FieldTerm; t: EntitiesTerm }) => {
    const adjacentField = createField(f.text, f.options, [...f.features, 'adjacent']);
    return restrictEntities(t, [createFlagPredicate(adjacentField)]);
  },
  neverDone: ({ t, l, c }: { t: EntitiesTerm; l: WordTerm; c?: PredicateTerm }, _, nameLookup) => {
    const events = nameLookup.entitiesOfVerb(l.value);
    const related = events && createRelatedPredicate(c ? restrictEntities(events, [c]) : events, null, null);
    return related && restrictEntities(t, [negatePredicate(related)]);
  },
  thingsThatDid: ({ t, u, v, l }: { t: EntitiesTerm; u?: EntitiesTerm; v: ValueTerm; l: WordTerm }) => {
    if (!u) return hasFeature(v, 'quoted') ? null : restrictEntities(t, [createValuePredicate(v, l.value)]);
    const related = createRelatedPredicate(u, l.value, null);
    return related && restrictEntities(t, [related]);
  },
  thingsThat: ({ t, c }: { t: EntitiesTerm; c: PredicateTerm }) => restrictEntities(t, [c]),
  sameThings: ({ t }: { t: EntitiesTerm }) => t,
  distinctThings: ({ t }: { t: EntitiesTerm }) =>
    hasFeature(t, 'values') ? { ...t, features: [...t.features, 'distinct'] } : t,
  thingsCalled: ({ t, v }: { t: EntitiesTerm; v: ValueTerm }, takes) => {
    const called = takes['worded'] ? 'by name' : 'perhaps by name';
    const value = filterOptions(v, ({ dataset, field }) =>
      t.options.some((option) => option.dataset === dataset && (!option.by || option.by.fields.includes(field))),
    );
    return t.predicates.length === 0 && value
      ? restrictEntities(t, [createPredicate({ is: 'value', value, word: '', called }, ['value'])])
      : null;
  },
  eitherValue: ({ a, b }: Record<'a' | 'b', ValueTerm>) => joinValues([a, b]),
  valueOf: ({ v, f }: { v: ValueTerm; f: FieldTerm }) => {
    if (v.field || hasFeature(f, 'date') || hasFeature(v, 'defined')) return null;
    if (v.any.every(({ options }) => options.length === 0)) return createValue(v.text, v.any, f);
    return filterOptions(
      v,
      (option) => f.options.some(({ dataset, fields }) => dataset === option.dataset && fields.includes(option.field)),
      f,
    );
  },
} satisfies Record<string, TermOperator>;
