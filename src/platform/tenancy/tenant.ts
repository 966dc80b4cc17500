// The only access to tenant tables is a short transaction with a tenant setting. Don't keep a transaction open during a
// warehouse or model call.
import type { Socket } from 'node:net';
import type pg from 'pg';
import { Problem } from '../problem.ts';
import { type BatchResult, type PreparedStatement, sendBatch } from './batch.ts';
import type { Pool } from './database.ts';

/** A client that sees only the rows of the presented credential, email address or person. */
export type PresentedClient = Pick<pg.ClientBase, 'query'>;

declare const tenantBrand: unique symbol;
/** Only `Tenancy.inTenant` creates one, so a query outside a tenant transaction doesn't compile. */
export interface TenantClient {
  readonly [tenantBrand]: true;
  readonly orgId: string;
  rows<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  first<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row | null>;
  /** Returns the number of rows that the statement changed or found. */
  run(sql: string, values?: unknown[]): Promise<number>;
}

const UNREACHABLE_CODES = new Set([
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
// A read-only database, for example during a failover, and a full disk.
const NO_CHANGES_CODES = new Set(['25006', '53100']);

export class Tenancy {
  readonly #pool: Pool;
  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** The transaction sees and writes only rows of `orgId`. */
  inTenant<T>(orgId: string, work: (db: TenantClient) => Promise<T>): Promise<T> {
    return this.#runTransaction(SET_ORG_SQL, orgId, (client) => work(createTenantClient(orgId, client)));
  }

  /** Takes one round trip. The change is durable when the promise resolves. */
  async queryInTenant<Row extends pg.QueryResultRow>(
    orgId: string,
    statement: PreparedStatement,
  ): Promise<BatchResult<Row>> {
    const [, answer] = await this.#runBatch([createSettingStatement('org', SET_ORG_SQL, orgId), statement]);
    return answer as BatchResult<Row>;
  }

  /** Finds the tenant by the hash of a credential. Without a match, the statement sees no rows. */
  async queryByPresentedHash<Row extends pg.QueryResultRow>(
    hash: string,
    statement: PreparedStatement,
  ): Promise<BatchResult<Row>> {
    const [, , answer] = await this.#runBatch([
      createSettingStatement('presented_hash', SET_PRESENTED_HASH_SQL, hash),
      { name: 'org_of_presented', text: SET_ORG_OF_CREDENTIAL_SQL, values: [hash] },
      statement,
    ]);
    return answer as BatchResult<Row>;
  }

  /** For requests whose tenant isn't known yet. `work` sees only the credential with this hash (policy `presented`). */
  withPresentedHash<T>(hash: string, work: (client: PresentedClient) => Promise<T>): Promise<T> {
    return this.#runTransaction(SET_PRESENTED_HASH_SQL, hash, work);
  }

  /** For requests whose tenant isn't known yet. `work` sees only the accounts with this email (policy `presented`). */
  withPresentedEmail<T>(email: string, work: (client: PresentedClient) => Promise<T>): Promise<T> {
    return this.#runTransaction("select set_config('svc.presented_email', $1, true)", email, work);
  }

  /** For requests whose tenant isn't known yet. `work` sees only accounts linked to this person or with this email. */
  withPresentedPerson<T>(
    person: { issuer: string; subject: string; email: string },
    work: (client: PresentedClient) => Promise<T>,
  ): Promise<T> {
    return this.#runTransaction(SET_PRESENTED_PERSON_SQL, JSON.stringify(person), work);
  }

  /** For global tables only, such as organizations, sign-in attempts, rate shares and the schema's state. */
  async queryGlobal<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]> {
    try {
      return (await this.#pool.query<Row>(sql, values)).rows;
    } catch (error) {
      throw toDatabaseProblem(error);
    }
  }

  async listTenantIds(): Promise<string[]> {
    return (await this.queryGlobal<{ id: string }>('select id from svc.organizations order by id')).map(({ id }) => id);
  }

  #runBatch(statements: readonly PreparedStatement[]): Promise<BatchResult[]> {
    return this.#withConnection((client, markUnusable) => sendBatch(client, statements, markUnusable));
  }

  /** Sends BEGIN and the tenant setting together with the first statement of `work`, to save a round trip. */
  #runTransaction<T>(settingSql: string, value: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.#withConnection(async (client) => {
      const { begin, workResult } = sendInOnePacket(client, () => ({
        begin: waitForAll([
          client.query('begin'),
          client.query(createSettingStatement(settingSql.slice(0, MAX_NAME_LENGTH), settingSql, value)),
        ]),
        workResult: work(client),
      }));
      begin.catch(() => undefined);
      try {
        const result = await workResult;
        await begin;
        await client.query('commit');
        return result;
      } catch (error) {
        await begin;
        throw error;
      }
    });
  }

  /** Calling `markUnusable` prevents the session from being used again. */
  async #withConnection<T>(work: (client: pg.PoolClient, markUnusable: () => void) => Promise<T>): Promise<T> {
    let client: pg.PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (error) {
      throw toDatabaseProblem(error, true);
    }
    let isUnusable = false;
    const markUnusable = (): void => {
      isUnusable = true;
    };
    try {
      return await work(client, markUnusable);
    } catch (error) {
      await client.query('rollback').catch(markUnusable);
      throw toDatabaseProblem(error);
    } finally {
      client.release(isUnusable);
    }
  }
}

