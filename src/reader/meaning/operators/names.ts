import { type Cond, type Field, type Things, type Value, value, type Word } from '../terms.ts';

import { as, flagged, has, hasThings, listOf, not, type Operate, ofValue, type Slots, withConds } from './building.ts';

export const NAMES: Readonly<Record<string, Operate>> = {
  thingsOfValue: ({ v, t }) => (t && !as<Value>(v).both ? withConds(as(t), [ofValue(as(v), null)]) : null),
  thingsFlagged: ({ f, t }) => withConds(as(t), [flagged(as(f))]),
  thingsEverDone: ({ t, l, c }, takes, named) => {
    const done = named.done(as<Word>(l).value);
    const own = named.happened(as<Word>(l).value);
    // If the things have their own date of that event, the word means this date.
    if (
      !takes['no'] &&
      own?.options.some((date) => as<Things>(t).options.some(({ dataset }) => dataset === date.dataset))
    )
      return null;
    const events = done && c ? withConds(done, [as(c)]) : done;
    const made = events && hasThings(events, takes['no'] ? null : as<Word>(l).value, null);
    return made && withConds(as(t), [takes['no'] ? not(made) : made]);
  },
  thingsOfState: ({ t, v }) => withConds(as(t), [ofValue(as(v), null)]),
  thingsThatDid: ({ t, u, v, l }) => {
    const verb = as<Word>(l).value;
    const made = u ? hasThings(as(u), verb, null) : has(v!, 'quoted') ? null : ofValue(as(v), verb);
    return made && withConds(as(t), [made]);
  },
  thingsThat: ({ t, c }) => withConds(as(t), [as(c)]),
  sameThings: ({ t }) => t!,
  distinctThings: ({ t }) => (has(t!, 'values') ? { ...as<Things>(t), features: [...t!.features, 'distinct'] } : t!),
  thingsCalled: ({ t, v }) => {
    const [of, named] = [as<Things>(t), as<Value>(v)];
    const any = named.any.map((each) => ({
      ...each,
      options: each.options.filter(({ dataset, field: at }) =>
        of.options.some((option) => option.dataset === dataset && (!option.by || option.by.fields.includes(at))),
      ),
    }));
    if (of.conds.length > 0 || any.some(({ options }) => options.length === 0)) return null;
    return withConds(of, [{ ...ofValue(value(named.text, any), ''), called: true } as Cond]);
  },
  eitherValue: ({ a, b }) => listOf([as(a), as(b)], false),
  bothValues: ({ a, b }) => listOf([as(a), as(b)], true),
  valueOf: ({ v, f }: Slots): Value | null => {
    const [named, of] = [as<Value>(v), as<Field>(f)];
    if (named.field || has(of, 'date') || has(named, 'defined')) return null;
    const any = named.any.map((each) => ({
      ...each,
      options: each.options.filter((option) =>
        of.options.some(({ dataset, fields }) => dataset === option.dataset && fields.includes(option.field)),
      ),
    }));
    const quoted = named.any.every(({ options }) => options.length === 0);
    if (!quoted && any.some(({ options }) => options.length === 0)) return null;
    return value(named.text, any, { field: of, both: named.both });
  },
};
