// Chooses the OS user that runs PostgreSQL, because PostgreSQL refuses to run as root. If svc runs as root, PostgreSQL
// runs as a system account.
import { spawnSync } from 'node:child_process';
import { chown, readFile, stat } from 'node:fs/promises';

export interface OsUser {
  uid: number;
  gid: number;
}

/** The folder for files that the system account needs but can't access in SVC_HOME. */
export const SYSTEM_ACCOUNT_FOLDER = '/var/lib/svc';

/** Database processes don't inherit svc's environment, which contains keys and passwords. */
export const MINIMAL_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Returns null if svc doesn't run as root. For an existing cluster, returns the owner of its folder. */
export async function findUnprivilegedUser(dataDir: string | null): Promise<OsUser | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = dataDir && (await stat(dataDir));
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const account = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody');
  if (!account)
    throw new Error(
      'PostgreSQL can’t run as root, and this machine has no other account for it, such as postgres. Start svc as an ordinary user.',
    );
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

/** Tests access as the given user, because file modes, access lists and mounts all affect access. */
export function canWriteToFolder(folder: string, user: OsUser | null): boolean {
  const testArguments = ['-c', 'cd "$0" && test -w .', folder];
  return !user || spawnSync('/bin/sh', testArguments, { ...user, cwd: '/', env: MINIMAL_ENVIRONMENT }).status === 0;
}

export async function changeOwner(path: string, user: OsUser | null): Promise<void> {
  if (user) await chown(path, user.uid, user.gid);
}
