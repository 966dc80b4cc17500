import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { svcSays } from '../support/own-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MODEL = `version: 0.1.1
semantic_model:
  - name: quay
    datasets:
      - {name: calls, source: main.calls, fields: [{name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}, datatype: Integer}]}
`;
const MINUTE = 120_000;
const folder = await temporaryFolder();
await writeFile(join(folder, 'model.yaml'), MODEL);

async function runImport(connections: string): Promise<{ code: number | null; said: string }> {
  await writeFile(join(folder, 'svc.config.yaml'), `connections: ${connections}\n`);
  return svcSays(['import', 'ossie', 'model.yaml'], {}, folder);
}

test(
  'uses the only connection of the project, and keeps a lens that is already there',
  async () => {
    const connections = '{core: {kind: duckdb, path: ./core.duckdb}}';
    const lensFile = join(folder, 'lenses/quay/lens.yaml');
    expect(await runImport(connections)).toMatchObject({ code: 0 });
    expect(await readFile(lensFile, 'utf8')).toContain('connection: core');
    await writeFile(lensFile, '# edited by hand');
    const { code, said } = await runImport(connections);
    expect([code, said]).toEqual([1, expect.stringContaining('lenses/quay already exists. Move it')]);
    expect(await readFile(lensFile, 'utf8')).toBe('# edited by hand');
  },
  MINUTE,
);

test.each([
  ['{core: {kind: duckdb, path: ./a.duckdb}, lake: {kind: duckdb, path: ./b.duckdb}}', /--connection: core, lake/],
  ['{}', /no connection yet.*--connection NAME/],
])(
  'asks for --connection instead of choosing from %s',
  async (connections, told) => {
    const { code, said } = await runImport(connections);
    expect([code, said]).toEqual([2, expect.stringMatching(told)]);
  },
  MINUTE,
);
