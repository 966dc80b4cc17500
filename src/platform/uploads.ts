// A connection refers to an upload as `upload:<id>/<name>`. Only connections of the same organization can read it.
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createId } from './ids.ts';
import { Problem } from './problem.ts';

export const MAX_UPLOAD_BYTES = 100 * 2 ** 20;
const MAX_ORG_UPLOAD_BYTES = 2 ** 30;
const MIN_UNUSED_AGE_MS = 86_400_000;
const UPLOAD_PATH_PATTERN = /^upload:([0-9a-f-]{36})\/(\w+(?:\.\w+){1,2})$/;

export const isUpload = (path: string): boolean => path.startsWith('upload:');

/** Null if the path isn't an upload. */
export function resolveUploadPath(homeFolder: string, orgId: string, path: string): string | null {
  const [, id, name] = UPLOAD_PATH_PATTERN.exec(path) ?? [];
  return id && name ? join(resolve(homeFolder), 'uploads', orgId, id, name) : null;
}

export class Uploads {
  readonly #homeFolder: string;
  constructor(homeFolder: string) {
    this.#homeFolder = homeFolder;
  }

  /** Returns the path for a connection's configuration, and the size. */
  async add(orgId: string, name: string, body: Readable): Promise<{ path: string; bytes: number }> {
    const id = createId();
    const folder = join(this.#toFolder(orgId), id);
    const remainingBytes = Math.min(MAX_UPLOAD_BYTES, MAX_ORG_UPLOAD_BYTES - (await this.#sumUsedBytes(orgId)));
    let bytes = 0;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      // If reading stops early, keep the request stream open, because the response uses the same socket.
      const chunks: AsyncIterable<Buffer> = body.iterator({ destroyOnReturn: false });
      await pipeline(
        async function* countBytes() {
          for await (const chunk of chunks) {
            bytes += chunk.length;
            if (bytes > remainingBytes) throw new Problem('too_large', createTooLargeMessage(remainingBytes));
            yield chunk;
          }
        },
        createWriteStream(join(folder, name), { mode: 0o600, flags: 'wx' }),
      );
      // Checks the limit again, because other uploads may have finished in the meantime.
      if ((await this.#sumUsedBytes(orgId)) > MAX_ORG_UPLOAD_BYTES)
        throw new Problem('too_large', createTooLargeMessage(0));
    } catch (fault) {
      await rm(folder, { recursive: true, force: true });
      throw fault;
    }
    return { path: `upload:${id}/${name}`, bytes };
  }

  /** Keeps new uploads for a day, because their connection may not exist yet. */
  async dropUnused(orgId: string, usedIds: ReadonlySet<string>, now: number): Promise<void> {
    for (const id of await this.#listIds(orgId)) {
      const folder = join(this.#toFolder(orgId), id);
      const { mtimeMs } = await stat(folder);
      if (!usedIds.has(id) && now - mtimeMs > MIN_UNUSED_AGE_MS) await rm(folder, { recursive: true, force: true });
    }
  }

  async drop(orgId: string, ids: Iterable<string>): Promise<void> {
    for (const id of ids) await rm(join(this.#toFolder(orgId), id), { recursive: true, force: true });
  }

  async #sumUsedBytes(orgId: string): Promise<number> {
    let bytes = 0;
    for (const id of await this.#listIds(orgId)) {
      const folder = join(this.#toFolder(orgId), id);
      for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size;
    }
    return bytes;
  }

  #listIds(orgId: string): Promise<string[]> {
    return readdir(this.#toFolder(orgId)).catch(() => []);
  }

  #toFolder(orgId: string): string {
    return join(resolve(this.#homeFolder), 'uploads', orgId);
  }
}

export const findUploadIds = (configs: unknown): Set<string> =>
  new Set([...JSON.stringify(configs).matchAll(/"upload:([0-9a-f-]{36})\//g)].map(([, id]) => id!));

const createTooLargeMessage = (room: number): string =>
  room === MAX_UPLOAD_BYTES
    ? 'The file is larger than 100 MB. Convert the file to Parquet, or copy it to the server and enter its path.'
    : 'The files of your organization would take more than 1 GB. Delete connections that you no longer need.';
