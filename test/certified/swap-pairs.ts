// Near misses made by swapping a few words of an approved question for words that ask something else, and rewordings made
// by swapping them for words that ask the same. Other rules than those of near-miss-generator.ts, over four lenses:
//   sibling    a measure, thing, role or unit for its neighbour (profit ratio, origin / destination, minutes / hours, $ / EUR)
//   bound      inclusive for exclusive and back (over / at least, since / after), a day's shift, a spelled number for its neighbour
//   set        and / or, all / none, distinct, not only, except, outside, hardly
//   order      first / last, ascending / descending, most / least, oldest / newest
//   filter     a restriction added, a restriction dropped
//   shape      average / total, per / share of, by / within
// and parameters filled with what is no value: unknown, look-alike, SQL, very long, several, negated.
export interface Approved {
  question: string;
  /** Parameter to the condition that its SQL has. */
  where?: Record<string, { datatype: 'string' | 'integer' | 'decimal' | 'date'; sql: string }>;
  /** Ways to fill its places that are right. */
  fills?: Record<string, string | number>[];
}
export interface Corpus {
  lens: string;
  /** What the approved statements read. */
  table: string;
  approved: Approved[];
  /** Of this domain: swaps that change the meaning. */
  swaps: [rule: string, from: RegExp, ...to: string[]][];
  /** Restrictions that may be added at the end. */
  added: string[];
}

/** Of any domain. */
const SWAPS: Corpus['swaps'] = [
  ['bound', /\bover (?=[\d$])/, 'at least ', 'under ', 'not over ', 'about '],
  ['bound', /\bat least (?=\w)/, 'over ', 'at most ', 'exactly '],
  ['bound', /\bmore than (?=\w)/, 'no less than ', 'no more than ', 'less than ', 'almost '],
  ['bound', /\bsince\b/, 'after', 'before', 'until'],
  ['bound', /\bbefore\b/, 'through', 'after', 'until'],
  ['bound', /\bbetween\b/, 'outside', 'not between'],
  ['bound', /-01-01\b/, '-01-02', '-02-01'],
  ['bound', /-31\b/, '-30'],
  ['bound', /\bMarch\b/, 'May', 'February', 'March and April'],
  ['bound', /\bfive\b/, 'six', 'fifteen', 'fifty', 'fifth'],
  ['bound', /\b500\b/, '501', '5000', '-500', '500k', '500 %', '€500'],
  ['bound', /\b(20\d\d)\b/, 'fiscal $1', 'mid $1', '$1 or so'],
  ['bound', /(?<=\bin )(20\d\d)\b/, '$1-01', 'Q1 $1', 'early $1'],
  ['set', /\bor\b/, 'and', 'but not'],
  ['set', /(?<=[A-Z]\w+ )and(?= [A-Z])/, 'or', 'but not', 'versus', 'without'],
  ['set', /\b(in|from|with|for) (?=the [A-Z]|[A-Z])/, 'not $1 ', 'outside ', 'except $1 ', 'not only $1 ', 'near '],
  ['set', /\bwithout\b/, 'with', 'not without', 'with only'],
  ['set', /^How many (?!different)/, 'How many different kinds of ', 'How many new ', 'What share of '],
  ['set', /\bdifferent\b/, 'most common'],
  ['order', /\bhighest\b/, 'lowest', 'second highest', 'not the highest'],
  ['order', /\bTop\b/, 'Bottom', 'Top 10 of the', 'All but the top'],
  ['order', /\bmost\b/, 'least', 'fewest', 'almost the most'],
  ['order', /\bdescending\b/, 'ascending', 'no'],
  ['order', /\bnewest\b/, 'oldest'],
  ['order', /\bfirst\b/, 'last', 'second'],
  ['order', /\blast\b(?= \w+ed\b)/, 'first'],
  ['shape', /\baverage\b/i, 'total', 'median', 'maximum', 'weighted average'],
  ['shape', /\btotal\b/i, 'average', 'running total', 'maximum'],
  ['shape', /\bby month\b/, 'by quarter', 'by weekday', 'month over month', 'in the first month'],
  ['shape', /\bby year\b/, 'by day', 'year to date', 'by fiscal year'],
];

