// "Founded before 1945 and after 1955": no number is both, so that two things are meant, of which single rows say nothing.
import type { Filter } from '../../lens/model/intent.ts';
import type { Cursor } from '../grammar/cursor.ts';
import { refuse } from '../grammar/resolve.ts';

export const refuseEmptyRange = (c: Cursor, filters: Filter[]): void => {
  for (const filter of filters) if (filter.kind === 'exists') refuseEmptyRange(c, filter.where);
  const bounds = filters.flatMap((filter) =>
    filter.kind === 'condition' && /^[<>]=?$/.test(filter.op) && filter.values.length === 1 && !filter.than
      ? [{ key: JSON.stringify(filter.field), up: filter.op.startsWith('<'), value: filter.values[0]! }]
      : [],
  );
  const empty = bounds.some((top) =>
    bounds.some((low) => top.up && !low.up && low.value >= top.value && low.key === top.key),
  );
  if (empty)
    refuse(
      [...c.draft.conditions, ...c.draft.times].map(({ text }) => text),
      'No row can meet these conditions together. Say "or" between them, or ask for each by itself.',
    );
};
