// Every wait for the control database has a limit, and every session detects a lost client.
import pg from 'pg';
import { Problem } from '../problem.ts';

export type Pool = pg.Pool;

export interface PoolOptions {
  max?: number;
  applicationName?: string;
  onError?: (error: Error) => void;
}

export function openPool(url: string, options: PoolOptions = {}): Pool {
  const pool = new pg.Pool({
    pipeline: true, // sends statements without waiting for earlier results, but keeps their order and transactions
    connectionString: url,
    max: options.max ?? 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    query_timeout: 10_000,
    statement_timeout: 9_000,
    idle_in_transaction_session_timeout: 10_000,
    application_name: options.applicationName ?? 'svc',
    options: '-c client_connection_check_interval=1s -c timezone=UTC',
  });
  pool.on('error', (error) => options.onError?.(error));
  pool.on('connect', keepRunningIfLost);
  return pool;
}

/**
 * Without a listener, losing a connection between two statements ends the process. PostgreSQL can end a session in the
 * packet in which it reports that the session is ready, so only the `connect` event comes early enough. The next
 * statement on the connection fails, and the pool drops the connection.
 */
export const keepRunningIfLost = (client: pg.ClientBase): void => {
  client.on('error', () => undefined);
};

export async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config);
  keepRunningIfLost(client);
  try {
    await client.connect();
  } catch (fault) {
    const { message } = fault as Error;
    throw new Problem('unreachable', `Can't connect to the control database: ${message}`, { cause: fault });
  }
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns null if the server's role can't bypass row-level security. */
export async function describeRoleWeakness(pool: Pool): Promise<string | null> {
  const { rows } = await pool.query<{ super: boolean; bypass: boolean; owned: string | null; owner: boolean }>(`
    select r.rolsuper as super, r.rolbypassrls as bypass,
      (select c.relname from pg_class c where c.relnamespace = 'svc'::regnamespace and c.relkind in ('r','p')
         and c.relowner = r.oid limit 1) as owned,
      exists (select from pg_class c where c.relnamespace = 'svc'::regnamespace and c.relkind in ('r','p')
         and pg_has_role(r.oid, c.relowner, 'member')) as owner
    from pg_roles r where r.rolname = current_user`);
  const role = rows[0]!;
  if (role.super) return 'it is a superuser, which ignores row-level security';
  if (role.bypass) return 'it has BYPASSRLS';
  if (role.owned) return `it owns the tenant table ${role.owned}`;
  if (role.owner) return 'it is a member of the role that owns the tenant tables';
  return null;
}
