// Finds connections that lenses created through the API still use. Applying a project keeps these lenses, so it must
// keep their connections.
import type { TenantClient } from '../../platform/tenancy/tenant.ts';
import type { DeployedState, WantedConnection } from './project-state.ts';

/** Served lenses created through the API, with their connections. */
export const readApiLenses = (db: TenantClient): Promise<DeployedState['apiLenses']> =>
  db.rows<DeployedState['apiLenses'][number]>(
    `select l.name, v.compiled->>'connection' as connection
     from svc.lenses l join svc.lens_versions v on v.lens_id = l.id and v.version = l.active_version
     where l.origin = 'api' order by l.name`,
  );

/** `removed`: the files no longer have the connection. `changedKind`: the files change its kind. */
export function findConnectionsInUse(
  { connections, apiLenses }: DeployedState,
  wantedConnections: WantedConnection[],
): { removed: string[]; changedKind: string[] } {
  const usedConnections = connections.flatMap(({ name, kind, origin, active }) => {
    const lenses = apiLenses.filter(({ connection }) => connection === name).map((lens) => lens.name);
    return origin === 'file' && active && lenses.length > 0 ? [{ name, kind, lenses }] : [];
  });
  const kinds = new Map(wantedConnections.map(({ name, config }) => [name, config.kind]));
  return {
    removed: usedConnections
      .filter(({ name }) => !kinds.has(name))
      .map(
        ({ name, lenses }) =>
          `Connection "${name}" is not in these files, but lenses created through the API use it: ${lenses.join(', ')}. Keep it, or first delete these lenses or change their connection.`,
      ),
    changedKind: usedConnections
      .filter(({ name, kind }) => kinds.has(name) && kinds.get(name) !== kind)
      .map(
        ({ name, kind, lenses }) =>
          `Connection "${name}" changes from ${kind} to ${kinds.get(name)}. These lenses, created through the API, were checked against the old connection: ${lenses.join(', ')}. Restore or publish them again afterwards.`,
      ),
  };
}
