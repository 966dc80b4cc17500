import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { importPlugin, type Plugin } from '../../src/adapters/plugins.ts';
import { pluginChecks } from '../plugin-kit/plugin-checks.ts';
import { type ModelProvider, startModelProvider } from '../support/model-provider.ts';
import { ROOT, runSvc } from '../support/own-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const EXAMPLE = join(ROOT, 'test/fixtures/svc-plugin-example');
const plugin = (await importPlugin(EXAMPLE, ROOT)) as Plugin;
const connections = {
  cities: { kind: 'plugin:example', table: 'cities', csv: 'city,country\nBergen,NO\nOslo,NO\nGraz,AT\nNowhere,\n' },
};

describe('the example plugin passes', () => {
  for (const { family, name, run } of pluginChecks(plugin, {
    connections,
    models: { embedder: { provider: 'example' } },
  }))
    it(`${family}: ${name}`, { timeout: 60_000 }, run);
});

describe('svc plugin test', () => {
  let project: string;
  let provider: ModelProvider;
  beforeAll(async () => {
    provider = await startModelProvider();
    project = await temporaryFolder();
    await mkdir(join(project, 'node_modules/svc-no-plugin'), { recursive: true });
    await symlink(EXAMPLE, join(project, 'node_modules/svc-plugin-example'));
    await writeFile(
      join(project, 'node_modules/svc-no-plugin/package.json'),
      '{"type": "module", "exports": "./i.js"}',
    );
    await writeFile(join(project, 'node_modules/svc-no-plugin/i.js'), 'export default { warehouses: [{ kind: "x" }] }');
    await writeFile(
      join(project, 'svc.config.yaml'),
      JSON.stringify({
        connections,
        models: {
          embedder: { provider: 'example' },
          // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of svc.config.yaml
          fast: { provider: 'example', model: 'm', base_url: provider.baseUrl, api_key: '${OPENAI_API_KEY}' },
        },
      }),
    );
  });

  async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    const child = runSvc(['plugin', 'test', ...args], { SVC_PROJECT: project, OPENAI_API_KEY: 'k' });
    const [stdout, err]: string[] = ['', ''];
    const outputs = { out: stdout!, err: err! };
    child.stdout!.on('data', (data: Buffer) => {
      outputs.out += data.toString();
    });
    child.stderr!.on('data', (data: Buffer) => {
      outputs.err += data.toString();
    });
    const [code] = (await once(child, 'close')) as [number];
    return { code, ...outputs };
  }

  it('checks the parts of a plugin that svc.config.yaml uses', { timeout: 120_000 }, async () => {
    const { code, out, err } = await run('svc-plugin-example', '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { failed, results } = JSON.parse(out) as { failed: number; results: { family: string; name: string }[] };
    expect(failed).toBe(0);
    expect(new Set(results.map(({ name }) => name.split(':')[0]))).toEqual(new Set(['cities', 'embedder', 'fast']));
  });
  it('reports failed checks, and distinguishes wrong usage from a broken plugin', { timeout: 120_000 }, async () => {
    expect(await run('svc-plugin-example', '--table', 'towns')).toMatchObject({
      code: 1,
      out: expect.stringContaining('the catalog names no table towns'),
    });
    expect(await run('svc-absent')).toMatchObject({ code: 2, err: expect.stringContaining('svc-absent') });
    expect(await run('svc-no-plugin')).toMatchObject({ code: 1, err: expect.stringContaining('warehouses.0.kind') });
  });
});
