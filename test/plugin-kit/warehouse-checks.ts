// Checks what svc needs from a warehouse. Each check opens the connection again, so that checks are independent.
import { assertSame, assertTrue, type Check } from './check.ts';
import { catalogChecks } from './warehouse-catalog.ts';
import { limitChecks } from './warehouse-limits.ts';
import { safetyChecks } from './warehouse-safety.ts';
import { type FamilyChecks, type WarehouseUnderTest, withOpen } from './warehouse-under-test.ts';
import { valueChecks } from './warehouse-values.ts';

export function warehouseChecks(target: WarehouseUnderTest): Check[] {
  const families: Record<string, FamilyChecks> = {
    ...valueChecks,
    ...limitChecks,
    ...safetyChecks(target),
    ...catalogChecks,
    adapter: ADAPTER_CHECKS,
  };
  return Object.entries(families).flatMap(([family, checks]) =>
    Object.entries(checks).map(([name, prove]) => ({
      family,
      name,
      run: () => withOpen(target, (session) => prove(session, target)),
    })),
  );
}

const ADAPTER_CHECKS: FamilyChecks = {
  'accepts the dialect that the adapter declares': async ({ warehouse }, { adapter }) =>
    assertSame(warehouse.dialect, adapter.dialect, 'dialect'),
  'has the same revision while nothing changes': async (_session, { adapter, connection, context }) =>
    assertSame(
      await adapter.revision?.(connection, context),
      await adapter.revision?.(connection, context),
      'the revision of the same connection, asked twice',
    ),
  'reports its state, its version and whether it can write': async ({ warehouse }) => {
    const health = await warehouse.test();
    assertTrue(health.ok === true, `test() of a reachable warehouse is not ok: ${health.error}`);
    assertTrue(Number.isFinite(health.latencyMs) && health.latencyMs >= 0, 'latencyMs is not a duration');
    assertTrue(
      health.serverVersion === null || typeof health.serverVersion === 'string',
      'serverVersion is not a string',
    );
    assertSame(health.readOnly, true, 'readOnly');
  },
};
