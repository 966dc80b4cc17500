// Stores the rate limit shares of replicas in a small unlogged table.
import type { ReserveShare } from './rate-limit.ts';
import type { Tenancy } from './tenant.ts';

const RESERVE_SHARE = `insert into svc.rate_shares as held (bucket, window_start, taken) values ($1, $2, $3)
  on conflict (bucket, window_start) do update set taken = held.taken + excluded.taken returning taken`;
const DELETE_OLD_SHARES = 'delete from svc.rate_shares where window_start < $1';

export function createShareReserver(tenancy: Tenancy): ReserveShare {
  let sweptWindow = 0;
  return async (bucket, window, requestedCount) => {
    if (window > sweptWindow) {
      sweptWindow = window;
      await tenancy.queryGlobal(DELETE_OLD_SHARES, [window - 1]);
    }
    const rows = await tenancy.queryGlobal<{ taken: number }>(RESERVE_SHARE, [bucket, window, requestedCount]);
    return rows[0]!.taken;
  };
}
