import { createValue, type Entities, type Field, type Predicate, type Value, type Word } from '../terms.ts';

import {
  cast,
  createFlagPredicate,
  createRelatedPredicate,
  createValuePredicate,
  hasFeature,
  joinValues,
  negate,
  type Operation,
  type Slots,
  withPredicates,
} from './building.ts';

const findAdjacentField = (field: Field): Field => ({ ...field, features: [...field.features, 'adjacent'] });

export const NAME_OPERATORS: Readonly<Record<string, Operation>> = {
  thingsOfValue: ({ v, t }) => withPredicates(cast(t), [createValuePredicate(cast(v), null)]),
  thingsFlagged: ({ f, t }) => withPredicates(cast(t), [createFlagPredicate(findAdjacentField(cast(f)))]),
  neverDone: ({ t, l, c }, _, nameLookup) => {
    const entityTerm = nameLookup.entitiesOfVerb(cast<Word>(l).value);
    const events = entityTerm && c ? withPredicates(entityTerm, [cast(c)]) : entityTerm;
    const related = events && createRelatedPredicate(events, null, null);
    return related && withPredicates(cast(t), [negate(related)]);
  },
  thingsThatDid: ({ t, u, v, l }) => {
    const verb = cast<Word>(l).value;
    const predicate = u
      ? createRelatedPredicate(cast(u), verb, null)
      : hasFeature(v!, 'quoted')
        ? null
        : createValuePredicate(cast(v), verb);
    return predicate && withPredicates(cast(t), [predicate]);
  },
  thingsThat: ({ t, c }) => withPredicates(cast(t), [cast(c)]),
  sameThings: ({ t }) => t!,
  distinctThings: ({ t }) =>
    hasFeature(t!, 'values') ? { ...cast<Entities>(t), features: [...t!.features, 'distinct'] } : t!,
  thingsCalled: ({ t, v }) => {
    const [entityTerm, valueTerm] = [cast<Entities>(t), cast<Value>(v)];
    const any = valueTerm.any.map((option) => ({
      ...option,
      options: option.options.filter(({ dataset, field: valueField }) =>
        entityTerm.options.some(
          (option) => option.dataset === dataset && (!option.by || option.by.fields.includes(valueField)),
        ),
      ),
    }));
    if (entityTerm.predicates.length > 0 || any.some(({ options }) => options.length === 0)) return null;
    return withPredicates(entityTerm, [
      { ...createValuePredicate(createValue(valueTerm.text, any), ''), called: true } as Predicate,
    ]);
  },
  eitherValue: ({ a, b }) => joinValues([cast(a), cast(b)]),
  valueOf: ({ v, f }: Slots): Value | null => {
    const [valueTerm, fieldTerm] = [cast<Value>(v), cast<Field>(f)];
    if (valueTerm.field || hasFeature(fieldTerm, 'date') || hasFeature(valueTerm, 'defined')) return null;
    const any = valueTerm.any.map((option) => ({
      ...option,
      options: option.options.filter((option) =>
        fieldTerm.options.some(({ dataset, fields }) => dataset === option.dataset && fields.includes(option.field)),
      ),
    }));
    const isQuoted = valueTerm.any.every(({ options }) => options.length === 0);
    if (!isQuoted && any.some(({ options }) => options.length === 0)) return null;
    return createValue(valueTerm.text, any, { field: fieldTerm });
  },
};
