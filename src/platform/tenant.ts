// The one door to tenant tables: a short transaction with the tenant set for that transaction only.
// Never held across a warehouse or model call. A query without a TenantClient does not compile.
import type pg from 'pg';
import type { Pool } from './database.ts';
import { Problem } from './problem.ts';

declare const tenantBrand: unique symbol;
/** A client inside a tenant transaction; only `Tenancy.inTenant` makes one. */
export interface TenantClient {
  readonly [tenantBrand]: true;
  readonly orgId: string;
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
}

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);

export class Tenancy {
  readonly #pool: Pool;
  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Runs `work` in one transaction that sees and writes rows of `orgId` only. */
  inTenant<T>(orgId: string, work: (db: TenantClient) => Promise<T>): Promise<T> {
    return this.#transaction("select set_config('svc.org_id', $1, true)", orgId, (client) =>
      work({ orgId, query: (sql: string, values?: unknown[]) => client.query(sql, values) } as TenantClient),
    );
  }

  /** Before the tenant is known: sees only the credential whose hash the caller presents (policy `presented`). */
  withPresentedHash<T>(hash: string, work: (client: Pick<pg.ClientBase, 'query'>) => Promise<T>): Promise<T> {
    return this.#transaction("select set_config('svc.presented_hash', $1, true)", hash, work);
  }

  /** Before the tenant is known: sees only the accounts of the e-mail that is being presented (policy `presented`). */
  withPresentedEmail<T>(email: string, work: (client: Pick<pg.ClientBase, 'query'>) => Promise<T>): Promise<T> {
    return this.#transaction("select set_config('svc.presented_email', $1, true)", email, work);
  }

  /** Global tables only (organizations, schema state). */
  async global<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]> {
    try {
      return (await this.#pool.query<Row>(sql, values)).rows;
    } catch (error) {
      throw asProblem(error);
    }
  }

  async #transaction<T>(prelude: string, setting: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    let client: pg.PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (error) {
      throw asProblem(error, true);
    }
    let broken: Error | undefined;
    // A session that dies between two statements reports it here; unheard, it would end the process.
    const lost = (error: Error): void => {
      broken = error;
    };
    client.on('error', lost);
    try {
      await client.query('begin');
      await client.query(prelude, [setting]);
      const result = await work(client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure;
      });
      throw asProblem(error);
    } finally {
      client.off('error', lost);
      client.release(broken);
    }
  }
}

function asProblem(error: unknown, connecting = false): unknown {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  const away = connecting || (code !== undefined && (UNREACHABLE.has(code) || code.startsWith('08')));
  if (away || /Connection terminated|not queryable|timeout exceeded when trying to connect|Query read timeout/.test(message ?? '')) {
    return new Problem('unreachable', 'The control database is not reachable just now. Try again shortly.', {
      cause: error,
      retryAfter: 1,
    });
  }
  return error;
}
