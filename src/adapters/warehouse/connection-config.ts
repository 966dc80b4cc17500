// A connection that can be opened: variables replaced, defaults filled in.
import { z } from 'zod';
import type { ConnectionConfig } from '../../contract/files/connection-words.ts';
import type { ServerAddress } from '../../domain/connections/check-address.ts';
import { ENGINES } from '../../engines/engines.ts';
import { Problem } from '../../platform/problem.ts';

const openedSchemas = z.union([
  ...ENGINES.flatMap((engine) => engine.opened),
  z.looseObject({ kind: z.templateLiteral(['plugin:', z.string()]) }),
]);

/**
 * The server of a connection; null without `host`. A plugin's connection without a port is assumed to use the
 * control database's usual port, because refusing it is safer.
 */
export function serverOf(connection: ConnectionConfig): ServerAddress | null {
  const { host, port = 5432, database } = connection;
  if (typeof host !== 'string') return null;
  return { host, port: Number(port), ...(typeof database === 'string' && { database }) };
}

/** Throws `invalid` with every fault of a connection. `config` has its variables replaced. */
export function readConnection(name: string, config: ConnectionConfig): ConnectionConfig {
  const read = openedSchemas.safeParse(config);
  if (read.success) return read.data;
  const issues = read.error.issues.flatMap((issue) =>
    issue.code === 'invalid_union' ? closestBranch(issue.errors) : [issue],
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

/** The faults of the branch with the same `kind`. */
function closestBranch(branches: z.core.$ZodIssue[][]): z.core.$ZodIssue[] {
  const fitting = branches.filter((issues) => !issues.some((issue) => issue.path[0] === 'kind'));
  return (fitting.length > 0 ? fitting : branches).reduce((best, issues) =>
    issues.length < best.length ? issues : best,
  );
}
