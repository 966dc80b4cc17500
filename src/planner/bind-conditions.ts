// A placed condition as conditions on paths, its values checked against the dictionary.
import type { Condition, Filter, Scalar } from '../lens/intent.ts';
import type { LensField } from '../lens/lens.ts';
import type { Cursor } from './cursor.ts';
import { type Placed, roleBefore } from './place-conditions.ts';
import { refTo, refuse } from './resolve.ts';
import { unknownValue } from './unknown-value.ts';

export interface Built {
  filters: Filter[];
  unproven: { path: string; field: string; value: string }[];
  notes: string[];
  values: { name: string; text: string | null }[];
  /** Datasets that semijoins run over. */
  related: string[];
}

/** The placed condition as filters of `home`. */
export const conditionsOf = (
  c: Cursor,
  { draft, option }: Placed,
  home: string,
  built: Built,
  negate: boolean,
): Condition[] => {
  const mention = { text: draft.text, at: draft.at, bound: draft.bound, boundRole: draft.boundRole };
  mention.boundRole ??= roleBefore(c, draft.at, home, option.dataset);
  const ref = refTo(c, mention, home, option);
  const check = (field: LensField, values: Scalar[], known: boolean): void => {
    if (draft.op !== '=' && draft.op !== 'in') return;
    if (field.datatype !== 'string') return;
    for (const value of values) {
      const stored = field.dictionary?.values.some((one) => one.value === value);
      if (stored) continue;
      if (field.dictionary?.complete) {
        const said = c.choices[`${option.dataset}.${field.name}`];
        if (said && field.dictionary.values.some((one) => one.value === said)) values[values.indexOf(value)] = said;
        else unknownValue(option.dataset, field, String(value));
      } else built.unproven.push({ path: ref.path, field: field.name, value: String(value) });
      void known;
    }
  };
  const values = [...option.values];
  check(option.field, values, option.known);
  if (option.synonym) built.notes.push(`"${option.synonym}" was read as ${option.values.join(', ')} by synonym.`);
  built.values.push({ name: `${ref.path}.${ref.field}`, text: values.map(String).join(', ') });
  let { op } = draft;
  if (negate) {
    const opposite = NEGATED[op];
    if (!opposite || option.and) return refuse(draft.text);
    op = opposite;
  }
  const first: Condition = { kind: 'condition', field: ref, op, values };
  // "not in the West" leaves out the West alone: a row without a region stays.
  if (op === '!=' || op === 'not_in') first.orNull = true;
  if (op === 'contains' || op === 'starts_with' || op === 'ends_with') {
    first.caseInsensitive = draft.anyCase === true;
    built.notes.push(
      first.caseInsensitive
        ? `Case is ignored in "${values[0]}".`
        : `Case matters: "${values[0]}" is looked for as written.`,
    );
  }
  if (draft.than) first.than = { kind: 'aggregate', fn: 'avg', path: option.dataset, field: option.field.name };
  const more = (option.and ?? []).map((part): Condition => {
    const own = [...part.values];
    check(part.field, own, part.known);
    return {
      kind: 'condition',
      field: { path: ref.path, field: part.field.name },
      op: own.length > 1 ? 'in' : '=',
      values: own,
    };
  });
  return [first, ...more];
};
export const NEGATED: Partial<Record<Condition['op'], Condition['op']>> = {
  '=': '!=',
  '!=': '=',
  in: 'not_in',
  '>': '<=',
  '>=': '<',
  '<': '>=',
  '<=': '>',
  is_null: 'is_not_null',
  is_not_null: 'is_null',
};
