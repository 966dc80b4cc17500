// The process that reads large statements (see guard-sql.ts).

import { FaultCollector } from '../dialects/fault-collector.ts';
import { serveWorker } from '../platform/schedule/serve-worker.ts';
import { guardInProcess } from './guard-in-process.ts';
import type { GuardScope } from './guarded-sql.ts';
import { checkRawText } from './raw-text.ts';

serveWorker(async ({ sql, scope }: { sql: string; scope: GuardScope }) => {
  const faults = new FaultCollector();
  const tokens = checkRawText(sql, faults);
  faults.throwIfAny();
  return guardInProcess(sql, scope, tokens);
});
