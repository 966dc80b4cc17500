// Work per ask, counted and compared with work-per-ask.json. If a change needs more work, `npm run work` writes the
// file again, and the commit message gives the reason.
import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { countWork, type Work } from './count-work.ts';

const BASELINE = new URL('work-per-ask.json', import.meta.url);
const ACCEPT = process.env['SVC_ACCEPT_WORK'] === '1';
const GROWTH = 1.1;
const NODE = process.versions.node.split('.')[0]!;

interface Baseline {
  /** Node.js counts its own functions differently in each major version. */
  node: string;
  asks: Record<string, Work>;
}
const counted: Record<string, Work> = await countWork();
if (ACCEPT) await writeFile(BASELINE, `${JSON.stringify({ node: NODE, asks: counted }, null, 2)}\n`);
const baseline: Baseline = JSON.parse(await readFile(BASELINE, 'utf8')) as Baseline;

it('needs at most 10 % more work per ask than the baseline', () => {
  const grown = grownIn(counted, baseline);
  const accept = 'Run `npm run work` to accept this, commit test/work/work-per-ask.json, and say why in the commit.';
  expect(grown, `${grown.join('\n')}\n${accept}`).toEqual([]);
});

it('has a baseline for each kind of ask', () => {
  expect(Object.keys(baseline.asks)).toEqual(Object.keys(counted));
  for (const [kind, work] of Object.entries(counted))
    for (const [measure, count] of Object.entries(work)) expect(count, `${kind}: ${measure}`).toBeGreaterThan(0);
});

it('reports a kind of ask that needs more work', () => {
  const more = structuredClone(counted);
  more['MCP query']!['functions of svc'] *= 2;
  more['SQL']!['round trips to the control database'] += 1;
  const asks = { node: NODE, asks: counted };
  expect(grownIn(more, asks)).toEqual([
    expect.stringMatching(/^SQL: 2 round trips to the control database, 1 in the baseline$/),
    expect.stringMatching(/^MCP query: \d+ functions of svc, \d+ in the baseline$/),
  ]);
});

const grownIn = (work: Record<string, Work>, { node, asks }: Baseline): string[] =>
  Object.entries(work).flatMap(([kind, measures]) =>
    Object.entries(measures).flatMap(([measure, count]) => {
      const before = asks[kind]?.[measure as keyof Work] ?? 0;
      if (count <= before * GROWTH || (measure === 'functions of Node.js' && node !== NODE)) return [];
      return [`${kind}: ${count} ${measure}, ${before} in the baseline`];
    }),
  );
