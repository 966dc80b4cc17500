// "in LA with more than 15,000 or in AZ with less than 13,000": what stands beside the "or" may belong to one side of it.
// Where a condition outside tests a column of one side, and the sides test different columns, which belong together is open.
import type { Condition, Filter } from '../../lens/model/intent.ts';
import type { Placed } from '../grammar/place-conditions.ts';
import { refuse } from '../grammar/resolve.ts';

const column = ({ field }: Condition): string => `${field.path}.${field.field}`;

export const refuseMixedArms = (filters: Filter[], placed: Placed[]): void => {
  const outside = new Set(filters.flatMap((one) => (one.kind === 'condition' ? [column(one)] : [])));
  for (const filter of filters) {
    if (filter.kind !== 'any') continue;
    const columns = filter.of.flatMap((one) => (one.kind === 'condition' ? [column(one)] : []));
    if (new Set(columns).size > 1 && columns.some((one) => outside.has(one)))
      refuse(
        placed.flatMap(({ draft }) => (draft.or ? [draft.text] : [])),
        'Say which conditions belong together on each side of "or", or ask for the two sides one by one.',
      );
  }
};
