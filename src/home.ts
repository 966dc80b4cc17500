// Generated keys and credentials that an embedded installation keeps in SVC_HOME.
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSecretKeys, type SecretKey } from './platform/secret-keys.ts';

export interface Credentials {
  base_url: string;
  org_id: string;
  admin_token: string;
  caller_key: string;
  /** Null if /SKILL.md isn't served. */
  connect_line: string | null;
}

export async function prepareHome(homeFolder: string): Promise<void> {
  // If svc runs as root, its database runs as another OS user, which needs access to this folder. The permissions of
  // each file protect its contents.
  await mkdir(homeFolder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
}

/** svc generates the key only once, so that earlier receipts still verify. */
export async function ensureSecretKeys(homeFolder: string): Promise<SecretKey[]> {
  const path = join(homeFolder, 'secret.key');
  await writeFile(path, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return readSecretKeys(await readFile(path, 'utf8'));
}

export async function readCredentials(homeFolder: string): Promise<Credentials | null> {
  const text = await readFile(join(homeFolder, 'credentials.json'), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Credentials);
}

/** The file is written atomically, and only the owner can read it. */
export async function writeCredentials(homeFolder: string, credentials: Credentials): Promise<void> {
  const path = join(homeFolder, 'credentials.json');
  await writeFile(`${path}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

export const computeFingerprint = (files: Record<string, string>): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex');
