import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { readProject } from '../../src/lens/files/read-project.ts';
import { measurePrompts } from '../bench/prompts.ts';
import { ROOT } from '../support/own-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const page = await readFile(join(ROOT, 'docs/models.md'), 'utf8');

it('accepts the configuration that docs/models.md shows', async () => {
  const [yaml] = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text!);
  const [names] = [...page.matchAll(/SVC_PROJECT_ENV=(\S+)/g)].map(([, text]) => text!);
  const project = await temporaryFolder();
  await writeFile(join(project, 'svc.config.yaml'), yaml!);
  const env = { SVC_PROJECT: project, SVC_PROJECT_ENV: names, MODEL_KEY: 'a-key' };
  const { operator } = readConfig(env);
  expect(operator.models).toMatchObject({
    fast: { model: 'small-model', base_url: 'https://provider.example/v1', api_key: 'a-key' },
    smart: { model: 'large-model', timeout_ms: 60_000 },
  });
});

it('reports an invalid setting, at startup and in a plan', async () => {
  const text = 'typed_decisions: always\n';
  const { problems } = readProject({ 'svc.config.yaml': text });
  expect(problems).toMatchObject([{ line: 1, message: expect.stringContaining('Valid: auto, off') }]);
  const project = await temporaryFolder();
  await writeFile(join(project, 'svc.config.yaml'), text);
  expect(() => readConfig({ SVC_PROJECT: project })).toThrow(
    /svc.config.yaml:1:18: There is no typed_decisions "always"/,
  );
});

it('keeps at least two thirds of each kind of prompt as a constant prefix', async () => {
  const { prompts: promptSizes } = await measurePrompts();
  expect(promptSizes.map(({ lens }) => lens)).toEqual(['flights', 'superstore']);
  for (const { lens, same_at_the_head, lens_signs, schema_signs } of promptSizes) {
    expect(same_at_the_head, lens).toBeGreaterThan(2 / 3);
    expect(lens_signs, lens).toBeLessThan(8_000);
    expect(schema_signs).toBeLessThan(14_500);
  }
});
