// A temporary PostgreSQL server for the benchmark, with durable writes as in production.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/adapters/embedded-postgres/start-embedded-postgres.ts';

export interface ThrowawayPostgres {
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startThrowawayPostgres(settings: string[] = []): Promise<ThrowawayPostgres> {
  const homeFolder = await mkdtemp(join(tmpdir(), 'svc-bench-postgres-'));
  await chmod(homeFolder, 0o711); // so that root can run the cluster there too
  const postgres = await startEmbeddedPostgres({
    home: homeFolder,
    settings: ['shared_buffers=256MB', 'max_connections=200', ...settings],
  });
  return {
    async createDatabase(name) {
      const admin = new pg.Client({ connectionString: postgres.url });
      await admin.connect();
      await admin.query(`create database ${pg.escapeIdentifier(name)}`);
      await admin.end();
      return Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href;
    },
    async stop() {
      await postgres.stop();
      await rm(homeFolder, { recursive: true, force: true });
      await rm(postgres.dataDir, { recursive: true, force: true });
    },
  };
}
