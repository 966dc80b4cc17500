// English words, sorted by their function in a question. No other part of the grammar contains English words.

const toSet = (list: string, separator = ' '): ReadonlySet<string> => new Set(list.split(separator));

export interface WordClass {
  cat: string;
  value: string;
  features?: readonly string[];
  /** Forms and phrases, separated by |. */
  said: string;
}

/** Words that can occur anywhere without changing the meaning, because they don't restrict, negate or compare. */
export const STOP_WORDS = toSet("a an the is are was were be been do does did there 's also we us our");
/**
 * Articles that can introduce a field. For example, "invoices with a paid date" means invoices that have a paid date.
 */
export const INDEFINITE_ARTICLES = toSet('a an');
export const MISSING_VALUE_WORDS = toSet(
  'none|nothing|null|nil|n/a|na|unknown|missing|unspecified|undefined|blank|empty|-|?',
  '|',
);
/** Words that are polite only at the start of a question. */
export const POLITE_WORDS = toSet(
  'please kindly can could would you i we want like to know see let tell me us hi hello hey so ok okay',
);
/** Words that completions offer first. The sentences of plans use the same words. */
export const PREFERRED_COMPLETION_WORDS: readonly string[] = [
  ...toSet(
    'where per with without excluding missing and or by of for in to each ordered descending number ratio share percentage growth running difference distinct average total highest lowest median top bottom latest earliest',
  ),
];
/** Punctuation that can occur anywhere. Commas also separate items in lists. */
export const PAUSE_MARKS = toSet(", ? ! . : ; 's");
/** The first words of yes/no questions, which svc doesn't answer. */
export const YES_OR_NO_WORDS = toSet('is are was were do does did has have had can could should will would');

/** Auxiliary verbs before a past participle. */
export const PERFECT_AUXILIARIES = toSet('have has had having get got');

const createWordClass = (cat: string, value: string, phrases: string, features?: readonly string[]): WordClass => ({
  cat,
  value,
  said: phrases,
  features,
});

/** Words that occur in the names of roles, by the preposition that selects the role. */
export const ROLE_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  from: toSet('from start origin source departure sender sending pickup loading'),
  to: toSet('to end destination dest target arrival receiver receiving dropoff unloading'),
};
export const WORD_CLASSES: readonly WordClass[] = [
  createWordClass('agg', 'avg', 'average|avg|mean|on average'),
  createWordClass('agg', 'sum', 'total|sum|sum total|overall|combined|total sum|total amount|sum of the'),
  createWordClass('agg', 'min', 'minimum|lowest|smallest|min|least', ['end']),
  createWordClass('agg', 'max', 'maximum|highest|largest|biggest|greatest|max|most', ['end']),
  createWordClass('agg', 'median', 'median'),
  createWordClass(
    'op',
    '>',
    'more than|over|above|greater than|higher than|exceeding|larger than|bigger than|in excess of|exceeds|exceed|upwards of|>',
  ),
  createWordClass('op', '<', 'less than|under|below|fewer than|lower than|smaller than|<'),
  createWordClass('op', '>=', 'at least|no less than|no fewer than|a minimum of|not less than|> ='),
  createWordClass('op', '<=', 'at most|no more than|up to|a maximum of|not more than|< ='),
  createWordClass('longer', '>', 'longer than|heavier than|taller than|costing more than'),
  createWordClass('longer', '<', 'shorter than|lighter than|cheaper than|costing less than'),
  createWordClass('op', '=', 'exactly|equal to|equals'),
  createWordClass('sharing', 'share', 'share|proportion|fraction|contribution'),
  createWordClass('sharing', 'percent', 'percentage|percent|%'),
  createWordClass('often', '1', 'once'),
  createWordClass('often', '2', 'twice'),
  createWordClass('superl', 'desc', 'highest|largest|biggest|greatest|top|maximum|max|longest'),
  createWordClass('superl', 'desc', 'most', ['many']),
  createWordClass('superl', 'asc', 'lowest|smallest|bottom|minimum|min|shortest'),
  createWordClass('superl', 'asc', 'least|fewest', ['many']),
  createWordClass(
    'common',
    'desc',
    'most common|most frequent|most used|most frequently used|most commonly used|commonest|most often used|most popular',
  ),
  createWordClass('common', 'asc', 'least common|least frequent|least used|rarest|least frequently used|least popular'),
  createWordClass('bestworst', 'desc', 'best|strongest'),
  createWordClass('bestworst', 'asc', 'worst|weakest'),
  createWordClass('recent', 'desc', 'latest|newest|most recent|last'),
  createWordClass('recent', 'asc', 'earliest|first'),
  createWordClass(
    'dir',
    'desc',
    'descending|desc|in descending order|descending order|from highest to lowest|highest first|from most to least|highest to lowest|largest first|in decreasing order|latest first|newest first|from largest to smallest',
  ),
  createWordClass(
    'dir',
    'asc',
    'ascending|asc|in ascending order|ascending order|from lowest to highest|lowest first|lowest to highest|alphabetically|in alphabetical order|in increasing order|earliest first|oldest first|in chronological order|chronologically|from smallest to largest',
  ),
  ...'in from of for at on by to with within under through during as into'
    .split(' ')
    .map((item) =>
      createWordClass('prep', item, item, [...(item === 'by' ? [] : ['at']), ...(item in ROLE_WORDS ? ['part'] : [])]),
    ),
  createWordClass('grain', 'day', 'day|date|calendar day'),
  createWordClass('grain', 'week', 'week|calendar week'),
  createWordClass('grain', 'month', 'month|calendar month'),
  createWordClass('grain', 'quarter', 'quarter'),
  createWordClass('grain', 'year', 'year|calendar year'),
  createWordClass('grain', 'weekday', 'weekday|day of week|day of the week', ['part']),
  createWordClass('grain', 'hour', 'hour|hour of day|hour of the day', ['part']),
  createWordClass('grain', 'month_of_year', 'month of year|month of the year', ['part']),
  createWordClass('grainly', 'day', 'daily'),
  createWordClass('grainly', 'week', 'weekly'),
  createWordClass('grainly', 'month', 'monthly'),
  createWordClass('grainly', 'quarter', 'quarterly'),
  createWordClass('grainly', 'year', 'yearly'),
];

