// Tests for every engine: the guard refuses all attacks and allows every legitimate statement, and the adapter passes
// the checks for plugins.
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { ConnectionConfig } from '../../src/contract/files/connection-settings.ts';
import { ENGINES } from '../../src/engines/engines.ts';
import { corpusOf } from '../guard/engines/corpus.ts';
import { runChecks } from '../plugin-kit/run-checks.ts';
import { warehouseChecks } from '../plugin-kit/warehouse-checks.ts';
import type { EngineStage } from './engine-stage.ts';
import { ENGINES_FOLDER } from './engines-folder.ts';

export const adapterOf = (kind: string) => ENGINES.find((item) => item.kind === kind)!;
export const ENGINE_CONTEXT = { projectFolder: ENGINES_FOLDER, home: ENGINES_FOLDER, owner: 'test' };

/** The workshop lens with `rating` hidden, and the two fields that the statements read. */
export const withoutRating = (lens: string): string =>
  lens
    .replace('      rating: {datatype: integer, aggregation: average}\n', '')
    .replace(
      '      kind: {datatype: string, values: auto}\n',
      '      client_id: {datatype: integer}\n      site_id: {datatype: integer}\n      kind: {datatype: string, values: auto}\n',
    );

async function statusesOf(stage: EngineStage, statements: readonly string[], isWanted: (status: number) => boolean) {
  const failures: string[] = [];
  for (const sql of statements) {
    const { status, body } = await stage.svc.post('/v1/sql', { lens: 'workshop', sql });
    if (!isWanted(status)) failures.push(`${sql}: ${body.error?.message ?? status}`);
  }
  return failures;
}

export const findRefusedLegitimate = (stage: EngineStage, kind: string): Promise<string[]> =>
  statusesOf(stage, corpusOf(kind).legitimate, (status) => status === 200);

/** `reached` returns the statements that reached the engine since the previous call, except those of svc itself. */
export function guardSuite(kind: string, stage: () => EngineStage, reached: () => Promise<string[]>): void {
  describe('the guard', () => {
    it('lets no attack reach the engine', async () => {
      await reached();
      expect(await statusesOf(stage(), corpusOf(kind).attacks, (status) => status !== 200)).toEqual([]);
      expect(await reached()).toEqual([]);
    }, 300_000);
    it('allows every legitimate statement, and the engine runs it', async () => {
      expect(await findRefusedLegitimate(stage(), kind)).toEqual([]);
    }, 300_000);
  });
}

export function kitSuite(kind: string, connection: () => ConnectionConfig): void {
  it('passes every check of the conformance kit', { timeout: 300_000 }, async () => {
    const checks = warehouseChecks({
      adapter: adapterOf(kind),
      connection: connection(),
      context: ENGINE_CONTEXT,
      table: 'payments',
    });
    const results = await runChecks(checks, () => undefined);
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
  });
}

export function clientMissing(kind: string, client: string, connection: () => ConnectionConfig): void {
  it('names the package to install when the client is missing', async () => {
    const without = adapterOf(kind).open(connection(), { ...ENGINE_CONTEXT, projectFolder: tmpdir() });
    await expect(without).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(`npm install ${client}`),
    });
  });
}
