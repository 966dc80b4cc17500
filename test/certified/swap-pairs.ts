// Near misses and rewordings of approved questions, over four lenses. A near miss replaces a few words with words of
// another meaning, by the rules below. A rewording replaces a few words with words of the same meaning.
//   sibling    a similar measure, entity, role or unit (profit ratio, origin / destination, minutes / hours, $ / EUR)
//   bound      inclusive and exclusive (over / at least, since / after), a day's shift, the next spelled number
//   set        and / or, all / none, distinct, not only, except, outside, hardly
//   order      first / last, ascending / descending, most / least, oldest / newest
//   filter     a restriction added, a restriction dropped
//   shape      average / total, per / share of, by / within, a grouping dropped or added, what is / what would be
// Parameters also get values that are not valid: unknown, similar, SQL, very long, several, negated.
import { caseRows } from '../support/case-rows.ts';

export interface Approved {
  question: string;
  /** For each parameter, the condition in the SQL that uses it. */
  where?: Record<string, { datatype: 'string' | 'integer' | 'decimal' | 'date'; sql: string }>;
  /** Valid values for the parameters. */
  fills?: Record<string, string | number>[];
}
export interface Corpus {
  lens: string;
  /** The table that the approved SQL reads. */
  table: string;
  approved: Approved[];
  /** Swaps for this domain that change the meaning. */
  swaps: [rule: string, from: RegExp, ...to: string[]][];
  /** Restrictions to append to a question. */
  added: string[];
}

const rowsOf = <Row>(heading: string) => caseRows<Row>(import.meta.dirname, 'swap-pairs.jsonl', heading);

/** Swaps for any domain. */
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
  ['bound', /\bin (?=20\d\d\b)/, 'since ', 'before '],
  ['bound', /\b2016\b/, '2015'],
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
  ['shape', /\bby (month|year|region|department)\b/, 'by $1 and weekday', ''],
  ['shape', /^What (?:is|was|are) /, 'What would be ', 'What will be '],
  ['shape', /\bby year\b/, 'by day', 'year to date', 'by fiscal year'],
];

export const missesOf = (corpus: Corpus, question: string): [rule: string, miss: string][] => {
  const misses: [string, string][] = [];
  for (const [rule, from, ...to] of [...SWAPS, ...corpus.swaps])
    for (const word of to) {
      const miss = question.replace(from, word);
      if (miss !== question) misses.push([rule, miss]);
    }
  const questionText = question.replace(/\?$/, '');
  for (const restriction of corpus.added)
    if (!question.includes(restriction)) misses.push(['filter', `${questionText} ${restriction}?`]);
  return misses;
};

const SPELLED: Record<string, string> = { five: '5', ten: '10', '5': 'five', '10': 'ten' };
export const rewordingsOf = (question: string): [rule: string, reworded: string][] => {
  const questionText = question.replace(/[?.]$/, '');
  const lower = questionText.charAt(0).toLowerCase() + questionText.slice(1);
  const rewordings: [string, string][] = [
    ['case', question.toUpperCase()],
    ['case', question.toLowerCase()],
    ['white space', `\t${question.replaceAll(' ', '\n')}  `],
    ['punctuation', `${questionText}??`],
    ['punctuation', `${questionText}…`],
    ['punctuation', `"${questionText}" `.replaceAll('"', '')],
    ['politeness', `Hello! ${questionText}, please?`],
    ['politeness', `Could you please tell me ${lower}?`],
    ['politeness', `I would like to see ${lower}.`],
    ['contraction', question.replace(/^What is\b/, "What's")],
    ['contraction', question.replace(/^What is\b/, 'What’s')],
    ['number', question.replace(/\b(five|ten|5|10)\b/, (word) => SPELLED[word]!)],
    ['number', question.replace(/\b(\d)(\d{3})\b(?!-)(?<!\b(?:19|20)\d\d)/, '$1,$2')],
    ['date', question.replace(/\bMarch (?=\d{4})/, 'Mar ')],
    ['date', question.replace(/\bin (?=20\d\d\b)/, 'in the year ')],
  ];
  return rewordings.filter(([, reworded]) => reworded !== question);
};

/** Replacements for a placeholder that aren't exactly one value. */
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
  approved: rowsOf('approved of superstore'),
  swaps: rowsOf('swaps of superstore'),
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
  approved: rowsOf('approved of flights'),
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
  approved: rowsOf('approved of clinic'),
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
  approved: rowsOf('approved of bikes'),
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

/** Replacements for a number that differ from that number. */
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

export const fillParameters = (question: string, fill: Record<string, string | number>): string =>
  question.replaceAll(/\{(\w+)\}/g, (_place, name: string) => String(fill[name]));