/** Adjectives that rank by a field whose name contains one of these words, or by a metric with such a name. */
export const RANKING_ADJECTIVES = `
most expensive|priciest|costliest: desc: price|unit price|list price|cost|amount
cheapest|least expensive: asc: price|unit price|list price|cost|amount
highest rated|best rated|top rated: desc: rating|score|stars
lowest rated|worst rated: asc: rating|score|stars
most cited: desc: citations|citation number|number of citations|times cited
oldest: asc: birth date|date of birth|birthday|born
youngest: desc: birth date|date of birth|birthday|born
oldest: desc: age
youngest: asc: age
heaviest: desc: weight
lightest: asc: weight
tallest: desc: height
most profitable: desc: profit|total profit|net profit: total
least profitable: asc: profit|total profit|net profit: total
best selling|best-selling|top selling|bestselling: desc: sales|revenue|turnover: total
`
  .trim()
  .split('\n')
  .map((line) => {
    const [said = '', direction = '', names = '', total] = line.split(': ');
    return {
      said,
      direction: direction === 'asc' ? ('asc' as const) : ('desc' as const),
      names,
      isTotal: total === 'total',
    };
  });
/** The measures that "best" can mean, if exactly one of them is a metric of the lens. */
export const MEASURES_FOR_BEST = 'revenue|sales|turnover|total sales|total revenue|profit|total profit';

