// A sample of the 400 adversarial inputs to each interface. test/long/stalls.test.ts runs all of them.
import { afterAll, it } from 'vitest';
import { attacksAt, INPUTS, LANES, WAREHOUSE_MS, withstand } from '../support/door-attacks.ts';
import { openEngineStage } from '../support/engine-stage.ts';
import { NEEDS_MARIADB } from '../support/mariadb.ts';
import { type StallWatch, watchStalls } from '../support/stall-watch.ts';

/** The first input of the run, chosen at random. A failed test reports this index. */
const FROM = Number(process.env['SVC_STALLS_FROM'] ?? Math.floor(Math.random() * INPUTS));
const SAMPLE = { from: FROM, ms: 20_000, minPerDoor: 15 };
const stage = await openEngineStage({ callers: LANES, mysql: true, warehouseMs: WAREHOUSE_MS });
const watch: StallWatch = await watchStalls(stage.own.url);
afterAll(() => watch.stop());

it(`G15: answers hostile SQL and plans on each engine without stalling other requests${NEEDS_MARIADB}`, () =>
  withstand(stage, watch, attacksAt(stage, 'statements', SAMPLE)));

it('G15: answers hostile questions, conversations and project files without stalling other requests', () =>
  withstand(stage, watch, attacksAt(stage, 'words', SAMPLE)));
