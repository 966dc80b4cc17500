// Trino from Maven Central, with a verified checksum, if a suitable Java is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ENGINES_FOLDER, isThere } from '../engines-folder.ts';
import { javaForTrino, TRINO, TRINO_FOLDER } from './java.ts';

const ADDRESS = `https://repo1.maven.org/maven2/io/trino/trino-server/${TRINO}/${TRINO_FOLDER}.tar.gz`;

export async function installTrino(): Promise<string | null> {
  if (!javaForTrino()) return `Trino ${TRINO} needs Java 24 or later, which is not installed`;
  if (isThere(TRINO_FOLDER)) return null;
  const archive = join(ENGINES_FOLDER, `${TRINO_FOLDER}.tar.gz`);
  try {
    if (!isThere(`${TRINO_FOLDER}.tar.gz`)) await download(archive);
    const checksum = (await (await fetchOk(`${ADDRESS}.sha1`)).text()).trim().split(/\s/)[0];
    const hash = createHash('sha1');
    await pipeline(createReadStream(archive), hash);
    if (hash.digest('hex') !== checksum) {
      await rm(archive);
      return `${ADDRESS} came with another checksum than it should have`;
    }
  } catch (error) {
    return `${ADDRESS} could not be had (${(error as Error).message})`;
  }
  const unpacked = spawnSync('tar', ['xzf', archive, '-C', ENGINES_FOLDER], { stdio: 'inherit' }).status === 0;
  return unpacked ? null : `${archive} could not be unpacked`;
}

async function download(archive: string): Promise<void> {
  console.log(`getting ${ADDRESS} (820 MB)`);
  const { body } = await fetchOk(ADDRESS);
  await pipeline(Readable.fromWeb(body as never), createWriteStream(`${archive}.part`));
  await rename(`${archive}.part`, archive);
}

async function fetchOk(address: string): Promise<Response> {
  const reply = await fetch(address);
  if (!reply.ok || !reply.body) throw new Error(`${reply.status}`);
  return reply;
}
