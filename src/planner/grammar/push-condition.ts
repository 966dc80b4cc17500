// Writes a condition down, and the further values that stand behind a first one.
import type { Operator } from '../../lens/model/intent.ts';
import { isNumeric } from '../words/datatypes.ts';
import type { Cursor } from './cursor.ts';
import type { ConditionDraft, ConditionOption, FieldCandidate } from './draft.ts';
import { peekEntity } from './read-things.ts';
import { optionsFor } from './read-values.ts';

export const plain = ({ length: _length, ...option }: ConditionOption & { length: number }): ConditionOption => option;

export const pushCondition = (
  c: Cursor,
  from: number,
  options: ConditionOption[],
  op: Operator,
  extra: Partial<ConditionDraft> = {},
): ConditionDraft => {
  const made: ConditionDraft = {
    at: from,
    end: c.at,
    text: c.textOf(from, c.at - from),
    options,
    op,
    negated: false,
    clause: c.clause,
    or: false,
    named: false,
    ...extra,
  };
  c.draft.conditions.push(made);
  return made;
};

/** "V1, V2 or V3" behind a first value: further values of the same fields. */
export const moreValues = (c: Cursor, options: ConditionOption[]): ConditionOption[] => {
  let all = options;
  let pair = false;
  for (let said = ''; ; ) {
    const joined =
      c.match(/(?:, (?:and|or)|,|and|or|vs|versus|compared to|compared with)(?: (?:in|from|the|either))?/) ||
      (c.clause.negated ? c.match(/nor(?: (?:in|from|to|of|at|for|the|a|an))*/) : 0);
    // "an A or a C"
    const joiner = joined + (joined > 0 && /^an?$/.test(c.token(joined)?.text ?? '') ? 1 : 0);
    // "in Springfield, Ohio": a comma may lead to the place around it.
    const done = (): ConditionOption[] => {
      if (pair && said === ',') c.draft.faults.push(all[0]?.values.join(', ') ?? said);
      return all;
    };
    if (joiner === 0) return done();
    const candidates = all
      .filter((option) => !option.and)
      .map(
        (option): FieldCandidate => ({
          dataset: option.dataset,
          role: option.role,
          fields: [option.field],
          loose: option.loose,
        }),
      );
    // A named run is only taken on when a dictionary knows it: a comma may begin something else.
    const next = optionsFor(c, candidates, joiner, c.token(joiner)?.kind === 'quoted').filter(
      (option) => option.known || c.token(joiner)?.kind === 'quoted',
    );
    const number = all.every((option) => isNumeric(option.field.datatype));
    if (next.length === 0 || (number && c.token(joiner + 1)?.kind === 'word' && peekEntity(c, joiner + 1)))
      return done();
    if (/\b(?:vs|versus|compared)\b/.test(c.textOf(c.at, joiner).toLowerCase())) c.draft.compared = true;
    pair ||= c.textOf(c.at, joiner) === ',' && alsoElsewhere(c, joiner, all);
    said = c.accept(joiner, 'conjunction');
    c.accept(next[0]!.length, 'value');
    all = all.flatMap((option) => {
      const added = next.find(
        (one) => one.dataset === option.dataset && one.field === option.field && one.role === option.role,
      );
      return added
        ? [{ ...option, values: [...option.values, ...added.values], known: option.known && added.known }]
        : [];
    });
  }
};

/** The value at an offset is stored in another column of the same rows too. */
const alsoElsewhere = (c: Cursor, offset: number, options: ConditionOption[]): boolean =>
  (c.values(offset)[0]?.entries ?? []).some(({ dataset, field }) =>
    options.some((option) => option.dataset === dataset && option.field !== field),
  );
