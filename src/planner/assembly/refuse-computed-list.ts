// "Compute the labour hours of the gearbox": one number is wanted, and a list of hours is none.
import type { Cursor } from '../grammar/cursor.ts';
import type { Shown } from '../grammar/draft.ts';
import { isKey } from '../grammar/read-things.ts';
import { refuse } from '../grammar/resolve.ts';
import { isNumeric } from '../words/datatypes.ts';

export const refuseComputedList = (c: Cursor, shown: Shown[]): void => {
  if (!/^(?:compute|calculate)$/.test(c.tokens[0]?.norm ?? '')) return;
  const amounts = shown.flatMap(({ slot }) =>
    slot?.candidates.every(
      ({ dataset, fields }) => fields.length === 1 && isNumeric(fields[0]!.datatype) && !isKey(c, dataset, fields[0]!),
    )
      ? [slot.text]
      : [],
  );
  if (amounts.length > 0 && amounts.length === shown.length)
    refuse(amounts, `Say whether the total or the average of ${amounts.join(' and ')} is meant.`);
};
