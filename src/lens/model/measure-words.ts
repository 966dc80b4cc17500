// English words in names, comments and units that show whether numbers can be summed.
import { toSingular } from './singular.ts';

/**
 * `sum`: additive. `latest`: a snapshot, additive except over time. `average`: never additive. `none`: not a measure.
 */
export type AdditivityKind = 'sum' | 'latest' | 'average' | 'none';

const createAnyWordPattern = (words: string): RegExp => new RegExp(`\\b(?:${words.trim().split(/\s+/).join('|')})\\b`);
const createLastWordPattern = (words: string): RegExp => new RegExp(`\\b(?:${words.trim().split(/\s+/).join('|')})$`);

const IDENTIFIER_WORD_PATTERN = createLastWordPattern(
  'id ids uuid guid identifier key sk code ref number nr rank ranking position version sequence seq line flag phone',
);
const PLACE_WORD_PATTERN = createAnyWordPattern(
  'latitude longitude lat lng lon coordinate coordinates zip postal postcode year month week quarter season vintage weekday',
);
const STATISTIC_WORD_PATTERN = createAnyWordPattern(
  `per average mean median min max minimum maximum lowest highest std stdev stddev deviation variance percentile quantile
   quartile p\\d\\d rate rates ratio ratios percent percentage percentages perc share proportion fraction density`,
);
const COUNT_WORD_PATTERN = /\b(?:number|count) of\b|\b(?:count|counts|quantity)$|^(?:number|count) (?!of\b)\w+s$/;
const SCORE_WORD_PATTERN = createAnyWordPattern(
  `index indices score scores rating ratings gpa grade grades factor coefficient probability prob likelihood odds efficiency
   utilisation utilization occupancy expectancy concentration threshold multiple multiplier elasticity correlation stars
   saturation volatility beta sharpe nps csat ces iq elo handicap quality satisfaction confidence severity priority`,
);
const PRICE_WORD_PATTERN = createAnyWordPattern(
  `price prices msrp rrp tariff quote strike nav bid ask arpu arppu aov ltv cltv clv cac cpc cpm cpa cpl cpi ppi roi roas irr
   ctr cvr wacc eps apr apy gini hdi`,
);
/** Returns true for a price that is paid once for each item, if each row is one item. */
export const isOneTimePrice = (name: string): boolean =>
  /\b(?:purchase|acquisition|sale|selling|sold|resale|hammer|winning) price$|\bprice paid$/.test(name);
export const isPriceOrQuantity = (name: string): boolean =>
  /\b(?:prices?|quantity|stock|units|pieces|on hand)\b/.test(name);
const UNIT_AMOUNT_PATTERN = /\b(?:unit|standard|list|std) (?:cost|value|rate|amount|fee)s?\b|\bcost (?:each|price)\b/;
const TOTAL_WORD_PATTERN = createAnyWordPattern('total amount extended subtotal sum');
/** Measurements at one moment, which can't be summed. */
const STATE_WORD_PATTERN = createAnyWordPattern(
  `temperature temp celsius fahrenheit humidity moisture pressure dew speed velocity wind gust voltage frequency freq age ages
   height altitude elevation depth width thickness radius diameter angle bearing heading azimuth slope gradient latency ping
   jitter signal rssi snr noise fertility literacy ph salinity acidity alkalinity brix hardness viscosity turbidity
   conductivity resistance octane abv alcohol bmi mpg kmpl horsepower hp bhp torque displacement acceleration bpm pulse
   systolic diastolic glucose cholesterol hba1c haemoglobin hemoglobin oxygen spo2 magnitude brightness luminosity
   wavelength luminance contrast resolution rpm dpi visibility uv aqi pm25 pm10 ozone tmax tmin tavg kelvin yield tempo
   loudness danceability acousticness valence`,
);
/** Levels and stocks, which usually stay the same from one day to the next. */
const LEVEL_WORD_PATTERN = createAnyWordPattern(
  `balance balances stock stocks inventory headcount fte population pop inhabitants residents outstanding backlog holdings aum
   arr mrr subscriber subscribers member members membership employee employees staff tenant tenants occupied vacant open
   active available remaining installed receivable receivables payable payables debt debts equity assets liabilities
   reserves exposure limit savings wip pipeline queue queued cumulative running ytd mtd lifetime odometer spare
   spares bed beds seat seats room rooms herd livestock fleet capacity snapshot`,
);
const LEVEL_PHRASE_PATTERN = /\bon hand\b|\bin (?:stock|use|transit|queue)\b|\bto date\b/;
/** Words for events and movements during a period. */
const FLOW_WORDS =
  `revenue revenues sale sales turnover profit profits income earnings cost costs expense expenses spend spending spent paid
   payment payments fee fees tax taxes vat freight shipping budget duration durations minute minutes second seconds
   millisecond milliseconds hour hours distance bytes click clicks view views visit visits visitor visitors passenger
   passengers guest guests viewer viewers attendee attendees voter voters voted impression impressions session sessions unit units piece pieces
   item items dose doses principal salary salaries wage wages payroll bonus commission commissions refund refunds rainfall rain precipitation
   snowfall snow consumption production output harvest tonnage proceeds donation donations premium premiums claim
   claims charge charges charged billed invoiced sold bought ordered shipped delivered produced consumed used returned
   collected received worked debit debits inflow inflows outflow outflows gain gains energy waste emissions deposit
   deposits withdrawal withdrawals transfer transfers call calls birth births death deaths gross net points goals votes
   sunshine area earned lost booked reserved withdrawn deposited raised donated invested redeemed issued scanned`.trim();
