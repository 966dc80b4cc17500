// Words of English by what they do in a question. Data: no other room of the grammar holds a word of English.

import type { WordClass } from '../language/language.ts';

/** Words that may stand anywhere and change nothing. None of them restricts, negates or compares. */
export const EMPTY = "a an the is are was were be been do does did there 's also we us our";
/** Words that are polite in front of a question, and nowhere else. */
export const POLITE =
  'please kindly can could would you i we want like to know see let tell me us hi hello hey so ok okay';
/** Words of constructions that are offered first: those of the sentences that say a plan. */
export const LEADING =
  'where per with without excluding missing and or by of for in to each ordered descending number ratio share percentage growth running difference distinct average total highest lowest median top bottom latest earliest';
/** Marks that may stand anywhere; a comma is a part of lists as well. */
export const PAUSES = ", ? ! . : ; 's";
/** What a question that wants yes or no begins with. No reading answers it. */
export const YES_OR_NO = 'is are was were do does did has have had can could should will would';

/** What a verb of the past stands behind. */
export const PERFECT = 'have has had having get got';

const cls = (cat: string, value: string, said: string, features?: readonly string[]): WordClass => ({
  cat,
  value,
  said,
  features,
});

/** Parts that a place plays, by the word that leads to it. */
export const PARTS: Readonly<Record<string, string>> = {
  from: 'from start origin source departure sender sending pickup loading',
  to: 'to end destination dest target arrival receiver receiving dropoff unloading',
};
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
export const CLASSES: readonly WordClass[] = [
  cls('agg', 'avg', 'average|avg|mean|on average'),
  cls('agg', 'sum', 'total|sum|sum total|overall|combined|total sum|total amount|sum of the'),
  cls('agg', 'min', 'minimum|lowest|smallest|min|least', ['end']),
  cls('agg', 'max', 'maximum|highest|largest|biggest|greatest|max|most', ['end']),
  cls('agg', 'median', 'median'),
  cls(
    'op',
    '>',
    'more than|over|above|greater than|higher than|exceeding|larger than|bigger than|in excess of|exceeds|exceed|upwards of|>',
  ),
  cls('op', '<', 'less than|under|below|fewer than|lower than|smaller than|<'),
  cls('op', '>=', 'at least|no less than|no fewer than|a minimum of|not less than|> ='),
  cls('op', '<=', 'at most|no more than|up to|a maximum of|not more than|< ='),
  cls('longer', '>', 'longer than|heavier than|taller than|costing more than'),
  cls('longer', '<', 'shorter than|lighter than|cheaper than|costing less than'),
  cls('op', '=', 'exactly|equal to|equals'),
  cls('often', '1', 'once'),
  cls('often', '2', 'twice'),
  ...DAYS.map((day) => cls('weekday', day, `${day.toLowerCase()}s`)),
  // One of them, and nobody says which.
  cls('unsaid', 'day', [...DAYS, 'weekend', 'the weekend'].join('|').toLowerCase()),
  cls('weekday', DAYS.slice(0, 5).join(' '), 'weekdays'),
  cls('weekday', DAYS.slice(5).join(' '), 'weekends|the weekends'),
  cls('superl', 'desc', 'highest|largest|biggest|greatest|top|maximum|max|longest'),
  cls('superl', 'desc', 'most', ['many']),
  cls('superl', 'asc', 'lowest|smallest|bottom|minimum|min|shortest'),
  cls('superl', 'asc', 'least|fewest', ['many']),
  cls(
    'common',
    'desc',
    'most common|most frequent|most used|most frequently used|most commonly used|commonest|most often used|most popular',
  ),
  cls('common', 'asc', 'least common|least frequent|least used|rarest|least frequently used|least popular'),
  cls('bestworst', 'desc', 'best|strongest'),
  cls('bestworst', 'asc', 'worst|weakest'),
  cls('recent', 'desc', 'latest|newest|most recent|last'),
  cls('recent', 'asc', 'earliest|first'),
  cls(
    'dir',
    'desc',
    'descending|desc|in descending order|descending order|from highest to lowest|highest first|from most to least|highest to lowest|largest first|in decreasing order|latest first|newest first|from largest to smallest',
  ),
  cls(
    'dir',
    'asc',
    'ascending|asc|in ascending order|ascending order|from lowest to highest|lowest first|lowest to highest|alphabetically|in alphabetical order|in increasing order|earliest first|oldest first|in chronological order|chronologically|from smallest to largest',
  ),
  ...'in from of for at on by to with within under through during as into'
    .split(' ')
    .map((one) => cls('prep', one, one, [...(one === 'by' ? [] : ['at']), ...(one in PARTS ? ['part'] : [])])),
  cls('grain', 'day', 'day|date|calendar day'),
  cls('grain', 'week', 'week|calendar week'),
  cls('grain', 'month', 'month|calendar month'),
  cls('grain', 'quarter', 'quarter'),
  cls('grain', 'year', 'year|calendar year'),
  cls('grain', 'weekday', 'weekday|day of week|day of the week', ['part']),
  cls('grain', 'hour', 'hour|hour of day|hour of the day', ['part']),
  cls('grain', 'month_of_year', 'month of year|month of the year', ['part']),
  cls('grainly', 'day', 'daily'),
  cls('grainly', 'week', 'weekly'),
  cls('grainly', 'month', 'monthly'),
  cls('grainly', 'quarter', 'quarterly'),
  cls('grainly', 'year', 'yearly'),
];

