// Admin SQL runs on a connection without a lens: everything its catalog lists is in scope, under the same guard.
import { LRUCache } from 'lru-cache';
import { askerOf, isSuperuser, type Principal } from '../../domain/identity/principal.ts';
import type { CatalogTable, Warehouse, WarehouseDirectory } from '../../domain/ports.ts';
import type { Lens, LensDataset } from '../../lens/lens.ts';
import { Problem } from '../../platform/problem.ts';
import type { GrantedLens } from '../outcome.ts';

const REMEMBERED_MS = 30_000;

export class ConnectionScopes {
  readonly #warehouses: WarehouseDirectory;
  readonly #known = new LRUCache<string, Lens>({ max: 50, ttl: REMEMBERED_MS });

  constructor(warehouses: WarehouseDirectory) {
    this.#warehouses = warehouses;
  }

  async get(principal: Principal, connection: string): Promise<GrantedLens> {
    if (!isSuperuser(principal)) {
      throw new Problem(
        'forbidden',
        'SQL on a connection is for admins. Name a lens that you may use instead: {"lens": "…"}.',
        { param: 'connection' },
      );
    }
    const warehouse = await this.#warehouses.get(principal.orgId, connection);
    const key = `${principal.orgId}/${connection}`;
    const lens = this.#known.get(key) ?? wholeConnection(connection, warehouse, await warehouse.catalog());
    this.#known.set(key, lens);
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
      asker: askerOf(principal),
      warehouse,
    };
  }
}

function wholeConnection(connection: string, warehouse: Warehouse, tables: CatalogTable[]): Lens {
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
    datasets: tables.map(asDataset),
    relationships: [],
    metrics: [],
    definitions: [],
    rowPolicies: [],
    sampleQuestions: [],
  };
}

const asDataset = (table: CatalogTable): LensDataset => ({
  name: [table.catalog, table.schema, table.table].filter((part) => part !== null).join('.'),
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
