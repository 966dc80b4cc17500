// A placed condition as conditions on paths, its values checked against the dictionary.
import type { Condition, Filter, Scalar } from '../../lens/model/intent.ts';
import type { LensField } from '../../lens/model/lens.ts';
import type { Cursor } from '../grammar/cursor.ts';
import { type Placed, roleBefore } from '../grammar/place-conditions.ts';
import { refTo, refuse } from '../grammar/resolve.ts';
import { foldValue } from '../words/tokens.ts';
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
  const unproven: Omit<Built['unproven'][number], 'path'>[] = [];
  const check = (field: LensField, values: Scalar[], known: boolean): void => {
    if (draft.op !== '=' && draft.op !== 'in') return;
    if (field.datatype !== 'string') return;
    for (const value of values) {
      const stored = field.dictionary?.values.some((one) => one.value === value);
      if (stored) continue;
      if (field.dictionary?.complete) {
        const said = c.choices[`${option.dataset}.${field.name}`];
        if (said && field.dictionary.values.some((one) => one.value === said)) values[values.indexOf(value)] = said;
        // Chosen again as it was asked: its absence is the answer.
        else if (said && foldValue(said) === foldValue(String(value)))
          unproven.push({ field: field.name, value: String(value) });
        else unknownValue(option.dataset, field, String(value));
      } else unproven.push({ field: field.name, value: String(value) });
      void known;
    }
  };
  const values = [...option.values];
  // A value that is not there is asked back before the role it would be looked for in.
  check(option.field, values, option.known);
  const ref = refTo(c, mention, home, option);
  if (option.synonym) built.notes.push(`"${option.synonym}" was read as ${option.values.join(', ')} by synonym.`);
  built.values.push({ name: `${ref.path}.${ref.field}`, text: values.map(String).join(', ') });
  let { op } = draft;
  if (negate) {
    const opposite = NEGATED[op];
    if (!opposite || option.and) return refuse(draft.text);
    op = opposite;
  }
  const first: Condition = { kind: 'condition', field: ref, op, values };
  // "not in the West" leaves out the West alone: a row without a region stays. What a policy hides is not missing.
  const hidden = ref.path !== home && hidesRows(c, option.dataset);
  if ((op === '!=' || op === 'not_in') && !hidden) first.orNull = true;
  if (op === 'is_null' && hidden) return refuse(draft.text);
  if (op === 'contains' || op === 'starts_with' || op === 'ends_with')
    built.notes.push(`Case is ignored in "${values[0]}".`);
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
  built.unproven.push(...unproven.map((one) => ({ path: ref.path, ...one })));
  return [first, ...more];
};
/** A row policy may keep rows of it from some callers: then a row that leads to none may lead to a hidden one. */
export const hidesRows = (c: Cursor, dataset: string): boolean =>
  c.vocabulary.lens.rowPolicies.some((policy) => policy.dataset === dataset);

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