export const withOwnTransaction =
  <Args extends unknown[], T>(work: (db: TenantClient, ...args: Args) => Promise<T>) =>
  (deps: { tenancy: Tenancy }, orgId: string, ...args: Args): Promise<T> =>
    deps.tenancy.inTenant(orgId, (db) => work(db, ...args));

const createTenantClient = (orgId: string, client: pg.PoolClient): TenantClient =>
  ({
    orgId,
    rows: async (sql: string, values?: unknown[]) => (await client.query(sql, values)).rows,
    first: async (sql: string, values?: unknown[]) => (await client.query(sql, values)).rows[0] ?? null,
    run: async (sql: string, values?: unknown[]) => (await client.query(sql, values)).rowCount ?? 0,
  }) as TenantClient;

const SET_ORG_SQL = "select set_config('svc.org_id', $1, true)";
const SET_PRESENTED_HASH_SQL = "select set_config('svc.presented_hash', $1, true)";
const MAX_NAME_LENGTH = 63; // PostgreSQL ignores the rest of a longer statement name
const SET_PRESENTED_PERSON_SQL = `select set_config('svc.presented_' || key, value, true) from json_each_text($1::json)`;
const SET_ORG_OF_CREDENTIAL_SQL =
  "select set_config('svc.org_id', org_id::text, true) from svc.credentials where token_hash = decode($1, 'hex')";

const createSettingStatement = (name: string, text: string, value: string): PreparedStatement => ({
  name,
  text,
  values: [value],
});

function sendInOnePacket<T>(client: pg.PoolClient, send: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/** Waits for every result, so that none is left on the connection. The first error is the cause of the others. */
async function waitForAll(sentQueries: Promise<unknown>[]): Promise<void> {
  const failure = (await Promise.allSettled(sentQueries)).find((answer) => answer.status === 'rejected');
  if (failure) throw failure.reason;
}

function toDatabaseProblem(error: unknown, isConnecting = false): unknown {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  const isUnreachable = isConnecting || (code !== undefined && (UNREACHABLE_CODES.has(code) || code.startsWith('08')));
  if (
    isUnreachable ||
    /Connection terminated|not queryable|timeout exceeded when trying to connect|Query read timeout/.test(message ?? '')
  ) {
    return new Problem('unreachable', 'The control database is not reachable. Try again shortly.', {
      cause: error,
      retryAfter: 1,
    });
  }
  if (code !== undefined && NO_CHANGES_CODES.has(code)) {
    return new Problem('unreachable', 'The control database accepts no changes at the moment. Try again shortly.', {
      cause: error,
      retryAfter: 1,
    });
  }
  return error;
}