/** Verbs that only relate two entities. */
export const RELATING_VERBS = toSet(
  'has|have|had|having|own|owns|owned|owning|hold|holds|belong|belongs|belonged|belonging|contain|contains|containing|contained|include|includes|included|come|comes|coming|came|associated|related|linked|connected|attached|assigned|part of|member of|members of|get|gets|got|receive|receives|received|receiving|located|situated|based|live|lives|lived|living|involving|involve|involves|involved|participate|participates|participated|participating|take part|took part|feature|features|featuring|offer|offers|offered|offering|provide|provides|provided|providing',
  '|',
);
/** Verbs that link two entities if the lens has one of the listed nouns for the object or subject. */
const LINKING_VERBS_TEXT = `
buy|buys|bought|buying|purchase|purchases|purchased|purchasing|order|orders|ordered|ordering: order invoice sale purchase transaction payment basket receipt ticket booking subscription shopping
place|places|placed|placing: order bid bet booking
make|makes|made|making: order booking reservation purchase payment transaction rental call appointment donation visit sale bid request complaint claim piece
sell|sells|sold|selling: order invoice sale purchase transaction item line
serve|serves|served|serving: food meal menu dish cuisine restaurant drink
write|writes|wrote|written|writing|author|authored|publish|publishes|published|publishing: paper publication article journal book author venue essay post
present|presents|presented|presenting: publication paper conference talk
teach|teaches|taught|teaching|give|gives|gave: teacher instructor course class professor lecturer
attend|attends|attended|attending|enroll|enrolled|enrolls|take|takes|took|taken: course class student attendance enrollment enrolment booking event ride trip exam test
book|books|booked|booking: booking reservation
rent|rents|rented|renting: rental
visit|visits|visited|visiting: visit visitor appointment
treat|treats|treated|treating: patient doctor treatment
work|works|worked|working|employ|employs|employed: employee staff worker department store job
supply|supplies|supplied|supplying: supplier supply vendor
submit|submits|submitted: submission request form application
cite|cites|cited|citing|reference|references|referenced: citation cite reference paper publication
issue|issues|issued|issuing: coupon invoice ticket license permit card fine refund voucher certificate bill policy
send|sends|sent|sending: message notification email letter transaction transfer payment invoice parcel shipment
repair|repairs|repaired|service|serviced|fix|fixed: repair job mechanic vehicle device order
fit|fits|fitted|use|uses|used|need|needs|needed|require|requires|required: part component material ingredient piece
file|files|filed|raise|raises|raised|open|opens: claim ticket complaint case request
lend|lends|lent|borrow|borrows|borrowed: loan book copy
play|plays|played: game match player team role song track
ship|ships|shipped|deliver|delivers|delivered: shipment delivery parcel
`;
export interface LinkingVerb {
  forms: ReadonlySet<string>;
  /** The nouns for the object or the subject of the verb. */
  needs: ReadonlySet<string>;
}
export const LINKING_VERBS: ReadonlyMap<string, LinkingVerb> = new Map(
  LINKING_VERBS_TEXT.trim()
    .split('\n')
    .flatMap((line) => {
      const [forms = '', needs = ''] = line.split(': ');
      return forms.split('|').map((form) => [form, { forms: toSet(forms, '|'), needs: toSet(needs) }] as const);
    }),
);
/** Verbs that link two entities, and that can also restrict a place or a kind. */
export const RESTRICTING_VERBS = toSet(
  'make|makes|made|making|give|gives|gave|take|takes|took|offer|offers|offered|offering|get|gets|got|hold|holds|held|done',
  '|',
);
/** Nouns for a count. For example, "number of X" is a count, even if the lens has a field called "X number". */
export const COUNT_NOUNS = toSet('number count');
/** Words before or after the name of counted entities in the name of a metric. */
export const COUNT_WORDS = toSet('number|count|total number|total|how many', '|');
/** Nouns that people add to names or leave out of names. */
export const OPTIONAL_NAME_NOUNS = toSet('amount score code value level number flag rate status');
export const NAME_NOUNS = toSet('name title');
/** Pairs of verbs for the two sides of one event, such as "sold" and "bought". */
export const SAME_EVENT_VERBS = toSet('sold|sell|sells|selling|bought|buy|buys|buying|purchased|purchase|ordered', '|');
/** Nouns for amounts. For example, "total payments" is a sum of money, not a number of rows. */
export const AMOUNT_NOUNS = toSet('sale payment refund expense cost donation fee fine charge deposit withdrawal');
/** Verbs for the creation of an entity. The default date of the entity is the date of this event. */
export const CREATION_VERBS = toSet(
  'placed|made|bought|purchased|ordered|booked|published|written|created|recorded|registered|occurred|happened|took place|done|sold|held|joined|signed up|sign up|join|enrolled|get|gets|got|place|make|buy|book|occur|happen|take place|opened',
  '|',
);
/** Other verbs that hold for every row, because their action brings the rows into being or has no state. */
export const RECORDING_VERBS = toSet(
  'order sell write publish enroll file filed raise raised open submit submitted issue issued request requested borrow borrowed lend lent rent rented author authored present presented cite cited reference referenced use used need needed require required employ employed',
);
/** Nouns in the names of integer fields that have no unit and identify something. */
export const IDENTIFYING_NOUNS = toSet(
  'grade level class rank floor room gate day week month quarter hour term season semester zone year',
);
/** Adjectives that can describe any kind of entity, as participles can. */
export const STATE_WORDS = toSet(
  'active inactive open pending current live online offline new old valid invalid standard normal regular special high low medium average large small big long short heavy light fast slow good bad strong weak late early urgent critical final full empty partial complete incomplete paid unpaid sold lost won broken frozen overdue void',
);
/** Names of rows that are parts of other rows: order lines, invoice items. */
export const DETAIL_ROW_NOUNS = toSet('line item lineitem detail position entry row leg product');
