// The OpenAPI document of the real app, without a database. Run as a program, it writes the document to the given file
// for linters.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import pino from 'pino';
import { readConfig } from '../../src/config.ts';
import { SecretKeys } from '../../src/platform/secret-keys.ts';
import { openPool } from '../../src/platform/tenancy/database.ts';
import { wireService } from '../../src/wire.ts';

const NOWHERE = 'postgres://nobody@127.0.0.1:1/nothing';

export async function openApiDocument(): Promise<Record<string, unknown>> {
  const config = readConfig({
    DATABASE_URL: NOWHERE,
    SVC_DEMO_ORG_ID: 'demo',
    SVC_LOG_LEVEL: 'silent',
    SVC_PROJECT: 'test',
  });
  const pool = openPool(NOWHERE);
  const service = await wireService({
    config,
    pool,
    log: pino({ level: 'silent' }),
    keys: new SecretKeys([]),
    controlDatabase: NOWHERE,
  });
  service.state.address = 'http://127.0.0.1:8080';
  await service.app.ready();
  const document = service.app.swagger() as unknown as Record<string, unknown>;
  await service.app.close();
  await service.close();
  await pool.end();
  return document;
}

const [, program, file] = process.argv;
if (file && program && import.meta.url === pathToFileURL(program).href) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(await openApiDocument(), null, 2));
}