export const missesOf = (corpus: Corpus, question: string): [rule: string, miss: string][] => {
  const made: [string, string][] = [];
  for (const [rule, from, ...to] of [...SWAPS, ...corpus.swaps])
    for (const word of to) {
      const miss = question.replace(from, word);
      if (miss !== question) made.push([rule, miss]);
    }
  const bare = question.replace(/\?$/, '');
  for (const more of corpus.added) if (!question.includes(more)) made.push(['filter', `${bare} ${more}?`]);
  return made;
};

const SPELLED: Record<string, string> = { five: '5', ten: '10', '5': 'five', '10': 'ten' };
export const rewordingsOf = (question: string): [rule: string, reworded: string][] => {
  const bare = question.replace(/[?.]$/, '');
  const lower = bare.charAt(0).toLowerCase() + bare.slice(1);
  const made: [string, string][] = [
    ['case', question.toUpperCase()],
    ['case', question.toLowerCase()],
    ['white space', `\t${question.replaceAll(' ', '\n')}  `],
    ['punctuation', `${bare}??`],
    ['punctuation', `${bare}…`],
    ['punctuation', `"${bare}" `.replaceAll('"', '')],
    ['politeness', `Hello! ${bare}, please?`],
    ['politeness', `Could you please tell me ${lower}?`],
    ['politeness', `I would like to see ${lower}.`],
    ['contraction', question.replace(/^What is\b/, "What's")],
    ['contraction', question.replace(/^What is\b/, 'What’s')],
    ['number', question.replace(/\b(five|ten|5|10)\b/, (word) => SPELLED[word]!)],
    ['number', question.replace(/\b(\d)(\d{3})\b(?!-)(?<!\b(?:19|20)\d\d)/, '$1,$2')],
    ['date', question.replace(/\bMarch (?=\d{4})/, 'Mar ')],
    ['date', question.replace(/\bin (?=20\d\d\b)/, 'in the year ')],
  ];
  return made.filter(([, reworded]) => reworded !== question);
};

/** Fillings that are no value, or not one. */
export const badFillings = (value: string): string[] => [
  'Atlantis',
  `${value}x`,
  value.replace(/[aeoO]/, (letter) => ({ a: 'а', e: 'е', o: 'о', O: 'О' })[letter]!),
  value.slice(0, -1),
  `${value}' or '1'='1`,
  `${value}'; drop table orders; --`,
  `"${value}" or 1=1`,
  `${value} union select 1`,
  `${value} or Atlantis`,
  `${value} and ${value}land`,
  `not ${value}`,
  `anything but ${value}`,
  `non-${value}`,
  `every ${value}`,
  '%',
  '*',
  `${value}%`,
  `{${value}}`,
  ':value',
  'null',
  'true',
  'x'.repeat(1500),
  `${value} `.repeat(40).trim(),
  `${value}, as of last year`,
  `${value} without returns`,
];

