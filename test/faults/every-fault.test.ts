import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/own-process.ts';

it('names the test files of F01 to F26 in faults.md, and npm run faults runs each of them', async () => {
  const page = await readFile(join(ROOT, 'docs/measurements/faults.md'), 'utf8');
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { scripts: { faults: string } };
  const rows = [...page.matchAll(/^\| (F\d\d) \|.*\| (.*) \|$/gm)];
  expect(rows.map(([, fault]) => fault)).toEqual(
    Array.from({ length: 26 }, (_, n) => `F${String(n + 1).padStart(2, '0')}`),
  );
  for (const [, fault, cell] of rows) {
    const files = cell!.match(/test\/[\w/.-]+\.ts/g)!;
    for (const file of files) {
      await readFile(join(ROOT, file), 'utf8');
      const run =
        fault === 'F22' ||
        scripts.faults.split(/\s+/).some((path) => path.startsWith('test/') && file.startsWith(path));
      expect(run, `npm run faults and ${file}`).toBe(true);
    }
  }
});