const FLOW_PATTERN = createAnyWordPattern(FLOW_WORDS);
const FLOW_LAST_PATTERN = createLastWordPattern(FLOW_WORDS);
const AMOUNT_WORD_PATTERN = createAnyWordPattern('amount total subtotal sum volume');
/**
 * Matches words for the worth of items, which is additive. The word "value" alone can mean a measured value, which
 * might not be additive.
 */
const WORTH_PATTERN =
  /\b(?:order|invoice|contract|deal|basket|cart|transaction|sales?|asset|purchase|payment|market|stock|line|booking) value$/;
const STOCK_PRICE_NAME_PATTERN = /^(?:open|high|low|close|adj(?:usted)? close)$/;
/** Words for numbers that are additive in some tables, and snapshots or measurements in others. */
const AMBIGUOUS_MEASURE_WORDS = `weight weights mass length size mileage discount margin loss reading readings measurement result observation interest
   target load power current flow usage traffic delay wait waiting response lead lag gap elapsed days time value`;
const AMBIGUOUS_MEASURE_PATTERN = createAnyWordPattern(AMBIGUOUS_MEASURE_WORDS);
const AMBIGUOUS_LAST_WORD_PATTERN = createLastWordPattern(AMBIGUOUS_MEASURE_WORDS);
const EVENT_ENDING_PATTERN =
  /(?:[st]ions|als|ments|ings|ures|ages|ups|outs|ins|ances|ences|loads)$|\b(?:discharges|orders|purchases|searches|accidents|incidents|crashes|errors|defects|repairs|scans|starts|stops|trips|rides|flights|messages|comments|plays|streams|wins|losses|draws|hits|swipes|trades|checks|tests|exits|entries|marriages|divorces)$/;

export const isAmbiguousMeasureName = (name: string): boolean => AMBIGUOUS_MEASURE_PATTERN.test(name);
const CURRENCIES =
  'eur usd gbp chf sek nok dkk pln czk huf jpy cny inr aud nzd cad brl mxn zar try euro euros dollar dollars cents';
const ADDITIVE_UNITS =
  `kwh mwh gwh wh joule joules kcal calories ton tons tonne tonnes kg lb lbs liters litres liter litre gallons
   barrels bbl mg µg mcg m3 cbm km miles ha acres hectares m2 sqm sqft km2 bytes kb mb gb tb h hours min minutes s seconds ms pieces
   pcs ${CURRENCIES}`.split(/\s+/);
const AVERAGED_UNITS =
  `c f celsius fahrenheit kelvin degc degf °c °f ° deg degrees hpa kpa mpa pa mbar bar psi atm mmhg db dba dbm hz khz mhz
   ghz v kv mv volt volts amp amps a ma kmh kph mph mps knots kts rpm bpm mpg ppm ppb % dpi lux ph mm/h`.split(/\s+/);
/**
 * Ambiguous units. For example, the kilowatts of several power plants are additive, but kilowatts at several times
 * aren't.
 */
const AMBIGUOUS_UNITS = ['mm', 'cm', 'm', 'kw', 'mw', 'gw', 'w', 'g', 'ml', 'l', 'ft', 'in', 'oz', 'days'];

export interface NameAndUnits {
  /** The name without its unit. */
  name: string;
  units: string[];
}
/** Separates the units from the name. For example, "tariff eur kwh" is a tariff, in EUR and kWh. */
export function separateUnits(words: string): NameAndUnits {
  const name = words.replace(/\b([kmg]) wh\b/g, '$1wh').split(' ');
  const units: string[] = [];
  while (name.length > 1 && isUnit(name.at(-1)!, name.slice(0, -1).join(' '))) units.unshift(name.pop()!);
  if (units.length === 0 && name.length === 1 && name[0]!.length > 1 && isUnit(name[0]!, '')) units.push(name[0]!);
  return { name: name.join(' '), units };
}

/**
 * Matches units that people say as part of the name. For example, "opening hours" without its unit would be "opening".
 */
const SPOKEN_UNIT_PATTERN =
  /^(?:hours?|minutes?|min|seconds?|days|calories|dollars?|euros?|cents|pieces|pcs|degrees|in|deg)$/;
/** Returns the name as people say it, such as "rainfall" for "rainfall mm". */
export function removeUnit(words: string): string {
  const { name, units } = separateUnits(words);
  return units.some((unit) => SPOKEN_UNIT_PATTERN.test(unit)) ? words : name.replace(/\btemp$/, 'temperature');
}
const DURATION_WORD_PATTERN = /duration|time|length|delay|watch|talk|play|work|idle|session|call|trip|ride|flight/;
/**
 * Returns true if the word is a unit after the preceding words. For example, "duration_min" means minutes, but
 * "salary_min" means a minimum.
 */
