// Rotation of SVC_SECRET_KEY, its second half: what an older key of the list sealed is sealed again with the first, so that
// the older one can be dropped (SECURITY SEC-02, F14).
import { inParallel } from '../../platform/schedule/in-parallel.ts';
import type { SecretKeys } from '../../platform/secret-keys.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { openSecrets, sealSecrets, secretContext } from './connection-secrets.ts';

const SEALED = `config::text like '%"sealed:%'`;

/** How many connections hold a secret that no key of the list opens, in all organizations. */
export async function countUnopened(tenancy: Tenancy, secrets: SecretKeys): Promise<number> {
  const organizations = await tenancy.global<{ id: string }>('select id from svc.organizations');
  const counts = await inParallel(organizations, 4, async ({ id: orgId }) => {
    const { rows } = await tenancy.inTenant(orgId, (db) =>
      db.query<{ name: string; config: Record<string, unknown> }>(
        `select name, config from svc.connections where active and ${SEALED}`,
      ),
    );
    return rows.filter(({ name, config }) => !opens(secrets, orgId, name, config)).length;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

function opens(secrets: SecretKeys, orgId: string, name: string, config: Record<string, unknown>): boolean {
  try {
    openSecrets(config, (value, path) => secrets.open(value, secretContext(orgId, name, path)));
    return true;
  } catch {
    return false;
  }
}

/** How many connections hold secrets under the first key now. Throws, and changes nothing, where no key of the list opens one. */
export async function resealSecrets(tenancy: Tenancy, secrets: SecretKeys): Promise<number> {
  let sealed = 0;
  for (const { id: orgId } of await tenancy.global<{ id: string }>('select id from svc.organizations order by id')) {
    sealed += await tenancy.inTenant(orgId, async (db) => {
      const { rows } = await db.query<{ id: string; name: string; config: Record<string, unknown> }>(
        `select id, name, config from svc.connections where ${SEALED} for update`,
      );
      for (const { id, name, config } of rows) {
        const place = (path: string) => secretContext(orgId, name, path);
        const clear = openSecrets(config, (value, path) => secrets.open(value, place(path)));
        const anew = sealSecrets(clear, (value, path) => secrets.seal(value, place(path)));
        // Neither its revision nor its date: what a reader or a replica knows of the connection is still so.
        await db.query('update svc.connections set config = $2 where id = $1', [id, JSON.stringify(anew)]);
      }
      return rows.length;
    });
  }
  return sealed;
}
