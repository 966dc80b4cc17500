// A service in a temporary PostgreSQL database, without a port.
import { randomBytes } from 'node:crypto';
import pino from 'pino';
import type { TemporaryPostgres } from '../adapters/embedded-postgres/temporary-postgres.ts';
import type { Cassette } from '../adapters/language-model/cassette.ts';
import { readTemporaryConfig } from '../config.ts';
import { createId } from '../platform/ids.ts';
import { readSecretKeys, SecretKeys } from '../platform/secret-keys.ts';
import { openPool } from '../platform/tenancy/database.ts';
import { createOrganization, migrate, readAppLogin } from '../platform/tenancy/migrate.ts';
import { type WiredService, wireService } from '../wire.ts';

export async function runInTemporaryService<T>(
  { home, controlUrl }: TemporaryPostgres,
  { project, cassette = null }: { project: string; cassette?: Cassette | null },
  work: (service: WiredService, orgId: string) => Promise<T>,
): Promise<T> {
  await migrate(controlUrl);
  const config = readTemporaryConfig({ project, home, controlUrl });
  const pool = openPool(readAppLogin(controlUrl).url, { max: 5 });
  const keys = new SecretKeys(readSecretKeys(randomBytes(32).toString('hex')));
  const log = pino({ level: 'silent' });
  const service = await wireService({ config, pool, log, keys, controlDatabase: controlUrl, cassette });
  try {
    return await work(service, await createOrganization(controlUrl, 'temporary', createId()));
  } finally {
    await service.app.close();
    await service.close();
    await pool.end();
  }
}
