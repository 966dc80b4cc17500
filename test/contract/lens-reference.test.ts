// docs/lens-file.md describes every member of lens.yaml, and its examples are valid. ACCEPT_PAGE=1 writes the page
// again.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { startTestApp, type TestApp } from '../support/app.ts';
import { mergeYaml } from '../support/joined-yaml.ts';
import { pageOfLensFile, SECTIONS } from '../support/page-of-lens-file.ts';

const PROJECT = join(import.meta.dirname, '../..');
const PAGE = join(PROJECT, 'docs/lens-file.md');

it('docs/lens-file.md equals the page generated from the schema', () => {
  if (process.env['ACCEPT_PAGE']) writeFileSync(PAGE, pageOfLensFile());
  expect(readFileSync(PAGE, 'utf8')).toBe(pageOfLensFile());
});

it.each(SECTIONS)('describes each member of $title', ({ shape }) => {
  const silent = Object.entries(shape.properties!).filter(([, { description }]) => !description);
  expect(silent.map(([name]) => name)).toEqual([]);
});

describe('the examples of the reference', () => {
  let svc: TestApp;
  beforeAll(async () => {
    svc = await startTestApp({ project: PROJECT });
    await svc.admin('POST', '/callers', { name: 'west', groups: ['field'], attributes: { region: 'West' } });
  }, 120_000);

  // The first example has a different `data_as_of` from the second.
  it('are valid together, apart from the first, which is valid alone', async () => {
    const [first, ...otherSections] = SECTIONS.filter(({ example }) => example !== '');
    for (const examples of [[first!], otherSections]) {
      const { files } = (await svc.admin('GET', '/project/export')).body;
      for (const { lens, example } of examples) {
        const path = `lenses/${lens}/lens.yaml`;
        files[path] = stringify(mergeYaml(parse(files[path]!), parse(example)));
      }
      const planReply = await svc.admin('POST', '/project/plan', { files });
      expect([planReply.status, planReply.body.problems]).toEqual([200, []]);
      for (const name of new Set(examples.map(({ lens }) => lens)))
        expect(planReply.body.changes).toContainEqual(
          expect.objectContaining({ kind: 'lens', name, action: 'update' }),
        );
    }
  }, 120_000);
});