/** Adjectives that rank by a field, and the words of such a field's name. */
export const RANKED_BY: readonly {
  said: string;
  direction: 'asc' | 'desc';
  names: string;
  /** Where nothing is called so: fields of which all there is of each thing is added up. */
  sums?: string;
}[] = [
  { said: 'most expensive|priciest|costliest', direction: 'desc', names: 'price|unit price|list price|cost|amount' },
  { said: 'cheapest|least expensive', direction: 'asc', names: 'price|unit price|list price|cost|amount' },
  { said: 'highest rated|best rated|top rated', direction: 'desc', names: 'rating|score|stars' },
  { said: 'lowest rated|worst rated', direction: 'asc', names: 'rating|score|stars' },
  { said: 'most cited', direction: 'desc', names: 'citations|citation number|number of citations|times cited' },
  { said: 'oldest', direction: 'asc', names: 'birth date|date of birth|birthday|born' },
  { said: 'youngest', direction: 'desc', names: 'birth date|date of birth|birthday|born' },
  { said: 'oldest', direction: 'desc', names: 'age' },
  { said: 'youngest', direction: 'asc', names: 'age' },
  { said: 'heaviest', direction: 'desc', names: 'weight' },
  { said: 'lightest', direction: 'asc', names: 'weight' },
  { said: 'tallest', direction: 'desc', names: 'height' },
  {
    said: 'most profitable',
    direction: 'desc',
    names: 'profit|total profit|net profit',
    sums: 'profit',
  },
  {
    said: 'least profitable',
    direction: 'asc',
    names: 'profit|total profit|net profit',
    sums: 'profit',
  },
  {
    said: 'best selling|best-selling|top selling|bestselling',
    direction: 'desc',
    names: 'sales|revenue|turnover',
    sums: 'quantity|units|line amount|line total|sales amount',
  },
];
/** What the best of anything is by, where only one of these is a metric. */
export const GAIN = 'revenue|sales|turnover|total sales|total revenue|profit|total profit';

/** Verbs that say no more than that two things are related. */
export const RELATING =
  'has|have|had|having|own|owns|owned|owning|hold|holds|belong|belongs|belonged|belonging|contain|contains|containing|contained|include|includes|included|come|comes|coming|came|associated|related|linked|connected|attached|assigned|part of|member of|members of|get|gets|got|receive|receives|received|receiving|located|situated|based|live|lives|lived|living|involving|involve|involves|involved|participate|participates|participated|participating|take part|took part|feature|features|featuring|offer|offers|offered|offering|provide|provides|provided|providing';
