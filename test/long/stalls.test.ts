// All 400 adversarial inputs to each interface.
import { afterAll, it } from 'vitest';
import { attacksAt, INPUTS, LANES, WAREHOUSE_MS, withstand, withstandOnRoutes } from '../support/door-attacks.ts';
import { openEngineStage } from '../support/engine-stage.ts';
import { NEEDS_MARIADB } from '../support/mariadb.ts';
import { attacksOnRoutes, inTurn } from '../support/schema-stage.ts';
import { type StallWatch, watchStalls } from '../support/stall-watch.ts';

const ALL = { from: 0, ms: 0, minPerDoor: INPUTS };
const stage = await openEngineStage({ callers: LANES, mysql: true, warehouseMs: WAREHOUSE_MS });
const watch: StallWatch = await watchStalls(stage.own.url);
afterAll(() => watch.stop());

it(`G15: serves others during 400 adversarial inputs to sql, metrics and the MCP sql tool${NEEDS_MARIADB}`, () =>
  withstand(stage, watch, attacksAt(stage, 'statements', ALL)));

it('G15: serves others during 400 adversarial questions, conversations and projects', () =>
  withstand(stage, watch, attacksAt(stage, 'words', ALL)));

it('serves others during the largest bodies that each route accepts, and frees their memory', async () => {
  const routes = await attacksOnRoutes(stage);
  const attacks = inTurn(routes, 0);
  await withstandOnRoutes(stage, watch, routes, { attacks, from: 0, ms: 0, minCount: attacks.length });
});
