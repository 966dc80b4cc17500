// Compares the connections of a project with the stored ones.
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
  configured: ConfigFile['connections'],
  complain: (name: string, code: string, message: string) => void,
): WantedConnection[] {
  const stored = new Map(state.connections.map((connection) => [connection.name, connection]));
  return Object.entries(configured).map(([name, config]) => {
    const storedConnection = stored.get(name);
    const clear = storedConnection ? decryptStored(deps, request.orgId, storedConnection) : null;
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
    const same = storedConnection?.active === true && sameJson(clear, restored.config);
    // A connection that equals its export becomes file-based.
    const takesOver = storedConnection?.origin === 'api' && same;
    if (storedConnection?.origin === 'api' && storedConnection.active && !same)
      complain(
        name,
        'conflict',
        `A connection named "${name}" was created by API and differs. Use the text that \`svc export DIR\` writes, delete that connection by API, or rename this one.`,
      );
    // An equal connection over HTTP stays the operator's.
    const fromOperator = request.fromOperator || (same && storedConnection.fromOperator);
    return {
      name,
      config: restored.config,
      fromOperator,
      changed: !same || takesOver || fromOperator !== storedConnection.fromOperator,
      takesOver,
    };
  });
}

/** The stored configuration with decrypted secrets. Null if the key of a secret is missing. */
function decryptStored(
  deps: ProjectDeps,
  orgId: string,
  stored: StoredConnection,
): ConfigFile['connections'][string] | null {
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
