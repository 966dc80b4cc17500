import type { ConfigFile } from '../../../contract/files/config-file.ts';
import {
  createMovedSecretsMessage,
  hideSecrets,
  openSecrets,
  restoreHiddenSecrets,
} from '../../connections/connection-secrets.ts';
import { isSameJson } from '../check-config.ts';
import type { ProjectDeps, ProjectRequest } from '../project-deps.ts';
import type { DeployedState, DesiredConnection, StoredConnection } from '../project-state.ts';

export function readDesiredConnections(
  deps: ProjectDeps,
  request: ProjectRequest,
  state: DeployedState,
  configuredConnections: ConfigFile['connections'],
  addProblem: (name: string, code: string, message: string) => void,
): DesiredConnection[] {
  const storedByName = new Map(state.connections.map((connection) => [connection.name, connection]));
  return Object.entries(configuredConnections).map(([name, config]) => {
    const storedConnection = storedByName.get(name);
    const decryptedConfig = storedConnection ? decryptConnection(deps, request.orgId, storedConnection) : null;
    const restoredConfig = restoreHiddenSecrets(config, decryptedConfig);
    for (const path of restoredConfig.missingPaths)
      addProblem(
        name,
        'kept',
        `"${path.slice(1)}" of connection "${name}" is (kept), but no secret is stored. Write the secret, or use a variable.`,
      );
    if (restoredConfig.movedPaths.length > 0)
      addProblem(name, 'kept', `Connection "${name}": ${createMovedSecretsMessage(restoredConfig.movedPaths)}`);
    if (deps.secrets.keys.length === 0 && !isSameJson(restoredConfig.config, hideSecrets(restoredConfig.config)))
      addProblem(
        name,
        'no_key',
        `Connection "${name}" contains a secret, which svc can't store without SVC_SECRET_KEY. Use a variable instead, like \${DB_PASSWORD}.`,
      );
    const isSame = storedConnection?.active === true && isSameJson(decryptedConfig, restoredConfig.config);
    // A connection created through the API becomes file-based if the project files contain the same connection.
    const becomesFileBased = storedConnection?.origin === 'api' && isSame;
    if (storedConnection?.origin === 'api' && storedConnection.active && !isSame)
      addProblem(
        name,
        'conflict',
        `A connection named "${name}" was created through the API and differs from this file. Use the text that \`svc export DIR\` writes, delete that connection through the API, or rename the connection in this file.`,
      );
    // An operator's connection that a request over HTTP doesn't change still belongs to the operator.
    const fromOperator = request.fromOperator || (isSame && storedConnection.fromOperator);
    return {
      name,
      config: restoredConfig.config,
      fromOperator,
      changed: !isSame || becomesFileBased || fromOperator !== storedConnection.fromOperator,
      becomesFileBased,
    };
  });
}

/** Null if svc lacks the key that encrypted a secret. */
function decryptConnection(
  deps: ProjectDeps,
  orgId: string,
  storedConnection: StoredConnection,
): ConfigFile['connections'][string] | null {
  try {
    return openSecrets(deps.secrets, { orgId, name: storedConnection.name }, storedConnection.config);
  } catch {
    return null;
  }
}