/** Verbs that link where the lens holds what they are done to, or who does them. */
export const DOING: readonly { said: string; needs: string }[] = [
  {
    said: 'buy|buys|bought|buying|purchase|purchases|purchased|purchasing|order|orders|ordered|ordering',
    needs: 'order invoice sale purchase transaction payment basket receipt ticket booking subscription shopping',
  },
  { said: 'place|places|placed|placing', needs: 'order bid bet booking' },
  {
    said: 'make|makes|made|making',
    needs:
      'order booking reservation purchase payment transaction rental call appointment donation visit sale bid request complaint claim piece',
  },
  { said: 'sell|sells|sold|selling', needs: 'order invoice sale purchase transaction item line' },
  { said: 'serve|serves|served|serving', needs: 'food meal menu dish cuisine restaurant drink' },
  {
    said: 'write|writes|wrote|written|writing|author|authored|publish|publishes|published|publishing',
    needs: 'paper publication article journal book author venue essay post',
  },
  { said: 'present|presents|presented|presenting', needs: 'publication paper conference talk' },
  {
    said: 'teach|teaches|taught|teaching|give|gives|gave',
    needs: 'teacher instructor course class professor lecturer',
  },
  {
    said: 'attend|attends|attended|attending|enroll|enrolled|enrolls|take|takes|took|taken',
    needs: 'course class student attendance enrollment enrolment booking event ride trip exam test',
  },
  { said: 'book|books|booked|booking', needs: 'booking reservation' },
  { said: 'rent|rents|rented|renting', needs: 'rental' },
  { said: 'visit|visits|visited|visiting', needs: 'visit visitor appointment' },
  { said: 'treat|treats|treated|treating', needs: 'patient doctor treatment' },
  { said: 'work|works|worked|working|employ|employs|employed', needs: 'employee staff worker department store job' },
  { said: 'supply|supplies|supplied|supplying', needs: 'supplier supply vendor' },
  { said: 'submit|submits|submitted', needs: 'submission request form application' },
  {
    said: 'cite|cites|cited|citing|reference|references|referenced',
    needs: 'citation cite reference paper publication',
  },
  {
    said: 'issue|issues|issued|issuing',
    needs: 'coupon invoice ticket license permit card fine refund voucher certificate bill policy',
  },
  {
    said: 'send|sends|sent|sending',
    needs: 'message notification email letter transaction transfer payment invoice parcel shipment',
  },
  { said: 'repair|repairs|repaired|service|serviced|fix|fixed', needs: 'repair job mechanic vehicle device order' },
  {
    said: 'fit|fits|fitted|use|uses|used|need|needs|needed|require|requires|required',
    needs: 'part component material ingredient piece',
  },
  { said: 'file|files|filed|raise|raises|raised|open|opens', needs: 'claim ticket complaint case request' },
  { said: 'lend|lends|lent|borrow|borrows|borrowed', needs: 'loan book copy' },
  { said: 'play|plays|played', needs: 'game match player team role song track' },
  { said: 'ship|ships|shipped|deliver|delivers|delivered', needs: 'shipment delivery parcel' },
];
/** Verbs that link things, and may restrict a place or a kind. */
export const ACTIVE =
  'make|makes|made|making|give|gives|gave|take|takes|took|offer|offers|offered|offering|get|gets|got|hold|holds|held|done';
/** "number of X" counts, whatever is called an X number. */
export const COUNTING = 'number count';
/** What stands before or behind the name of things that a metric counts. */
export const COUNTED_AS = 'number|count|total number|total|how many';
/** Nouns that a name may be said without, or be said with. */
export const LIGHT = 'amount score code value level number flag rate status';
export const NAMED_BY = 'name title';
/** Who is meant by "who" with these verbs. */
export const BUYING = 'order ordered orders buy buys bought purchase purchased';
export const BUYERS = 'customer client buyer shopper consumer';
/** What makes an adjective of the name of a state or a place. */
export const ADJECTIVAL = 'ful al n an ian';
/** Verbs of one event, seen from its two sides. */
export const SAME_EVENT = 'sold|sell|sells|selling|bought|buy|buys|buying|purchased|purchase|ordered';
/** Things that are amounts: what they come to is no number of rows. */
export const AMOUNTS = 'sale payment refund expense cost donation fee fine charge deposit withdrawal';
/** What a thing does by coming to be: its usual date is the date of that. */
export const COMING =
  'placed|made|bought|purchased|ordered|booked|published|written|created|recorded|registered|occurred|happened|took place|done|sold|held|joined|signed up|sign up|join|enrolled|get|gets|got|place|make|buy|book|occur|happen|take place|opened';
/** What whole numbers without a unit are called that tell things apart. */
export const TELLING =
  'grade level class rank floor room gate day week month quarter hour term season semester zone year';
/** Words that may describe anything; participles do, too. */
export const STATES =
  'active inactive open pending current live online offline new old valid invalid standard normal regular special high low medium average large small big long short heavy light fast slow good bad strong weak late early urgent critical final full empty partial complete incomplete paid unpaid sold lost won broken frozen overdue void';
