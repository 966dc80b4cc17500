import type { Datatype } from '../../contract/warehouse.ts';

/** `names` lists the engine's type names for each datatype, separated by spaces. */
export const createDatatypeMap = (names: Partial<Record<Datatype, string>>): Readonly<Record<string, Datatype>> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([datatype, list]) => list.split(' ').map((name) => [name, datatype as Datatype])),
  );
