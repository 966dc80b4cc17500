// G20, all of it: every statement that can tell of a hidden row, under every shape of policy, on every engine, by SQL. The
// statements are found anew on tables that nothing hides, so that a new version of an engine is asked what it can tell.
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { absent, lensOf, type PolicyApp, startPolicyApp } from '../support/policy-app.ts';
import { differences, SHAPES } from '../support/policy-oracle.ts';
import { asGuess, ENGINES, knownProbes, probesFile, probesOf, RIGHT, WRONG } from '../support/policy-probes.ts';

let app: PolicyApp;
let caller: string;
beforeAll(async () => {
  app = await startPolicyApp(SHAPES);
  const attributes = { region: 'West', level: 1 };
  caller = (await app.svc.mintCaller({ name: 'wendy', lenses: app.lenses, attributes })).key;
});
afterAll(() => app?.close());

it.each(ENGINES.filter((engine) => !absent(engine)))(
  '9.1 to 9.3, G20: %s tells nothing, under any shape',
  async (engine) => {
    const probes = await knownProbes(engine);
    const asked = SHAPES.flatMap((shape) => probes.map((probe) => ({ probe, lens: lensOf(engine, shape) })));
    expect((await differences(app.svc, caller, asked)).different).toEqual([]);
  },
);

it.each(ENGINES.filter((engine) => !absent(engine)))(
  '9.1 to 9.3: the functions and operators of %s that tell where nothing hides are those that are known',
  async (engine) => {
    const told = new Map<string, string>();
    for (const { name, sql } of probesOf(engine)) {
      if (told.has(name)) continue;
      const right = await app.bare[engine](asGuess(sql, RIGHT));
      const wrong = await app.bare[engine](asGuess(sql, WRONG));
      if (right !== wrong) told.set(name, sql);
    }
    if (process.env['SVC_WRITE_PROBES'])
      await writeFile(probesFile(engine), `${JSON.stringify(Object.fromEntries(told), null, 2)}\n`);
    const known = new Set(await knownProbes(engine));
    expect([...told.values()].filter((sql) => !known.has(sql))).toEqual([]);
  },
);
