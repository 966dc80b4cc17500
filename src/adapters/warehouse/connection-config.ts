import { z } from 'zod';
import type { ConnectionConfig } from '../../contract/files/connection-settings.ts';
import type { ServerAddress } from '../../domain/connections/resolve-allowed-address.ts';
import { ENGINES } from '../../engines/engines.ts';
import { describeFaults, formatFault } from '../../platform/http/describe-faults.ts';
import { Problem } from '../../platform/problem.ts';

const openedConnectionSchema = z.union([
  ...ENGINES.flatMap((engine) => engine.opened),
  z.looseObject({ kind: z.templateLiteral(['plugin:', z.string()]) }),
]);

/**
 * Returns the host and port of a connection. For a plugin's connection without a port, svc assumes PostgreSQL's port,
 * to protect the control database.
 */
export function findServer(connection: ConnectionConfig): ServerAddress | null {
  const { host, port = 5432, database } = connection;
  if (typeof host !== 'string') return null;
  return { host, port: Number(port), ...(typeof database === 'string' && { database }) };
}

/** Throws an `invalid` Problem that lists all errors. */
export function parseConnectionConfig(name: string, config: ConnectionConfig): ConnectionConfig {
  const parsedConfig = openedConnectionSchema.safeParse(config);
  if (parsedConfig.success) return parsedConfig.data;
  const details = describeFaults(parsedConfig.error, openedConnectionSchema, config);
  throw new Problem('invalid', `Connection "${name}": ${details.map(formatFault).join(' ')}`, {
    details: details.map((detail) => ({ ...detail, path: `connections.${name}.${detail.path}` })),
  });
}
