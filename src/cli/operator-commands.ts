// Commands that use the database directly, in DATABASE_URL or in the instance in SVC_HOME.
import { startEmbeddedPostgres } from '../adapters/embedded-postgres/start-embedded-postgres.ts';
import { type Config, readConfig } from '../config.ts';
import { resealSecrets } from '../domain/connections/sealed-secrets.ts';
import { getOrganization, mintAdminToken, mintCallerKey } from '../domain/identity/bootstrap.ts';
import { SigningKeys } from '../domain/receipts/signing-keys.ts';
import { ensureSecretKeys, readCredentials } from '../home.ts';
import { createUnknownNameMessage } from '../platform/closest-names.ts';
import { createId } from '../platform/ids.ts';
import { SecretKeys } from '../platform/secret-keys.ts';
import { openPool } from '../platform/tenancy/database.ts';
import { createOrganization, migrate, readAppLogin } from '../platform/tenancy/migrate.ts';
import { Tenancy } from '../platform/tenancy/tenant.ts';
import { createSignInLink } from '../sign-in-link.ts';
import { Failure } from './terminal/failure.ts';
import { printResult } from './terminal/print.ts';

interface OutputOptions {
  json?: boolean;
}

export async function runMigrateCommand(options: OutputOptions): Promise<void> {
  await withDatabase(async (ownerUrl) => {
    const { applied } = await migrate(ownerUrl);
    const summary = applied.length > 0 ? `Applied: ${applied.join(', ')}.` : 'The schema is up to date.';
    printResult(options, { applied }, [summary]);
  });
}

export async function runBootstrapCommand(options: OutputOptions & { org: string }): Promise<void> {
  await withTenancy(async (tenancy, ownerUrl) => {
    const orgId = await createOrganization(ownerUrl, options.org, createId());
    const token = await mintAdminToken(tenancy, orgId, 'bootstrap');
    printResult(options, { org_id: orgId, org: options.org, admin_token: token }, [
      `Organization ${options.org} (${orgId}).`,
      'Admin token (shown only now):',
      token,
    ]);
  });
}

export async function runCreateKeyCommand(
  options: OutputOptions & { caller: string; lens: string[]; org: string },
): Promise<void> {
  await withTenancy(async (tenancy) => {
    const { id } = await getOrganization(tenancy, options.org);
    const { key, unknownLenses, lensNames } = await mintCallerKey(tenancy, id, options.caller, options.lens);
    for (const lens of unknownLenses)
      console.error(
        `${createUnknownNameMessage('lens', lens, lensNames)} The grant is stored and applies once the lens exists.`,
      );
    printResult(options, { caller: options.caller, key, lenses: options.lens }, [
      `Key of ${options.caller} (shown only now):`,
      key,
    ]);
  });
}

export async function runSignInLinkCommand(options: OutputOptions & { org: string }): Promise<void> {
  await withTenancy(async (tenancy, _ownerUrl, config) => {
    const { id } = await getOrganization(tenancy, options.org);
    const baseUrl = config.publicBaseUrl ?? (await readCredentials(config.home))?.base_url ?? null;
    const link = baseUrl && (await createSignInLink(tenancy, id, baseUrl));
    if (!link)
      throw new Failure(
        'A sign-in link needs an installation on this machine whose first account is still an admin. Create an account instead: POST /mgmt/users',
      );
    printResult(options, { link }, ['Open this link within 15 minutes. It works once:', link]);
  });
}

export async function runResealCommand(options: OutputOptions): Promise<void> {
  await withTenancy(async (tenancy, _ownerUrl, config) => {
    const keys = await readSecretKeys(config);
    const resealed = await resealSecrets(tenancy, keys);
    await new SigningKeys(tenancy, keys).storeCurrentKey();
    printResult(options, { resealed }, [
      `Connections whose secrets are now encrypted with the first key: ${resealed}.`,
    ]);
  });
}

export async function runRevokeSigningKeyCommand(id: string, options: OutputOptions): Promise<void> {
  await withTenancy(async (tenancy, _ownerUrl, config) => {
    await new SigningKeys(tenancy, await readSecretKeys(config)).revoke(id);
    printResult(options, { revoked: id }, [`Receipts signed with key ${id} are now invalid.`]);
  });
}

const readSecretKeys = async ({ secretKeys, home }: Config): Promise<SecretKeys> =>
  new SecretKeys(secretKeys ?? (await ensureSecretKeys(home)));

async function withTenancy(work: (tenancy: Tenancy, ownerUrl: string, config: Config) => Promise<void>): Promise<void> {
  await withDatabase(async (ownerUrl, config) => {
    const pool = openPool(config.appDatabaseUrl ?? readAppLogin(ownerUrl).url, { max: 2 });
    try {
      await work(new Tenancy(pool), ownerUrl, config);
    } finally {
      await pool.end();
    }
  });
}

/** If the embedded database isn't running, starts it for the duration of the command. */
async function withDatabase(work: (ownerUrl: string, config: Config) => Promise<void>): Promise<void> {
  const config = readConfig();
  if (config.databaseUrl) return work(config.databaseUrl, config);
  const postgres = await startEmbeddedPostgres({ home: config.home });
  try {
    await work(postgres.url, config);
  } finally {
    if (!postgres.wasRunning) await postgres.stop();
  }
}
