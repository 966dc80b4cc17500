// "grades that have at least 4 students", where a grade is a field of students: groups of them, with a condition on how
// many there are in each. Of a name or a key there is one each, so that such a question means something else.
import type { Cursor } from '../grammar/cursor.ts';
import type { FieldSlot, Shown } from '../grammar/draft.ts';

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

/** "albums with a number of tracks above 10": as "with more than 10 tracks". */
export const thingsWithCount = (c: Cursor, shown: Shown[]): void => {
  const { draft } = c;
  const [only, more] = draft.havings;
  if (!only || more || only.negated || (only.op !== '>' && only.op !== '>=')) return;
  const { kind, dataset, at, text } = only.measure;
  if (kind !== 'count' || !dataset || draft.groups.length + draft.ranks.length > 0) return;
  if (draft.conditions.length + draft.times.length + draft.definitions.length > 0) return;
  const things = new Set(shown.map(({ slot, entity }) => entity?.dataset ?? slot?.bound));
  const [listed] = things;
  if (things.size !== 1 || !listed || listed === dataset || c.vocabulary.graph.paths(dataset, listed).length !== 1)
    return;
  draft.havings = [];
  const clause = c.newClause(false);
  clause.relation = { dataset, at, text, count: { op: only.op, value: only.values[0]! } };
};

export const isGroupOf = (c: Cursor, slot: FieldSlot, dataset: string): boolean => {
  const { primaryKey } = c.vocabulary.dataset(dataset);
  const naming = [...primaryKey, ...c.vocabulary.display(dataset).map(({ name }) => name)];
  const own = slot.candidates.filter((one) => one.dataset === dataset && one.fields.length === 1);
  const named = c.draft.entities.some((entity) => slot.candidates.some((one) => one.dataset === entity.dataset));
  return own.length === 1 && !(named && slot.bound !== dataset) && !naming.includes(own[0]!.fields[0]!.name);
};