const SUPERSTORE: Corpus = {
  lens: 'superstore',
  table: 'main.orders',
  approved: [
    { question: 'What is the profit ratio in the West in 2016?' },
    { question: 'What is the average discount by month in 2016?' },
    { question: 'Which five customers ordered the most in 2017?' },
    { question: 'Which state had the highest average order value in March 2016?' },
    { question: 'How many orders were shipped before 2016?' },
    { question: 'How many orders were placed since 2016?' },
    { question: 'How many customers are in the South or the East?' },
    { question: 'Top five sub-categories by revenue in Texas' },
    { question: 'States with revenue over 500' },
    { question: 'How many order lines had sales over $500 in 2016?' },
    { question: 'Revenue between 2016-01-01 and 2016-03-31' },
    { question: 'What is the revenue of Furniture and Technology in 2015?' },
    { question: 'How many different products were ordered by Consumer customers?' },
    { question: 'List the cities with at least five orders' },
    { question: 'What was total profit by year with Standard Class shipping?' },
    { question: 'What is the share of revenue of each segment?' },
    { question: 'What was the revenue in $ by region?' },
    { question: 'Order lines with a discount over 20 %' },
    {
      question: 'What was turnover in {region} in {year}?',
      where: {
        region: { datatype: 'string', sql: 'region = :region' },
        year: { datatype: 'integer', sql: 'extract(year from order_date) = :year' },
      },
      fills: [
        { region: 'West', year: 2016 },
        { region: 'East', year: 2015 },
      ],
    },
    {
      question: 'How many customers are there in {city}?',
      where: { city: { datatype: 'string', sql: 'city = :city' } },
      fills: [{ city: 'Seattle' }, { city: 'New York City' }],
    },
    {
      question: 'Which products have a profit over {amount}?',
      where: { amount: { datatype: 'decimal', sql: 'profit > :amount' } },
      fills: [{ amount: 250 }],
    },
    {
      question: 'How many orders did we get on {day}?',
      where: { day: { datatype: 'date', sql: 'order_date = :day' } },
      fills: [{ day: '2016-03-01' }],
    },
  ],
  swaps: [
    ['sibling', /\bprofit ratio\b/, 'profit', 'profit margin change', 'ratio'],
    [
      'sibling',
      /\brevenue\b/,
      'profit',
      'gross revenue',
      'revenue growth',
      'units',
      'net revenue',
      'revenue per order',
    ],
    ['sibling', /\baverage order value\b/, 'order count', 'average order line', 'average order quantity'],
    ['sibling', /\bcustomers\b/, 'orders', 'products', 'segments', 'lost customers'],
    ['sibling', /\borders\b/, 'order lines', 'customers', 'returns', 'big orders'],
    ['sibling', /\bordered\b/, 'returned', 'shipped', 'reordered'],
    ['sibling', /\bshipped\b/, 'placed', 'returned', 'not shipped'],
    ['sibling', /\bdiscount\b/, 'profit', 'discounted price'],
    ['sibling', /\bstate\b/i, 'city', 'region', 'country'],
    ['sibling', /\bsub-categories\b/, 'categories', 'products'],
    ['sibling', /\$/, '€', '£', 'thousand $'],
    ['sibling', / %/, '', ' USD', ' ‰'],
    ['sibling', /\bTexas\b/, 'Kansas', 'Texarkana', 'Texas City', 'texts'],
    ['sibling', /\bConsumer\b/, 'Corporate', 'Non-Consumer'],
    ['sibling', /\bturnover\b/, 'profit', 'employee turnover'],
    ['shape', /\bshare of revenue\b/, 'revenue', 'share of orders'],
    ['shape', /\bof each segment\b/, 'in each region', 'of the segment Consumer'],
  ],
  added: [
    'in California',
    'excluding returns',
    'for new customers',
    'with a discount',
    'last month',
    'by ship mode',
    'per day',
  ],
};

const FLIGHTS: Corpus = {
  lens: 'flights',
  table: 'main.flights',
  approved: [
    { question: 'What is the average delay from Boston to Chicago?' },
    { question: 'How many flights were late in March 2001?' },
    { question: 'How many flights departed from Denver since 2001-01-01?' },
    { question: 'Which origin city has the longest delay?' },
    { question: 'Top ten origin airports by number of flights' },
    { question: 'Flights over 500 miles' },
    { question: 'How many flights were delayed more than 60 minutes?' },
    { question: 'What is the on-time rate by month?' },
    { question: 'Which destination had the highest punctuality in January 2001?' },
    { question: 'How many different destinations are served from Atlanta?' },
    { question: 'What is the total distance flown from Boston or Denver?' },
    {
      question: 'How many flights went from {origin} to {destination}?',
      where: {
        origin: { datatype: 'string', sql: 'origin = :origin' },
        destination: { datatype: 'string', sql: 'destination = :destination' },
      },
      fills: [{ origin: 'BOS', destination: 'ORD' }],
    },
    {
      question: 'How many flights were longer than {miles} miles?',
      where: { miles: { datatype: 'integer', sql: 'distance > :miles' } },
      fills: [{ miles: 1500 }],
    },
    {
      question: 'How many flights left on {day}?',
      where: { day: { datatype: 'date', sql: 'departed_at >= :day' } },
      fills: [{ day: '2001-02-03' }],
    },
  ],
  swaps: [
    [
      'sibling',
      /\bfrom Boston to Chicago\b/,
      'from Chicago to Boston',
      'to Boston from Chicago',
      'between Boston and Chicago',
      'from Boston via Chicago',
    ],
    ['sibling', /\borigin\b/, 'destination'],
    ['sibling', /\bfrom (?=Denver|Atlanta)/, 'to ', 'at '],
    ['sibling', /\bdeparted\b/, 'arrived', 'was cancelled'],
    ['sibling', /\blate\b/, 'on time', 'early', 'lately', 'not late'],
    ['sibling', /\bdelay\b/, 'distance', 'departure delay'],
    ['sibling', /\bmiles\b/, 'kilometers', 'minutes', 'nautical miles'],
    ['sibling', /\bminutes\b/, 'hours', 'seconds', 'miles'],
    ['sibling', /\bon-time rate\b/, 'number of on-time flights', 'late rate', 'time rate'],
    ['sibling', /\bpunctuality\b/, 'delay', 'punctuality gain'],
    ['sibling', /\bdestinations\b/, 'origins', 'airlines'],
    ['sibling', /\blonger\b/, 'shorter', 'later'],
    ['sibling', /\bleft\b/, 'landed', 'left early'],
    ['order', /\blongest\b/, 'shortest', 'average', 'second longest'],
    ['sibling', /\bflights\b/, 'airports', 'cancelled flights', 'empty flights'],
  ],
  added: ['on weekends', 'to Texas', 'on time', 'per airline', 'in February 2001', 'with delays', 'by hour'],
};

