// A connection as it can be opened: variables expanded, defaults filled in.
import { z } from 'zod';
import type { ConnectionConfig } from '../../contract/files/connection-words.ts';
import type { ServerAddress } from '../../domain/connections/check-address.ts';
import { ENGINES } from '../../engines/engines.ts';
import { Problem } from '../../platform/problem.ts';

const opened = z.union([
  ...ENGINES.flatMap((engine) => engine.opened),
  z.looseObject({ kind: z.templateLiteral(['plugin:', z.string()]) }),
]);

/** Where a connection leads; null for one without `host`. A plugin's port is taken for the control database's usual one
 *  when it names none: rather refused than let in. */
export function serverOf(connection: ConnectionConfig): ServerAddress | null {
  const { host, port = 5432, database } = connection;
  if (typeof host !== 'string') return null;
  return { host, port: Number(port), ...(typeof database === 'string' && { database }) };
}

/** Throws `invalid`, naming every fault, for what can't be opened. `config` has its variables expanded. */
export function readConnection(name: string, config: ConnectionConfig): ConnectionConfig {
  const read = opened.safeParse(config);
  if (read.success) return read.data;
  const issues = read.error.issues.flatMap((issue) =>
    issue.code === 'invalid_union' ? nearest(issue.errors) : [issue],
  );
  const details = issues.map((issue) => ({
    path: `connections.${name}.${issue.path.join('.')}`,
    message: issue.message,
    code: issue.code ?? 'invalid',
  }));
  throw new Problem(
    'invalid',
    `Connection "${name}": ${details.map((one) => `${one.path.split('.').pop()} ${one.message}`).join('; ')}.`,
    { details },
  );
}

/** The faults against the kind that was meant: the branch whose `kind` fits. */
function nearest(branches: z.core.$ZodIssue[][]): z.core.$ZodIssue[] {
  const fitting = branches.filter((issues) => !issues.some((issue) => issue.path[0] === 'kind'));
  return (fitting.length > 0 ? fitting : branches).reduce((best, issues) =>
    issues.length < best.length ? issues : best,
  );
}
