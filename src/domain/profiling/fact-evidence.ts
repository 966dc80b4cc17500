// Checks whether the data still supports a join or a key: orphaned values, and repeated values of a key.
import { type Lens, type LensRelationship, OWNER } from '../../lens/model/lens.ts';
import { tableName } from '../../lens/model/sql-name.ts';
import { governedRelations } from '../../lens/policies/governed-relations.ts';
import { inclusion, type JoinSide, type Reading, uniqueness } from './weigh-join.ts';

const TIMEOUT_MS = 20_000; // for one statement

export const readingFor = (warehouse: Reading['warehouse'], signal: AbortSignal): Reading => ({
  ...{ warehouse, mode: 'verify', timeoutMs: TIMEOUT_MS, signal },
});

/** The number of checked values, and how many exist on the other side. Null if they couldn't be read in time. */
export async function joinedValues(lens: Lens, { from, to }: LensRelationship, reading: Reading) {
  const [many, one] = [await sideOf(lens, from.dataset, from.columns), await sideOf(lens, to.dataset, to.columns)];
  const found = await inclusion(reading, many, one);
  return found && { checked: found[0], held: found[1] };
}

/** The number of rows with a repeated value. Null if they couldn't be read in time. */
export async function repeatedRows(
  lens: Lens,
  dataset: string,
  columns: readonly string[],
  reading: Reading,
): Promise<number | null> {
  const found = await uniqueness(reading, await sideOf(lens, dataset, columns));
  return found && found.filled - found.kinds;
}

async function sideOf(lens: Lens, name: string, columns: readonly string[]): Promise<JoinSide> {
  const { source } = lens.datasets.find((dataset) => dataset.name === name)!;
  const relations = await governedRelations(lens, OWNER);
  return {
    from: tableName(lens.dialect, source),
    relation: relations.find((relation) => relation.dataset === name)!,
    columns,
  };
}
