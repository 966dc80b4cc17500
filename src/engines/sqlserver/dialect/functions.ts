// Functions that T-SQL can call: built-in functions that compute a value from their arguments or return the date. The
// list excludes functions that read logins, objects, the session or the server, return random numbers, encrypt, hash or
// format by a culture, are approximate (approx_…), or create XML, JSON or tables. A call of a user-defined function
// always has a schema before the name.
import { FunctionList } from '../../../dialects/function-list.ts';

export const SQLSERVER_FUNCTIONS = new FunctionList([
  ['aggregate', 'count sum avg min max stdev stdevp var varp string_agg'],
  [
    'window',
    `row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value percentile_cont
     percentile_disc`,
  ],
  // Dates and times.
  [
    'scalar',
    `dateadd datediff datediff_big datepart datename datetrunc datefromparts datetimefromparts datetime2fromparts
     datetimeoffsetfromparts timefromparts eomonth year month day isdate switchoffset todatetimeoffset getdate getutcdate
     sysdatetime sysutcdatetime sysdatetimeoffset current_timestamp`,
  ],
  // Numbers.
  [
    'scalar',
    `abs ceiling floor round sign square sqrt exp log log10 power pi degrees radians sin cos tan cot asin acos atan atn2
     isnumeric`,
  ],
  // String functions. The guard limits replicate and space.
  [
    'scalar',
    `concat concat_ws upper lower len datalength substring left right trim ltrim rtrim replace translate reverse stuff
     charindex patindex ascii unicode char nchar replicate space quotename soundex difference str`,
  ],
  // Nulls and conditions.
  ['scalar', 'coalesce isnull nullif iif choose'],
  // JSON in strings.
  ['scalar', 'json_value isjson'],
]);
