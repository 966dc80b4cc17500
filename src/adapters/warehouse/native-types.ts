import type { Datatype } from '../../contract/warehouse.ts';

/** Maps an engine's names of types to datatypes. `names`: for each datatype, the engine's names, separated by spaces. */
export const mapDatatypes = (names: Partial<Record<Datatype, string>>): Readonly<Record<string, Datatype>> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([datatype, list]) => list.split(' ').map((name) => [name, datatype as Datatype])),
  );
