import { z } from 'zod';
import type { ConnectionConfig } from '../../contract/files/connection-settings.ts';
import type { ServerAddress } from '../../domain/connections/resolve-allowed-address.ts';
import { ENGINES } from '../../engines/engines.ts';
import { Problem } from '../../platform/problem.ts';

const openedConnectionSchema = z.union([
  ...ENGINES.flatMap((engine) => engine.opened),
  z.looseObject({ kind: z.templateLiteral(['plugin:', z.string()]) }),
]);

/** svc assumes PostgreSQL's port for a plugin's connection without a port, to protect the control database. */
export function findServer(connection: ConnectionConfig): ServerAddress | null {
  const { host, port = 5432, database } = connection;
  if (typeof host !== 'string') return null;
  return { host, port: Number(port), ...(typeof database === 'string' && { database }) };
}

/** Throws an `invalid` Problem that lists all errors. */
export function parseConnectionConfig(name: string, config: ConnectionConfig): ConnectionConfig {
  const parsedConfig = openedConnectionSchema.safeParse(config);
  if (parsedConfig.success) return parsedConfig.data;
  const issues = parsedConfig.error.issues.flatMap((issue) =>
    issue.code === 'invalid_union' ? findClosestBranch(issue.errors) : [issue],
  );
  const details = issues.map((issue) => ({
    path: `connections.${name}.${issue.path.join('.')}`,
    message: issue.message,
    code: issue.code ?? 'invalid',
  }));
  throw new Problem(
    'invalid',
    `Connection "${name}": ${details.map((detail) => `${detail.path.split('.').pop()} ${detail.message}`).join('; ')}.`,
    { details },
  );
}

/** Returns the errors from the schema that matches the connection's `kind`. */
function findClosestBranch(branches: z.core.$ZodIssue[][]): z.core.$ZodIssue[] {
  const matchingBranches = branches.filter((issues) => !issues.some((issue) => issue.path[0] === 'kind'));
  return (matchingBranches.length > 0 ? matchingBranches : branches).reduce((best, issues) =>
    issues.length < best.length ? issues : best,
  );
}
