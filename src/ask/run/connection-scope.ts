// Creates the scope of admin SQL, which runs on a connection without a lens. The scope has all tables of the
// connection's catalog, and the same guard applies.

import { LRUCache } from 'lru-cache';
import { isAdmin, type Principal, toCaller } from '../../domain/identity/principal.ts';
import type { CatalogTable, Warehouse, WarehouseDirectory } from '../../domain/ports.ts';
import type { Lens, LensDataset } from '../../lens/model/lens.ts';
import { Problem } from '../../platform/problem.ts';
import { takeFreeName } from '../../platform/take-free-name.ts';
import type { GrantedLens } from '../outcome.ts';

const LENS_CACHE_MS = 30_000;

export class ConnectionLensCache {
  readonly #warehouses: WarehouseDirectory;
  readonly #cachedLenses = new LRUCache<string, Lens>({ max: 50, ttl: LENS_CACHE_MS });

  constructor(warehouses: WarehouseDirectory) {
    this.#warehouses = warehouses;
  }

  async get(principal: Principal, connection: string): Promise<GrantedLens> {
    if (!isAdmin(principal)) {
      throw new Problem('forbidden', 'Only admins can run SQL on a connection. Name a lens instead: {"lens": "…"}.', {
        param: 'connection',
      });
    }
    const warehouse = await this.#warehouses.get(principal.orgId, connection);
    const key = `${principal.orgId}/${connection}`;
    const lens = this.#cachedLenses.get(key) ?? createConnectionLens(connection, warehouse, await warehouse.catalog());
    this.#cachedLenses.set(key, lens);
    return {
      granted: true,
      orgId: principal.orgId,
      lensId: key,
      name: '',
      version: 0,
      createdAt: null,
      origin: 'api',
      lens,
      certified: new Map(),
      valuesReadAt: null,
      suspended: new Map(),
      stamp: key,
      caller: toCaller(principal),
      warehouse,
    };
  }
}

function createConnectionLens(connection: string, warehouse: Warehouse, tables: CatalogTable[]): Lens {
  return {
    name: connection,
    title: connection,
    description: `Everything in connection ${connection}`,
    connection,
    dialect: warehouse.dialect,
    model: null,
    maxRowsToCompose: 200,
    maxRowsToReturn: 500,
    timezone: 'UTC',
    dataAsOf: null,
    freshFor: null,
    datasets: createDatasets(tables),
    relationships: [],
    metrics: [],
    definitions: [],
    rowPolicies: [],
    sampleQuestions: [],
  };
}

/**
 * Gives a dataset the name of its table if that name is unique. Replaces dots, because a dot separates a dataset from a
 * field.
 */
function createDatasets(tables: CatalogTable[]): LensDataset[] {
  const usedNames = new Set<string>();
  return tables.map((table) => {
    const isUniqueName = tables.filter((other) => other.table === table.table).length === 1;
    const tableParts = [table.catalog, table.schema, table.table].filter((part) => part !== null);
    const baseName = (isUniqueName ? [table.table] : tableParts).join('_').replaceAll('.', '_');
    return createDataset(takeFreeName(usedNames, baseName), table);
  });
}

const createDataset = (name: string, table: CatalogTable): LensDataset => ({
  name,
  source: { catalog: table.catalog, schema: table.schema, table: table.table },
  description: table.comment,
  synonyms: [],
  primaryKey: table.primaryKey,
  timeField: null,
  whole: true,
  fields: table.columns.map((column) => ({
    name: column.name,
    datatype: column.datatype ?? 'string',
    description: column.comment,
    synonyms: [],
    unit: null,
    masked: false,
    expression: null,
    dictionary: null,
    dictionaryFromWarehouse: false,
  })),
});