const isUnit = (word: string, precedingWords: string): boolean =>
  word === 'min'
    ? DURATION_WORD_PATTERN.test(precedingWords)
    : ADDITIVE_UNITS.includes(word) || AVERAGED_UNITS.includes(word) || AMBIGUOUS_UNITS.includes(word);

/** Determines additivity from the units. A number with two units is a rate. */
export function inferAdditivityFromUnits(units: readonly string[]): AdditivityKind | null {
  const allWords = units.flatMap((unit) => unit.toLowerCase().split(/\s+/));
  if (allWords.some((unit) => AVERAGED_UNITS.includes(unit) || /[/%°]|^per$/.test(unit))) return 'average';
  const additiveUnits = allWords.filter((unit) => ADDITIVE_UNITS.includes(unit));
  return additiveUnits.length > 1 ? 'average' : additiveUnits.length > 0 ? 'sum' : null;
}

/** Determines additivity from the words of a name whose abbreviations are expanded. */
export function inferAdditivityFromWords(words: string): AdditivityKind | null {
  // After words such as "capacity" or "maximum", the number can still be additive. For example, the maximum points of
  // exams are additive.
  const name = words.replace(
    /^max(?:imum)? (?=(?:points|marks|capacity|seats|guests|passengers|participants|players)$)/,
    '',
  );
  const lastWord = name.split(' ').at(-1)!;
  if (STATISTIC_WORD_PATTERN.test(name)) return 'average';
  if (COUNT_WORD_PATTERN.test(name)) return containsLevelWord(name) ? 'latest' : 'sum';
  if (IDENTIFIER_WORD_PATTERN.test(name) || /^(?:is|has|was) /.test(name) || /^[xy]$/.test(name)) return 'none';
  if (SCORE_WORD_PATTERN.test(name)) return 'average';
  if ((PRICE_WORD_PATTERN.test(name) || UNIT_AMOUNT_PATTERN.test(name)) && !TOTAL_WORD_PATTERN.test(name))
    return 'average';
  const isFlow = FLOW_LAST_PATTERN.test(name);
  if (STOCK_PRICE_NAME_PATTERN.test(name) || (STATE_WORD_PATTERN.test(name) && !isFlow)) return 'average';
  if (containsLevelWord(name) && !isFlow) return 'latest';
  if (/\blevels?$/.test(name)) return 'average';
  if (AMBIGUOUS_LAST_WORD_PATTERN.test(name) && !WORTH_PATTERN.test(name)) return null;
  if (FLOW_PATTERN.test(name) || AMOUNT_WORD_PATTERN.test(name) || WORTH_PATTERN.test(name)) return 'sum';
  if (PLACE_WORD_PATTERN.test(name)) return 'none';
  return EVENT_ENDING_PATTERN.test(lastWord) &&
    toSingular(lastWord) !== lastWord &&
    !AMBIGUOUS_MEASURE_PATTERN.test(name)
    ? 'sum'
    : null;
}
const containsLevelWord = (name: string): boolean => LEVEL_WORD_PATTERN.test(name) || LEVEL_PHRASE_PATTERN.test(name);

/** Returns true if the name is a plural that is specific enough to indicate a count. */
export const isPluralCountName = (name: string): boolean => {
  const lastWord = name.split(' ').at(-1)!;
  return !AMBIGUOUS_MEASURE_PATTERN.test(name) && lastWord.length > 3 && toSingular(lastWord) !== lastWord;
};

/** Returns true if a comment states how to aggregate the field, such as "Average weight" or "number of items". */
export const statesAggregation = (comment: string): boolean =>
  /^\W*(?:the )?(?:total|sum|number|count|quantity|amount|average|mean|median|min|max|minimum|maximum|lowest|highest|rates?|ratio|percent|percentage|share|proportion|fraction|balance)\b/i.test(
    comment,
  ) ||
  /\bin (?:%|percent)|\b(?:at the end of|as of|at month end|at year end|to date|cumulative|on hand|snapshot)\b/i.test(
    comment,
  );

/** Determines additivity from a description, such as "Average revenue per user" or "Number of items per order". */
export function inferAdditivityFromComment(comment: string): AdditivityKind | null {
  const text = comment
    .toLowerCase()
    .split(/[.;:(\n]/)[0]!
    .trim();
  if (/[%°]|\bper(?:cent| cent)\b/.test(comment)) return 'average';
  if (/^(?:the )?(?:total|sum|number|count|quantity|amount)\b/.test(text)) return 'sum';
  if (STATISTIC_WORD_PATTERN.test(text) || /^(?:the )?(?:temperature|price|level of|degree)\b/.test(text))
    return 'average';
  if (/\b(?:at the end of|as of|at month end|at year end|to date|cumulative|on hand|snapshot)\b/.test(text))
    return 'latest';
  return SCORE_WORD_PATTERN.test(text) || PRICE_WORD_PATTERN.test(text) || STATE_WORD_PATTERN.test(text)
    ? 'average'
    : null;
}
