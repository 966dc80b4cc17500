// The only functions that T-SQL can call, all of them built in. They reveal nothing about logins, objects or the
// server. No aggregate is approximate, and no function is random or depends on a culture. No function returns XML, JSON
// or tables.
import { FunctionList } from '../../../dialects/function-list.ts';

export const SQLSERVER_FUNCTIONS = new FunctionList([
  ['aggregate', 'count sum avg min max stdev stdevp var varp string_agg'],
  [
    'window',
    `row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value percentile_cont
     percentile_disc`,
  ],
  [
    'scalar',
    `dateadd datediff datediff_big datepart datename datetrunc datefromparts datetimefromparts datetime2fromparts
     datetimeoffsetfromparts timefromparts eomonth year month day isdate switchoffset todatetimeoffset getdate getutcdate
     sysdatetime sysutcdatetime sysdatetimeoffset current_timestamp`,
  ],
  [
    'scalar',
    `abs ceiling floor round sign square sqrt exp log log10 power pi degrees radians sin cos tan cot asin acos atan atn2
     isnumeric`,
  ],
  // The guard limits the length of strings from replicate and space.
  [
    'scalar',
    `concat concat_ws upper lower len datalength substring left right trim ltrim rtrim replace translate reverse stuff
     charindex patindex ascii unicode char nchar replicate space quotename soundex difference str`,
  ],
  ['scalar', 'coalesce isnull nullif iif choose'],
  ['scalar', 'json_value isjson'],
]);
