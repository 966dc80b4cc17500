// Stage 9: all 400 adversarial inputs to each door.
import { afterAll, beforeAll, it } from 'vitest';
import { INPUTS, LANES, WAREHOUSE_MS, withstand } from '../support/door-attacks.ts';
import { type EngineStage, openEngineStage } from '../support/engine-stage.ts';
import { NEEDS_MARIADB } from '../support/mariadb.ts';
import { type StallWatch, watchStalls } from '../support/stall-watch.ts';

const ALL = { from: 0, ms: 0, fewest: INPUTS };

let stage: EngineStage;
let watch: StallWatch;
beforeAll(async () => {
  stage = await openEngineStage({ callers: LANES, mysql: true, warehouseMs: WAREHOUSE_MS });
  watch = await watchStalls(stage.own.url);
}, 240_000);
afterAll(async () => {
  watch?.stop();
  await stage?.close();
});

it(`9, G15: 400 inputs to sql on each engine, the sql tool of MCP and metrics stall nobody${NEEDS_MARIADB}`, () =>
  withstand(stage, watch, { doors: 'statements', ...ALL }));

it('9, G15: 400 questions, conversations and projects stall nobody', () =>
  withstand(stage, watch, { doors: 'words', ...ALL }));
