// Creates the PostgreSQL cluster in SVC_HOME. svc writes SVC_HOME/postgres.json last, and ignores a cluster that this
// file doesn't name. An interrupted start or two simultaneous starts therefore do no damage.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, link, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { canWriteToFolder, changeOwner, MINIMAL_ENVIRONMENT, type OsUser, SYSTEM_ACCOUNT_FOLDER } from './os-user.ts';

export const OWNER_ROLE = 'svc_owner';

export interface Cluster {
  dataDir: string;
  password: string;
}

const toClusterFilePath = (homeFolder: string): string => join(homeFolder, 'postgres.json');

export async function findCluster(homeFolder: string): Promise<Cluster | null> {
  let text: string;
  try {
    text = await readFile(toClusterFilePath(homeFolder), 'utf8');
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`${homeFolder} belongs to another user. Start svc as that user, or with another SVC_HOME.`);
  }
  const { data_dir, password } = JSON.parse(text) as { data_dir: string; password: string };
  const dataDir = resolve(homeFolder, data_dir);
  if (!existsSync(dataDir))
    throw new Error(
      `The database of ${homeFolder} is missing: ${dataDir} does not exist. Restore it, or delete ${homeFolder} to start with an empty database.`,
    );
  return { dataDir, password };
}

export async function createCluster(homeFolder: string, binFolder: string, user: OsUser | null): Promise<Cluster> {
  const folder = await createClusterFolder(homeFolder, user);
  const password = randomBytes(24).toString('hex');
  const dataDir = join(folder, 'data');
  try {
    await initializeCluster(binFolder, user, folder, dataDir, password);
    const data_dir = folder.startsWith(homeFolder) ? relative(homeFolder, dataDir) : dataDir;
    const draftFile = `${toClusterFilePath(homeFolder)}.${basename(folder)}`;
    await writeFile(draftFile, `${JSON.stringify({ data_dir, owner: OWNER_ROLE, password }, null, 2)}\n`, {
      mode: 0o600,
    });
    // `link` never replaces an existing file. If two svc processes start at once, both use the cluster of the process
    // that links its file first.
    const isFirst = await link(draftFile, toClusterFilePath(homeFolder)).then(
      () => true,
      () => false,
    );
    await rm(draftFile);
    if (isFirst) return { dataDir, password };
    await rm(folder, { recursive: true, force: true });
    return (await findCluster(homeFolder))!;
  } catch (fault) {
    await rm(folder, { recursive: true, force: true });
    throw fault;
  }
}

/** Creates a folder in SVC_HOME, or in SYSTEM_ACCOUNT_FOLDER if the OS user can't access SVC_HOME. */
async function createClusterFolder(homeFolder: string, user: OsUser | null): Promise<string> {
  for (const parentFolder of [homeFolder, SYSTEM_ACCOUNT_FOLDER]) {
    await mkdir(parentFolder, { recursive: true, mode: 0o755 });
    const folder = await mkdtemp(join(parentFolder, 'postgres-'));
    await chmod(folder, 0o700);
    await changeOwner(folder, user);
    if (canWriteToFolder(folder, user)) return folder;
    await rm(folder, { recursive: true });
  }
  throw new Error(`The OS user that runs PostgreSQL has no access to ${homeFolder} or ${SYSTEM_ACCOUNT_FOLDER}.`);
}

async function initializeCluster(
  binFolder: string,
  user: OsUser | null,
  folder: string,
  dataDir: string,
  password: string,
): Promise<void> {
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  await changeOwner(passwordFile, user);
  const login = [`--username=${OWNER_ROLE}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const args = [`--pgdata=${dataDir}`, ...login, ...locale, '--no-sync'];
  const child = spawn(join(binFolder, 'initdb'), args, {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: MINIMAL_ENVIRONMENT,
  });
  let errorOutput = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errorOutput += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number];
  await rm(passwordFile, { force: true });
  if (code !== 0) throw new Error(`PostgreSQL could not create its cluster in ${folder}: ${errorOutput.trim()}`);
}
