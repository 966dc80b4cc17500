// Makes asks wait for their caller's turn. All surfaces share one scheduler.
import type { Scheduler } from '../platform/schedule/scheduler.ts';
import { type Ask, wrapAsks } from './entrances.ts';

export const createScheduledAsk = (ask: Ask, scheduler: Pick<Scheduler, 'schedule'>): Ask =>
  wrapAsks(ask, ({ principal }, run) =>
    scheduler.schedule({ tenant: principal.orgId, caller: principal.credentialId ?? principal.name }, run),
  );
