// Functions that a statement may call. Out: what reads files or other servers (file, url, remote), sleeps, sees settings or
// users, looks into dictionaries, or draws random numbers.
import { FunctionList } from '../../../src/dialects/function-list.ts';

export const CLICKHOUSE_FUNCTIONS = new FunctionList([
  ['aggregate', 'count sum avg min max countIf sumIf avgIf uniq uniqExact any argMin argMax stddevPop groupArray'],
  ['window', 'row_number rank dense_rank first_value last_value lagInFrame leadInFrame'],
  [
    'scalar',
    'toStartOfMonth toStartOfWeek toStartOfYear toYear toMonth toDate toString toInt64 toFloat64 dateDiff addDays',
  ],
  ['scalar', 'coalesce nullif ifNull if multiIf abs round floor ceil intDiv greatest least lower upper length concat'],
  ['scalar', 'substring replaceAll startsWith endsWith position repeat'],
]);
