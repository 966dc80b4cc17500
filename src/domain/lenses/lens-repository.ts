// Loads the active version of a lens with its certified entries and dictionaries. A new stamp invalidates the cached
// lens.

import { LRUCache } from 'lru-cache';
import { definitionFileSchema } from '../../contract/files/lens-file.ts';
import { loadDialect } from '../../dialects/dialects.ts';
import { replaceSharedDefinitions, type SharedDefinition } from '../../lens/compile/shared-definitions.ts';
import type { CertifiedEntry, Lens } from '../../lens/model/lens.ts';
import type { Tenancy, TenantClient } from '../../platform/tenancy/tenant.ts';
import { type ReadDictionary, withDictionaries } from '../project/read-dictionaries.ts';
import { type EntryLibrary, readLibrary, type SuspendedEntry } from './read-certified-library.ts';

export interface LiveLens {
  lensId: string;
  name: string;
  version: number;
  origin: 'file' | 'api';
  lens: Lens;
  /** The approved entries, by cert_id. */
  certified: ReadonlyMap<string, CertifiedEntry>;
  /** Null if the lens isn't served or isn't stored. */
  createdAt: Date | null;
  /** The time of the oldest dictionary. Null if no dictionary comes from the warehouse. */
  valuesReadAt: Date | null;
  suspended: ReadonlyMap<string, SuspendedEntry>;
  /** Changes whenever the lens, one of its entries or one of its dictionaries changes. */
  stamp: string;
}

/** An ask on an unpublished draft passes a substitute that finds only that draft. */
export type LiveLenses = Pick<LensRepository, 'find' | 'list'> & Partial<Pick<LensRepository, 'findCached'>>;

interface StampRow {
  id: string;
  name: string;
  origin: 'file' | 'api';
  version: number;
  created_at: Date;
  stamp: string;
}

export const LENS_STAMP_SQL = "active_version || '@' || extract(epoch from updated_at)";
const SELECT_STAMP = `select id, name, origin, active_version as version, created_at, ${LENS_STAMP_SQL} as stamp
  from svc.lenses where active_version is not null`;

const createStampQuery = (name: string) => ({
  name: 'lens_stamp',
  text: `${SELECT_STAMP} and name = $1`,
  values: [name],
});

export class LensRepository {
  readonly #tenancy: Tenancy;
  readonly #lensById = new LRUCache<string, LiveLens>({ max: 1_000 });
  readonly #libraries = new LRUCache<string, EntryLibrary>({ max: 1_000 });
  readonly #byName = new LRUCache<string, LiveLens>({ max: 1_000 });

  constructor(tenancy: Tenancy) {
    this.#tenancy = tenancy;
  }

  /** The cached lens may be outdated. Each ask checks at its end that the lens is still current. */
  findCached(orgId: string, name: string): LiveLens | null {
    return this.#byName.get(`${orgId}/${name}`) ?? null;
  }

  /** Costs one indexed read if the lens hasn't changed since the last ask. */
  async find(orgId: string, name: string): Promise<LiveLens | null> {
    const liveLens = await this.#find(orgId, name);
    if (liveLens) this.#byName.set(`${orgId}/${name}`, liveLens);
    else this.#byName.delete(`${orgId}/${name}`);
    return liveLens;
  }

  async #find(orgId: string, name: string): Promise<LiveLens | null> {
    const { rows } = await this.#tenancy.queryInTenant<StampRow>(orgId, createStampQuery(name));
    const row = rows[0];
    if (!row) return null;
    const cachedLens = this.#lensById.get(`${orgId}/${row.id}`);
    if (cachedLens?.stamp === row.stamp) return cachedLens;
    return this.#tenancy.inTenant(orgId, async (db) => {
      const currentRow = await db.first<StampRow>(`${SELECT_STAMP} and name = $1`, [name]);
      return currentRow && this.#load(db, currentRow);
    });
  }

  /** If `names` is null, lists all served lenses. */
  list(orgId: string, names: readonly string[] | null): Promise<LiveLens[]> {
    return this.#tenancy.inTenant(orgId, async (db) => {
      const rows = await db.rows<StampRow>(`${SELECT_STAMP} and ($1::text[] is null or name = any($1)) order by name`, [
        names,
      ]);
      const lenses: LiveLens[] = [];
      for (const row of rows) lenses.push(await this.#load(db, row));
      return lenses;
    });
  }

  async #load(db: TenantClient, row: StampRow): Promise<LiveLens> {
    const key = `${db.orgId}/${row.id}`;
    const cachedLens = this.#lensById.get(key);
    if (cachedLens?.stamp === row.stamp) return cachedLens;
    const library = await readLibrary(db, row.id, this.#libraries.get(key) ?? null);
    this.#libraries.set(key, library);
    const liveLens = {
      lensId: row.id,
      name: row.name,
      version: row.version,
      createdAt: row.created_at,
      origin: row.origin,
      ...(await loadLens(db, row)),
      certified: library.certified,
      suspended: library.suspended,
      stamp: row.stamp,
    };
    this.#lensById.set(key, liveLens);
    return liveLens;
  }
}

async function loadLens(db: TenantClient, row: StampRow): Promise<Pick<LiveLens, 'lens' | 'valuesReadAt'>> {
  const version = await db.first<{ compiled: Lens }>(
    'select compiled from svc.lens_versions where lens_id = $1 and version = $2',
    [row.id, row.version],
  );
  const { compiled } = version!;
  await loadDialect(compiled.dialect);
  const rows = await db.rows<ReadDictionary & { refreshed_at: Date }>(
    'select dataset, field, "values", complete, refreshed_at from svc.value_dictionaries where lens_id = $1',
    [row.id],
  );
  const lens = await replaceSharedDefinitions(withDictionaries(compiled, rows), await readSharedDefinitions(db));
  const addedQueries = await db.rows<{ question: string }>(
    'select question from svc.sample_queries where lens = $1 and tried_at is not null order by created_at, id',
    [row.name],
  );
  const samples = new Set([...lens.sampleQuestions, ...addedQueries.map(({ question }) => question)]);
  const times = rows.map(({ refreshed_at }) => refreshed_at.getTime());
  return {
    lens: Object.freeze({ ...lens, sampleQuestions: [...samples] }),
    valuesReadAt: times.length > 0 ? new Date(Math.min(...times)) : null,
  };
}

async function readSharedDefinitions(db: TenantClient): Promise<SharedDefinition[]> {
  const rows = await db.rows<{ name: string; body: object; origin: 'file' | 'api' }>(
    `select name, body, origin from svc.semantic_objects where kind = 'definition' order by name`,
  );
  return rows.flatMap(({ name, body, origin }) => {
    const { data: definition } = definitionFileSchema.safeParse({ term: name, ...body });
    return definition ? [{ origin, definition }] : [];
  });
}
