// A yes-or-no column that is called as those who have it: "how many members", "the names of the understudies". They are the
// rows where it holds; how many different values it has is never asked.
import type { LensField } from '../../lens/model/lens.ts';
import type { Cursor } from './cursor.ts';
import { pushCondition } from './push-condition.ts';
import { peekEntity, peekField } from './read-things.ts';
import { bind, possessive, type Rule, show } from './rule.ts';

interface FlagNoun {
  dataset: string;
  field: LensField;
  length: number;
}
const NON = /^(?:non|not|no|former|ex|new|per|by|and|or|versus|vs)$/;

/** In the plural, of one column, and not beside those who do not have it. */
const flagNoun = (c: Cursor): FlagNoun | null => {
  const found = peekField(c);
  const [only, more] = found?.candidates ?? [];
  const [field] = only?.fields ?? [];
  if (!found || !only || more || !field || field.datatype !== 'boolean' || field.masked || only.role) return null;
  const last = c.token(found.length - 1)!;
  if (last.norm === last.stem || peekEntity(c) || NON.test(c.norm(-1)) || c.norm(-1) === '-') return null;
  if (c.match(/(?:and|or|versus|vs|,) (?:non|not|no|other)/, found.length) > 0 || c.phrase(found.length)) return null;
  return { dataset: only.dataset, field, length: found.length };
};

/** Reads them as a condition on their rows; null where none stand here. */
export const readFlagNoun = (c: Cursor): { dataset: string; at: number; text: string } | null => {
  const noun = flagNoun(c);
  if (!noun || c.clause.negated) return null;
  const { dataset, field, length } = noun;
  const { at } = c;
  const text = c.accept(length, 'value', `${dataset}.${field.name}`);
  pushCondition(c, at, [{ dataset, field, values: [true], known: true, loose: 0 }], '=', { named: true });
  return { at, text, dataset };
};

export const flagged: Rule = (c, state) => {
  if (!/^(?:of|the|all|list|show|which|what|who|are|our|for|from|display|find)$/.test(c.norm(-1))) return false;
  const noun = readFlagNoun(c);
  if (!noun) return false;
  const entity = { ...noun, clause: c.clause };
  c.draft.entities.push(entity);
  if (state.open.length > 0) bind(c, state, noun.dataset);
  else if (state.head && c.draft.shown.length === 0) show(c, state, { entity });
  state.head = false;
  possessive(c, state, noun.dataset);
  return true;
};
