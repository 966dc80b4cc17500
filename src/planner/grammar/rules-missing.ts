// Fields without a value: "rides without a rating", "patients who have no insurer", "customers with an email".
import type { LensField } from '../../lens/model/lens.ts';
import { isNumeric } from '../words/datatypes.ts';
import { words } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import { onlyDates } from './date-condition.ts';
import { pushCondition } from './push-condition.ts';
import { asOptions } from './read-comparison.ts';
import { attempt, peekEntity, peekField } from './read-things.ts';
import { refuse } from './resolve.ts';
import type { Rule } from './rule.ts';
import { Unreadable } from './unreadable.ts';

const WITHOUT =
  /(?:(?:, )?(?:and |but )?(?:who |that |which )?(?:(?:do|does|did) not have|(?:don't|doesn't|didn't) have|(?:have|has|had|having) no|lacks?|lacked|lacking|without|with no|missing))(?: (?:a|an|any|the|their|its|known|recorded|given))*/;
const WITH =
  /(?:(?:and |but )?(?:who |that |which )?(?:have|has|had|having|with) (?:a|an|any))(?: (?:known|recorded|given))?/;
const BEHIND = /(?:\.|\?|!|,|and|but|in|from|on|at|by|per|during|since|before|after|each|for|yet|at all)/;
/** Zero of these is no absence. */
const NEVER_NONE =
  /^(?:rating|score|grade|age|rank|year|weight|height|mark|temperature|latitude|longitude|code|id|number)s?$/;
const NONE_LIKE = /^(?:|-|none|no|n\/?a|null|nil|unknown|missing|not (?:known|given|set|applicable)|unspecified)$/i;

export const missing: Rule = (c, state) =>
  attempt(c, () => {
    const without = c.match(WITHOUT);
    const length = without || c.match(WITH);
    if (length === 0 || c.draft.shown.length + c.draft.entities.length === 0) return null;
    const found = peekField(c, length);
    if (!found || (peekEntity(c, length)?.length ?? 0) >= found.length) return null;
    const next = length + found.length;
    const timed = c.time(next) ?? c.time(next + c.match(/(?:of|on)/, next));
    if (timed && without === 0 && onlyDates(found.candidates)) return null;
    if (c.token(next) && !c.match(BEHIND, next) && !c.time(next)) return null;
    // "without headquarters in Paris" are those that have them elsewhere.
    const place = c.match(/(?:in|at|from|of)(?: the)?/, next);
    const held = place > 0 ? (c.values(next + place)[0]?.entries ?? []) : [];
    if (held.some(({ field }) => found.candidates.some(({ fields }) => fields[0] === field))) return null;
    const candidates = found.candidates.filter(
      (one) =>
        one.fields.length === 1 && one.loose < 2 && !one.fields[0]!.masked && one.fields[0]!.datatype !== 'boolean',
    );
    if (candidates.length === 0) return null;
    const from = c.at;
    const text = c.textOf(c.at + (without > 0 ? 0 : length), (without > 0 ? length : 0) + found.length).toLowerCase();
    c.accept(length, without > 0 ? 'missing' : 'given');
    c.accept(found.length, 'field');
    c.take(/(?:yet|at all)/, 'missing');
    c.newClause(false);
    state.head = false;
    const zero = candidates.some((one) => countsNothing(c, one.fields[0]!, text, without > 0));
    const options = asOptions(candidates, zero ? [0] : []);
    const op = zero ? (without > 0 ? '=' : '>') : without > 0 ? 'is_null' : 'is_not_null';
    pushCondition(c, from, options, op, { named: true, ...(op === 'is_null' ? { lacks: true } : {}) });
    return true;
  }) ?? false;

/** "no discount" may be a discount of 0 or none given; the asker says which. */
const countsNothing = (c: Cursor, field: LensField, text: string, without: boolean): boolean => {
  if (field.dictionary?.values.some(({ value }) => NONE_LIKE.test(value.trim())))
    return refuse(text, `Say which value of "${field.name}" is meant: some of its values mean none.`);
  if (!isNumeric(field.datatype) || words(field.name).some((word) => NEVER_NONE.test(word))) return false;
  const said = c.choices[text];
  if (said === 'zero' || said === 'above_zero') return true;
  if (said === 'missing' || said === 'given') return false;
  throw new Unreadable(
    {
      kind: 'ambiguous_term',
      term: text,
      message: `Does "${text}" mean that ${field.name} is ${without ? 'missing or that it is 0' : 'given or that it is above 0'}? Say which.`,
      options: without
        ? [
            { key: 'missing', label: `${field.name} is missing`, meaning: null },
            { key: 'zero', label: `${field.name} is 0`, meaning: null },
          ]
        : [
            { key: 'given', label: `${field.name} is given`, meaning: null },
            { key: 'above_zero', label: `${field.name} is above 0`, meaning: null },
          ],
    },
    [text],
  );
};