const CLINIC: Corpus = {
  lens: 'clinic',
  table: 'public.visit',
  approved: [
    { question: 'What are total fees by month in 2023?' },
    { question: 'How many patients from Salzburg had a visit in 2023?' },
    { question: 'Doctors without visits' },
    { question: 'Which doctor has the highest salary?' },
    { question: 'How many patients are male or from Graz?' },
    { question: 'What is the average waiting time in minutes by department?' },
    { question: 'Departments with a budget over 500' },
    { question: 'List the first and last names of the newest doctors' },
    { question: 'How many patients with no insurer are there?' },
    { question: 'Visits with a fee of at least 100 €' },
    { question: 'How many doctors were hired before 2010?' },
    { question: 'Which drug is prescribed most?' },
    { question: 'What is the average dose in mg of each drug?' },
    { question: 'Patients of doctor Adams' },
    {
      question: 'How many visits did patients from {city} have?',
      where: { city: { datatype: 'string', sql: 'exists (select 1 from public.patient where city = :city)' } },
      fills: [{ city: 'Graz' }],
    },
    {
      question: 'How many visits cost more than {fee} euros?',
      where: { fee: { datatype: 'decimal', sql: 'fee > :fee' } },
      fills: [{ fee: 80 }],
    },
    {
      question: 'How many {status} visits were there in {year}?',
      where: {
        status: { datatype: 'string', sql: 'status = :status' },
        year: { datatype: 'integer', sql: 'extract(year from visited_at) = :year' },
      },
      fills: [{ status: 'cancelled', year: 2023 }],
    },
  ],
  swaps: [
    ['sibling', /\bfees\b/, 'visits', 'unpaid fees', 'fee per visit'],
    ['sibling', /\bpatients\b/i, 'doctors', 'female patients', 'impatient patients', 'outpatients'],
    ['sibling', /\bdoctor\b/, 'patient', 'department'],
    ['sibling', /\bDoctors\b/, 'Patients', 'Departments'],
    ['sibling', /\bsalary\b/, 'fee', 'number of visits', 'salary increase'],
    ['sibling', /\bminutes\b/, 'hours', 'seconds'],
    ['sibling', /\bmg\b/, 'g', 'ml'],
    ['sibling', /€/, '$', '%', 'mg'],
    ['sibling', /\beuros\b/, 'dollars', 'minutes', 'thousand euros'],
    ['sibling', /\bmale\b/, 'female', 'not male'],
    ['sibling', /\bhired\b/, 'fired', 'born', 'rehired'],
    ['sibling', /\bprescribed\b/, 'refused', 'prescribed alone'],
    ['sibling', /\bAdams\b/, 'Adam', 'Adamson', 'Addams'],
    ['sibling', /\bfrom Salzburg\b/, 'to Salzburg', 'in Salzburgland', 'from Salzburg or Wels'],
    ['set', /\bwith no insurer\b/, 'with an insurer', 'with one insurer', 'with insurer No'],
    ['sibling', /\bfirst and last names\b/, 'first names', 'last names', 'names and salaries'],
    ['sibling', /\bbudget\b/, 'floor', 'budget deficit'],
    ['sibling', /\bwaiting time\b/, 'fee', 'visit time', 'waiting list'],
  ],
  added: ['in Cardiology', 'for children', 'who were readmitted', 'on Mondays', 'per insurer', 'after surgery'],
};

