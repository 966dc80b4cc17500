// The only functions that SQL for ClickHouse can call. They read no files or tables, reveal no settings or users, and
// call no servers or models. No aggregate is approximate, no function is random, and no function depends on the layout
// of blocks.
import { FunctionList } from '../../../dialects/function-list.ts';

export const CLICKHOUSE_FUNCTIONS = new FunctionList([
  ['grammar', 'extract'],
  [
    'aggregate',
    `count countIf sum sumIf avg avgIf min minIf max maxIf uniqExact uniqExactIf argMin argMax stddevPop stddevSamp
     stddev_pop stddev_samp varPop varSamp var_pop var_samp covarPop covarSamp covar_pop covar_samp corr medianExactLow
     medianExactHigh groupBitAnd groupBitOr groupBitXor`,
  ],
  ['window', 'row_number rank dense_rank percent_rank ntile first_value last_value nth_value lag lead'],
  [
    'scalar',
    `now today yesterday toDate toDate32 toDateTime toDateTime64 toTimeZone toYear toQuarter toMonth toDayOfYear toDayOfMonth
     toDayOfWeek toISOWeek toISOYear toHour toMinute toSecond toUnixTimestamp toStartOfYear toStartOfQuarter toStartOfMonth
     toMonday toStartOfWeek toStartOfDay toStartOfHour toLastDayOfMonth toYYYYMM toYYYYMMDD date_trunc dateDiff dateName
     formatDateTime addYears addQuarters addMonths addWeeks addDays addHours addMinutes addSeconds subtractYears
     subtractQuarters subtractMonths subtractWeeks subtractDays subtractHours subtractMinutes subtractSeconds`,
  ],
  [
    'scalar',
    `abs ceil floor round roundBankers trunc sign sqrt cbrt exp ln log log2 log10 power pow pi sin cos tan asin acos atan
     atan2 degrees radians greatest least intDiv intDivOrZero modulo divideDecimal multiplyDecimal isNaN isFinite isInfinite
     bitAnd bitOr bitXor bitCount gcd lcm`,
  ],
  [
    'scalar',
    `toString toInt8 toInt16 toInt32 toInt64 toInt128 toUInt8 toUInt16 toUInt32 toUInt64 toFloat32 toFloat64 toBool
     toInt64OrNull toFloat64OrNull toDate32OrNull toDateTime64OrNull toDecimal64 toDecimal128 toDecimal256 toUUID`,
  ],
  [
    'scalar',
    `concat lower upper lowerUTF8 upperUTF8 length lengthUTF8 substring substringUTF8 left right trim trimLeft trimRight
     trimBoth replaceAll replaceOne replaceRegexpAll replaceRegexpOne match extract position positionUTF8
     positionCaseInsensitive positionCaseInsensitiveUTF8 startsWith endsWith reverseUTF8 repeat leftPad rightPad leftPadUTF8
     rightPadUTF8 empty notEmpty ascii hex splitByChar initcapUTF8`,
  ],
  ['scalar', 'coalesce ifNull nullIf nullif isNull isNotNull if multiIf assumeNotNull'],
  [
    'scalar',
    `JSONExtractString JSONExtractInt JSONExtractFloat JSONExtractBool JSONHas JSONLength JSONType isValidJSON domain
     domainWithoutWWW path topLevelDomain`,
  ],
]);

/** Functions whose names are case-insensitive. All other names are case-sensitive. */
const CASE_INSENSITIVE_FUNCTIONS = new Set(
  `count sum avg min max stddev_pop stddev_samp var_pop var_samp covar_pop covar_samp corr row_number rank dense_rank
   percent_rank ntile first_value last_value nth_value lag lead now today date_trunc abs ceil floor round trunc sign sqrt
   exp ln log log2 log10 power pow pi sin cos tan asin acos atan atan2 degrees radians greatest least concat lower upper
   length substring left right trim position repeat ascii hex coalesce nullif if extract`.split(/\s+/),
);
export const foldClickhouseFunction = (name: string): string => {
  const lowerName = name.toLowerCase();
  return CASE_INSENSITIVE_FUNCTIONS.has(lowerName) ? lowerName : name;
};
