// The connections that a project asks for, held against those that are stored.
import type { ConfigFile } from '../../../contract/files/config-file.ts';
import {
  isLiteralSecret,
  movedSecretsMessage,
  openSecrets,
  restoreHiddenSecrets,
  secretContext,
} from '../../connections/connection-secrets.ts';
import { sameJson } from '../check-config.ts';
import type { ProjectDeps, ProjectRequest } from '../project-deps.ts';
import type { DeployedState, StoredConnection, WantedConnection } from '../project-state.ts';

export function wantedConnections(
  deps: ProjectDeps,
  request: ProjectRequest,
  state: DeployedState,
  asked: ConfigFile['connections'],
  complain: (name: string, code: string, message: string) => void,
): WantedConnection[] {
  const stored = new Map(state.connections.map((connection) => [connection.name, connection]));
  return Object.entries(asked).map(([name, config]) => {
    const known = stored.get(name);
    const clear = known ? inClear(deps, request.orgId, known) : null;
    const restored = restoreHiddenSecrets(config, clear);
    for (const path of restored.missing)
      complain(
        name,
        'kept',
        `"${path.slice(1)}" of connection "${name}" is (kept), but no secret is stored. Write the secret, or use a variable.`,
      );
    if (restored.moved.length > 0)
      complain(name, 'kept', `Of connection "${name}" ${movedSecretsMessage(restored.moved)}`);
    if (deps.secrets.list.length === 0 && hasLiteralSecret(restored.config))
      complain(
        name,
        'no_key',
        `Connection "${name}" contains a secret, which svc can't store without SVC_SECRET_KEY. Use a variable instead, like \${DB_PASSWORD}.`,
      );
    const same = known?.active === true && sameJson(clear, restored.config);
    // As an export writes it, it is taken over.
    const takesOver = known?.origin === 'api' && same;
    if (known?.origin === 'api' && known.active && !same)
      complain(
        name,
        'conflict',
        `A connection named "${name}" was made by API, and says something else. Write it as \`svc export DIR\` does, delete it there, or give this one another name.`,
      );
    // The same words over HTTP leave the operator's connection the operator's.
    const fromOperator = request.fromOperator || (same && known.fromOperator);
    return {
      name,
      config: restored.config,
      fromOperator,
      changed: !same || takesOver || fromOperator !== known.fromOperator,
      takesOver,
    };
  });
}

/** What a stored connection says, secrets in clear; null when a key that sealed one of them is gone. */
function inClear(deps: ProjectDeps, orgId: string, stored: StoredConnection): ConfigFile['connections'][string] | null {
  try {
    return openSecrets(stored.config, (sealed, path) =>
      deps.secrets.open(sealed, secretContext(orgId, stored.name, path)),
    );
  } catch {
    return null;
  }
}

const hasLiteralSecret = (config: object): boolean =>
  Object.entries(config).some(
    ([key, value]) =>
      isLiteralSecret(key, value) || (value !== null && typeof value === 'object' && hasLiteralSecret(value)),
  );
