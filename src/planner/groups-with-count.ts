// "grades that have at least 4 students", where a grade is a field of students: groups of them, with a condition on how
// many there are in each. Of a name or a key there is one each, so that such a question means something else.
import type { Cursor } from './cursor.ts';
import type { FieldSlot, Shown } from './draft.ts';

export const groupsWithCount = (c: Cursor, shown: Shown[]): void => {
  const slots = shown.flatMap(({ slot }) => (slot ? [slot] : []));
  if (slots.length === 0 || slots.length !== shown.length || c.draft.ranks.length > 0) return;
  for (const clause of c.draft.clauses) {
    const { relation } = clause;
    if (!relation?.count || relation.role || clause.negated) continue;
    if (!slots.every((slot) => isGroupOf(c, slot, relation.dataset))) continue;
    for (const slot of slots) slot.bound = relation.dataset;
    const { op, value } = relation.count;
    clause.relation = undefined;
    c.draft.havings.push({
      measure: { at: relation.at, text: relation.text, kind: 'count', dataset: relation.dataset },
      op,
      values: [value],
      negated: false,
    });
  }
};

const isGroupOf = (c: Cursor, slot: FieldSlot, dataset: string): boolean => {
  const { primaryKey } = c.vocabulary.dataset(dataset);
  const naming = [...primaryKey, ...c.vocabulary.display(dataset).map(({ name }) => name)];
  const own = slot.candidates.filter((one) => one.dataset === dataset && one.fields.length === 1);
  const named = c.draft.entities.some((entity) => slot.candidates.some((one) => one.dataset === entity.dataset));
  return own.length === 1 && !(named && slot.bound !== dataset) && !naming.includes(own[0]!.fields[0]!.name);
};
