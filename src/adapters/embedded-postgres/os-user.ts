// PostgreSQL refuses to run as root, so root lends it an unprivileged account of the system and a place it can reach.

import { createHash } from 'node:crypto';
import { chown, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export interface OsUser {
  uid: number;
  gid: number;
}

/** Null for an ordinary user: Postgres then runs as that user. */
export async function unprivilegedUser(): Promise<OsUser | null> {
  if (process.getuid?.() !== 0) return null;
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const account = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody');
  if (!account)
    throw new Error(
      'PostgreSQL cannot run as root, and there is no account postgres or nobody to run it as. Start svc as an ordinary user.',
    );
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

/** Where the cluster lives: in the home, or where the OS user can enter; the home then says where. */
export async function clusterFolder(home: string, user: OsUser | null): Promise<string> {
  const inHome = join(home, 'postgres');
  if (!user || (await canEnter(await realpath(home), user))) return inHome;
  const elsewhere = join(
    '/var/lib/svc',
    createHash('sha256')
      .update(await realpath(home))
      .digest('hex')
      .slice(0, 16),
  );
  await mkdir(elsewhere, { recursive: true, mode: 0o755 });
  await writeFile(join(home, 'postgres-location.txt'), `${elsewhere}\n`);
  return elsewhere;
}

export async function giveTo(path: string, user: OsUser | null): Promise<void> {
  if (user) await chown(path, user.uid, user.gid);
}

async function canEnter(folder: string, user: OsUser): Promise<boolean> {
  for (let here = folder; ; here = dirname(here)) {
    const { mode, uid, gid } = await stat(here);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (here === dirname(here)) return true;
  }
}