const BIKES: Corpus = {
  lens: 'bikes',
  table: 'public.rides',
  approved: [
    { question: 'What is the revenue by start station in 2023?' },
    { question: 'How many rides ended in the Harbour district?' },
    { question: 'Which five bikes have the most repairs?' },
    { question: 'What is the average duration of rides over 5 km?' },
    { question: 'How many members joined since 2022?' },
    { question: 'Members older than 30' },
    { question: 'Stations with a capacity of more than 20 bikes' },
    { question: 'What is the total repair cost by part in descending order?' },
    { question: 'How many electric bikes are there?' },
    { question: 'How many rides were rated 5 and cost over 500?' },
    { question: 'What is the revenue per ride by month?' },
    { question: 'Which member rode most in March 2023?' },
    {
      question: 'What is the revenue of {plan} members?',
      where: {
        plan: { datatype: 'string', sql: 'exists (select 1 from public.members where plan = :plan)' },
      },
      fills: [{ plan: 'annual' }],
    },
    {
      question: 'How many rides took longer than {minutes} minutes?',
      where: { minutes: { datatype: 'integer', sql: 'duration_min > :minutes' } },
      fills: [{ minutes: 45 }],
    },
  ],
  swaps: [
    ['sibling', /\bstart\b/, 'end', 'previous'],
    ['sibling', /\bended\b/, 'started', 'were ended early'],
    ['sibling', /\brepairs\b/, 'rides', 'open repairs', 'stations'],
    ['sibling', /\bduration\b/, 'distance', 'price', 'pause duration'],
    ['sibling', /\bkm\b/, 'miles', 'm', 'minutes', '€'],
    ['sibling', /\bjoined\b/, 'left', 'rejoined', 'rode'],
    ['order', /\bolder\b/, 'younger', 'not older'],
    ['sibling', /\bmembers\b/i, 'stations', 'former members', 'nonmembers'],
    ['sibling', /\bcapacity\b/, 'shortage', 'free capacity'],
    ['sibling', /\bcost\b/, 'duration', 'price'],
    ['sibling', /\belectric\b/, 'mechanical', 'non-electric', 'electrical defect'],
    ['sibling', /\brated 5\b/, 'rated 4', 'unrated', 'rated over 5'],
    ['sibling', /\bper ride\b/, 'per member', 'per km', 'per bike'],
    ['sibling', /\bminutes\b/, 'hours', 'seconds', 'km'],
    ['sibling', /\blonger\b/, 'less', 'further'],
  ],
  added: ['on rainy days', 'for tourists', 'of electric bikes', 'at night', 'per district', 'below zero'],
};

export const CORPORA: Corpus[] = [SUPERSTORE, FLIGHTS, CLINIC, BIKES];

/** Fillings of a number's place that are not that number. */
export const badNumbers = (value: number): string[] => [
  `${value} or ${value + 1}`,
  `${value} to ${value + 1}`,
  `${value} %`,
  `${value}%`,
  `${value} thousand`,
  `${value}k`,
  `not ${value}`,
  `about ${value}`,
  `at least ${value}`,
  `€${value}`,
  `${value}; drop table orders`,
  `${value}x`,
  'many',
  '1e9',
];
export const badDays = (value: string): string[] => [
  `${value} or later`,
  `${value} to 2099-01-01`,
  `or after ${value}`,
  `Mondays before ${value}`,
  '2016-02-30',
  'yesterday',
  `${value}' or 1=1`,
];

export const filled = (question: string, fill: Record<string, string | number>): string =>
  question.replaceAll(/\{(\w+)\}/g, (_place, name: string) => String(fill[name]));
