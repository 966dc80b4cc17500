// A word where a value must stand, that no dictionary holds: "the Nort region", "Billy Cobam". Offered back, never applied.

import { distance } from 'fastest-levenshtein';
import { isFiller } from '../words/filler-words.ts';
import { SUPERLATIVES, UNANSWERABLE, verbSenses } from '../words/lexicon.ts';
import { fold } from '../words/tokens.ts';
import type { Cursor } from './cursor.ts';
import type { ConditionDraft, ConditionOption } from './draft.ts';
import { pushCondition } from './push-condition.ts';
import { attempt, peekField } from './read-things.ts';

const plainWord = (c: Cursor, offset: number): boolean => {
  const token = c.token(offset);
  if (token?.kind !== 'word') return false;
  const { norm } = token;
  return (
    !isFiller(norm) &&
    !verbSenses(norm) &&
    !UNANSWERABLE.has(norm) &&
    !SUPERLATIVES.has(norm) &&
    !c.phrase(offset) &&
    c.values(offset).length === 0 &&
    !/^(?:and|or|not|no|same|other|another|such|similar|this|that|these|those|my|his|her|their|its|any|all|some|each|every|whole|entire|different|main|per|than|how|many|much|only|just|both|either|neither|first|last|next|of|for|from|in|to|at|on|with|by|who|what|which|when|where|if|as)$/.test(
      norm,
    )
  );
};

export const readUnknownValue = (c: Cursor): ConditionDraft | null =>
  attempt(c, () => {
    const from = c.at;
    if (!plainWord(c, 0)) return null;
    let length = 1;
    while (length < 4 && plainWord(c, length)) length++;
    const before = c.norm(-1) === 'the' ? c.norm(-2) : c.norm(-1);
    const noun = peekField(c, length);
    const text = c.rawText(c.at, length);
    const columns = (noun?.candidates ?? []).filter(
      (one) => one.loose < 2 && one.fields.length === 1 && one.fields[0]!.datatype === 'string',
    );
    if (noun && columns.length > 0 && /^(?:in|from|of|for|at|within|across)$/.test(before)) {
      c.accept(length, 'value');
      c.accept(noun.length, 'field');
      return pushCondition(
        c,
        from,
        columns.map(
          (one): ConditionOption => ({
            dataset: one.dataset,
            role: one.role,
            field: one.fields[0]!,
            values: [text],
            known: false,
            loose: one.loose,
          }),
        ),
        '=',
        { named: true },
      );
    }
    if (!c.token()!.capital || c.at === 0) return null;
    const near = nearColumns(c, text);
    if (near.length === 0) return null;
    c.accept(length, 'value');
    return pushCondition(c, from, near, '=', { named: true });
  });

/** Columns that hold a value spelled nearly so. */
const nearColumns = (c: Cursor, text: string): ConditionOption[] => {
  const folded = fold(text);
  const most = folded.length < 4 ? 1 : folded.length < 9 ? 2 : 3;
  const found = new Map<string, ConditionOption>();
  let nearest = most;
  for (const entries of c.vocabulary.values.values()) {
    for (const { folded: other, dataset, field } of entries) {
      if (Math.abs(other.length - folded.length) > nearest) continue;
      const far = distance(other, folded);
      if (far > nearest) continue;
      if (far < nearest) found.clear();
      nearest = far;
      if (!found.has(`${dataset}.${field.name}`))
        found.set(`${dataset}.${field.name}`, { dataset, field, values: [text], known: false, loose: 0 });
    }
  }
  return [...found.values()];
};
