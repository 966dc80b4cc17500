// Starts the embedded PostgreSQL. svc reuses a postmaster that a killed svc process left running, restarts the
// postmaster if it dies, and stops it on exit.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withClient } from '../../platform/tenancy/database.ts';
import { prepareBinaries } from './binaries.ts';
import { createCluster, findCluster, OWNER_ROLE } from './cluster.ts';
import { findUnprivilegedUser } from './os-user.ts';
import {
  findPostmaster,
  isServing,
  type LaunchOptions,
  launchPostmaster,
  type Postmaster,
  stopPostmaster,
} from './postmaster.ts';

const DATABASE_NAME = 'svc';
const MAX_LAUNCH_ATTEMPTS = 3;
const POSTMASTER_CHECK_INTERVAL_MS = 500;

export interface EmbeddedPostgres {
  /** The URL of the control database for its owner, a superuser. Only migrations use this URL. */
  url: string;
  dataDir: string;
  /** True if another svc process started PostgreSQL, or if a killed svc process left it running. */
  wasRunning: boolean;
  /**
   * Restarts PostgreSQL if it dies, until svc calls `stop`. Only the process that holds the lock on SVC_HOME calls
   * `keepAlive`.
   */
  keepAlive(onRestart: () => void): void;
  stop(): Promise<void>;
}

export async function startEmbeddedPostgres(options: { home: string; settings?: string[] }): Promise<EmbeddedPostgres> {
  const { home, settings = [] } = options;
  await mkdir(home, { recursive: true, mode: 0o700 });
  const existingCluster = await findCluster(home);
  const user = await findUnprivilegedUser(existingCluster?.dataDir ?? null);
  const binFolder = await prepareBinaries(home, user);
  const { dataDir, password } = existingCluster ?? (await createCluster(home, binFolder, user));
  const launch: LaunchOptions = { binFolder, user, dataDir, settings, logFile: join(home, 'postgres.log') };
  const runningPostmaster = await findPostmaster(dataDir);
  let postmaster = runningPostmaster ?? (await findOrLaunchPostmaster(launch));
  const { port } = postmaster;
  const connectionUrl = (database: string) => `postgres://${OWNER_ROLE}:${password}@127.0.0.1:${port}/${database}`;
  let timer: NodeJS.Timeout | undefined;
  let launching: Promise<void> | null = null;
  const stop = async () => {
    clearInterval(timer);
    await launching;
    await stopPostmaster(postmaster, dataDir);
  };
  try {
    await createDatabase(connectionUrl('postgres'));
  } catch (fault) {
    if (!runningPostmaster) await stop();
    throw fault;
  }
  const restartIfStopped = async (onRestart: () => void) => {
    if (await isServing(postmaster.pid, dataDir)) return;
    postmaster = await launchPostmaster(launch, port);
    onRestart();
  };
  return {
    url: connectionUrl(DATABASE_NAME),
    dataDir,
    wasRunning: runningPostmaster !== null,
    keepAlive(onRestart) {
      timer = setInterval(() => {
        // If a start fails, for example because old sessions still exist, the next interval tries again.
        launching ??= restartIfStopped(onRestart)
          .catch(() => undefined)
          .finally(() => {
            launching = null;
          });
      }, POSTMASTER_CHECK_INTERVAL_MS);
    },
    stop,
  };
}

/**
 * Finds or starts the postmaster. Tries again if another program took the port, or if another svc process started the
 * cluster.
 */
async function findOrLaunchPostmaster(launch: LaunchOptions): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await launchPostmaster(launch);
    } catch (fault) {
      const otherPostmaster = await findPostmaster(launch.dataDir);
      if (otherPostmaster) return otherPostmaster;
      if (attempt === MAX_LAUNCH_ATTEMPTS) throw fault;
    }
  }
}

async function createDatabase(url: string): Promise<void> {
  await withClient({ connectionString: url, connectionTimeoutMillis: 15_000 }, (client) =>
    client.query(`create database ${DATABASE_NAME}`).catch((error: { code?: string }) => {
      if (error.code !== '42P04' && error.code !== '23505') throw error;
    }),
  );
}
