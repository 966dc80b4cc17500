// Stage 9: all 400 adversarial inputs to each door.
import { afterAll, it } from 'vitest';
import { attacksAt, INPUTS, LANES, WAREHOUSE_MS, withstand, withstandOnRoutes } from '../support/door-attacks.ts';
import { openEngineStage } from '../support/engine-stage.ts';
import { NEEDS_MARIADB } from '../support/mariadb.ts';
import { attacksOnRoutes, inTurn } from '../support/schema-stage.ts';
import { type StallWatch, watchStalls } from '../support/stall-watch.ts';

const ALL = { from: 0, ms: 0, fewest: INPUTS };
const stage = await openEngineStage({ callers: LANES, mysql: true, warehouseMs: WAREHOUSE_MS });
const watch: StallWatch = await watchStalls(stage.own.url);
afterAll(() => watch.stop());

it(`9, G15: 400 inputs to sql on each engine, the sql tool of MCP and metrics stall nobody${NEEDS_MARIADB}`, () =>
  withstand(stage, watch, attacksAt(stage, 'statements', ALL)));

it('9, G15: 400 questions, conversations and projects stall nobody', () =>
  withstand(stage, watch, attacksAt(stage, 'words', ALL)));

it('all of the largest bodies that the schema of each route accepts stall nobody and leave nothing behind', async () => {
  const routes = await attacksOnRoutes(stage);
  const attacks = inTurn(routes, 0);
  await withstandOnRoutes(stage, watch, routes, { attacks, from: 0, ms: 0, least: attacks.length });
});
