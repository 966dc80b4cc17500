// PostgreSQL refuses to run as root, so root lends it an unprivileged account of the system.
import { spawnSync } from 'node:child_process';
import { chown, readFile, stat } from 'node:fs/promises';

export interface OsUser {
  uid: number;
  gid: number;
}

/** Root's place for what the unprivileged account must reach and cannot reach in SVC_HOME. */
export const SHARED_PLACE = '/var/lib/svc';

/** Database processes get none of our variables: keys and passwords stay with us. */
export const BARE_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Null for an ordinary user: Postgres then runs as that user. A cluster that exists is run as its owner. */
export async function unprivilegedUser(dataDir: string | null): Promise<OsUser | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = dataDir && (await stat(dataDir));
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const account = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody');
  if (!account)
    throw new Error(
      'PostgreSQL can not run as root, and this machine has no other account for it, such as postgres. Start svc as an ordinary user.',
    );
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

/** Asked of the system itself: modes, access lists and mounts all count. */
export function canUse(folder: string, user: OsUser | null): boolean {
  const test = ['-c', 'cd "$0" && test -w .', folder];
  return !user || spawnSync('/bin/sh', test, { ...user, cwd: '/', env: BARE_ENVIRONMENT }).status === 0;
}

export async function giveTo(path: string, user: OsUser | null): Promise<void> {
  if (user) await chown(path, user.uid, user.gid);
}
