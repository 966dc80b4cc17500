// "the average amount for different investors": a number for each of them.
import type { Cursor } from './cursor.ts';
import type { MeasureDraft } from './draft.ts';
import { attempt, peekEntity, peekField, readEntity, readField } from './read-things.ts';
import type { Rule } from './rule.ts';

const DIFFERENT = /(?:for|across|of|in|at|among|within)(?: (?:all|the|each of the))* (?:different|distinct|various)/;

export const eachDifferent: Rule = (c, state) => {
  const length = c.match(DIFFERENT);
  const last = c.draft.shown.at(-1);
  // "the maximum and minimum age of …" is written down as the field.
  const measure =
    last?.measure ?? (c.draft.extremes && last?.slot ? { kind: 'aggregate', slot: last.slot } : undefined);
  if (length > 0 && !measure && /^(?:for|across)$/.test(c.norm())) otherThing(c, length);
  if (length === 0 || !measure || c.draft.groups.length > 0) return false;
  const field = peekField(c, length);
  const entity = peekEntity(c, length);
  if (c.norm() === 'of' && (measure.kind === 'count' || measured(measure).some((one) => one === entity?.dataset)))
    return false;
  if (!field && !entity) return false;
  return (
    attempt(c, () => {
      c.accept(length, 'each');
      if (field && (!entity || field.length > entity.length))
        c.draft.groups.push({ ...readField(c, 'group')!, quantified: true });
      else c.draft.groups.push(Object.assign(readEntity(c, 'group')!, { each: true }));
      state.open = [];
      state.head = false;
      return true;
    }) ?? false
  );
};

/** "the numbers of wines for different grapes": a listing of wines would say nothing of the grapes. */
const otherThing = (c: Cursor, length: number): void => {
  const listed = c.draft.entities.at(-1)?.dataset;
  const thing = peekEntity(c, length);
  if (listed && thing && thing.dataset !== listed) c.draft.faults.push(c.textOf(c.at, length + thing.length));
};

/** "the total price of different products" adds up the products. */
const measured = ({ slot, dataset }: Pick<MeasureDraft, 'slot' | 'dataset'>): string[] => {
  return slot ? slot.candidates.map((one) => one.dataset) : dataset ? [dataset] : [];
};
