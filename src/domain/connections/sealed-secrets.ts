// After rotating SVC_SECRET_KEY, an operator re-encrypts the stored secrets with the first key, and then removes the
// older keys.
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import type { SecretKeys } from '../../platform/secret-keys.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { openSecrets, sealSecrets } from './connection-secrets.ts';

const SEALED_SECRET_CONDITION = `config::text like '%"sealed:%'`;

/** Counts the connections of all organizations that have a secret that no listed key can decrypt. */
export async function countUndecryptableConnections(tenancy: Tenancy, secrets: SecretKeys): Promise<number> {
  const organizations = await tenancy.queryGlobal<{ id: string }>('select id from svc.organizations');
  const counts = await mapInParallel(organizations, 4, async ({ id: orgId }) => {
    const rows = await tenancy.inTenant(orgId, (db) =>
      db.rows<{ name: string; config: Record<string, unknown> }>(
        `select name, config from svc.connections where active and ${SEALED_SECRET_CONDITION}`,
      ),
    );
    return rows.filter(({ name, config }) => !canDecrypt(secrets, { orgId, name }, config)).length;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

function canDecrypt(...secrets: Parameters<typeof openSecrets>): boolean {
  try {
    openSecrets(...secrets);
    return true;
  } catch {
    return false;
  }
}

/** Throws if no key decrypts a secret, and changes nothing in that organization. Returns the number of connections. */
export async function resealSecrets(tenancy: Tenancy, secrets: SecretKeys): Promise<number> {
  let sealedCount = 0;
  for (const { id: orgId } of await tenancy.queryGlobal<{ id: string }>(
    'select id from svc.organizations order by id',
  )) {
    sealedCount += await tenancy.inTenant(orgId, async (db) => {
      const rows = await db.rows<{ id: string; name: string; config: Record<string, unknown> }>(
        `select id, name, config from svc.connections where ${SEALED_SECRET_CONDITION} for update`,
      );
      for (const { id, name, config } of rows) {
        const owner = { orgId, name };
        const resealedConfig = sealSecrets(secrets, owner, openSecrets(secrets, owner, config));
        // Keeps the revision and the date, because re-encryption doesn't change what the connection means.
        await db.run('update svc.connections set config = $2 where id = $1', [id, JSON.stringify(resealedConfig)]);
      }
      return rows.length;
    });
  }
  return sealedCount;
}
