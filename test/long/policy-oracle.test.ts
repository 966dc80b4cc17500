// G20, complete: every statement that could reveal a hidden row, under every shape of policy, on every engine, by SQL.
// Each run searches for these statements on tables without hidden rows, so that new engine versions are covered.
import { expect, it } from 'vitest';
import { absent, lensOf, startPolicyApp } from '../support/policy-app.ts';
import { differences, SHAPES } from '../support/policy-oracle.ts';
import {
  asGuess,
  ENGINES,
  knownProbes,
  type Probe,
  probesOf,
  RIGHT,
  sqlOf,
  WRONG,
  writeProbes,
} from '../support/policy-probes.ts';

const app = await startPolicyApp(SHAPES);
const attributes = { region: 'West', level: 1 };
const caller = (await app.svc.mintCaller({ name: 'wendy', lenses: app.lenses, attributes })).key;

it.each(ENGINES.filter((engine) => !absent(engine)))(
  'G20: reveals nothing about hidden rows on %s, under any shape of row policy',
  async (engine) => {
    const probes = await knownProbes(engine);
    const probesByLens = SHAPES.flatMap((shape) => probes.map((probe) => ({ probe, lens: lensOf(engine, shape) })));
    expect((await differences(app.svc, caller, probesByLens)).different).toEqual([]);
  },
);

it.each(ENGINES.filter((engine) => !absent(engine)))(
  'lists every function and operator of %s that can test a guess about a value',
  async (engine) => {
    const told = new Map<string, Probe>();
    for (const probe of probesOf(engine)) {
      if (told.has(probe.name)) continue;
      const sql = sqlOf(probe);
      const right = await app.bare[engine](asGuess(sql, RIGHT));
      const wrong = await app.bare[engine](asGuess(sql, WRONG));
      if (right !== wrong) told.set(probe.name, probe);
    }
    if (process.env['SVC_WRITE_PROBES']) await writeProbes(engine, told.values());
    const known = new Set(await knownProbes(engine));
    expect([...told.values()].map(sqlOf).filter((sql) => !known.has(sql))).toEqual([]);
  },
);
