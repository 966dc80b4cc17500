// Starts one temporary PostgreSQL server for the whole run, unless TEST_DATABASE_URL is set. Every test file clones its
// own database.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../src/adapters/embedded-postgres/start-embedded-postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
    /** The folder of warehouses built from files, by connection. */
    builtWarehouses: string;
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!project.isRootProject()) return; // inherits the server of the root project
  const built = await mkdtemp(join(tmpdir(), 'svc-built-'));
  project.provide('builtWarehouses', built);
  const removeBuilt = () => rm(built, { recursive: true, force: true });
  const configuredUrl = process.env['TEST_DATABASE_URL'];
  if (configuredUrl) {
    project.provide('postgresUrl', configuredUrl);
    return removeBuilt;
  }
  const homeFolder = await mkdtemp(join(tmpdir(), 'svc-test-'));
  await chmod(homeFolder, 0o711); // so that root can run the cluster there too
  const settings = [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'max_connections=300',
    'shared_buffers=256MB',
    'autovacuum=off',
  ];
  const postgres = await startEmbeddedPostgres({ home: homeFolder, settings });
  project.provide('postgresUrl', postgres.url);
  return async () => {
    await postgres.stop();
    await removeBuilt();
    await rm(homeFolder, { recursive: true, force: true });
    await rm(dirname(postgres.dataDir), { recursive: true, force: true });
  };
}
