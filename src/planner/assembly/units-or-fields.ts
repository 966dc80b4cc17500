// "by month", where something in the lens has a field called month: that field, where the rows measured lead to it.
import type { Cursor } from '../grammar/cursor.ts';
import { isSlot } from '../grammar/draft.ts';

export const unitsOrFields = (c: Cursor, home: string): void => {
  const { graph } = c.vocabulary;
  c.draft.groups = c.draft.groups.map((group) => {
    if (!('candidates' in group) || !isSlot(group) || !group.unit || group.grain) return group;
    const led = group.candidates.filter(({ dataset }) => graph.paths(home, dataset).length > 0);
    if (led.length === 0) return { grain: group.unit, at: group.at, text: group.text, per: group.per };
    return { ...group, candidates: led };
  });
};
