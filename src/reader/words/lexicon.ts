// A small built-in thesaurus of English, which lenses need not declare. Each group states its meaning and why
// it can't change a number: a word is accepted only if the lens has what it implies.
const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Adjectives that rank. */
export const SUPERLATIVES = set(
  'highest largest biggest greatest maximum max most top lowest smallest minimum min least fewest bottom longest shortest latest newest earliest oldest heaviest lightest tallest farthest furthest fastest slowest youngest cheapest priciest costliest dearest',
);
/** Adjectives that compare. */
export const COMPARATIVES = set('older younger cheaper costlier heavier lighter taller longer shorter faster slower');

/** Words for units, by the unit as lenses write it. */
export const UNIT_WORDS: Readonly<Record<string, readonly string[]>> = {
  usd: ['usd', '$', 'dollar', 'us dollar', 'buck'],
  eur: ['eur', '€', 'euro'],
  gbp: ['gbp', '£', 'pound', 'pound sterling'],
  jpy: ['jpy', '¥', 'yen'],
  ms: ['m', 'millisecond', 'msec'],
  s: ['second', 'sec'],
  min: ['minute', 'min'],
  h: ['hour', 'hr'],
  day: ['day'],
  byte: ['byte'],
  kb: ['kb', 'kilobyte'],
  mb: ['mb', 'megabyte'],
  gb: ['gb', 'gigabyte'],
  km: ['km', 'kilometer', 'kilometre'],
  mi: ['mile', 'mi'],
  m: ['meter', 'metre'],
  ft: ['foot', 'ft'],
  cm: ['cm', 'centimeter', 'centimetre'],
  mm: ['mm', 'millimeter', 'millimetre'],
  g: ['g', 'gram'],
  kg: ['kg', 'kilogram', 'kilo'],
  t: ['tonne', 'ton'],
  lb: ['pound', 'lb'],
  '%': ['%', 'percent', 'per cent'],
};

/** The key of a unit in any spelling. */
export const unitKey = (unit: string): string | null => {
  const plain = unit.toLowerCase().replace(/s$/, '');
  const found = Object.entries(UNIT_WORDS).find(
    ([key, said]) => key === unit.toLowerCase() || key === plain || said.includes(plain),
  );
  return found?.[0] ?? null;
};

/** Verbs that only say that two things are related; the relationship says the rest. */
const RELATING =
  'have has had having own use uses used using hold belong belongs belonging belonged contain contains containing contained include includes including included come comes came exist exists existing appear appears appearing appeared correspond corresponds corresponding associated related linked connected attached assigned owns owned owning holds holding held get gets got take takes took taken taking go goes gone went falls involve involves involving involved consist consists features featuring featured stored part receive receives received receiving done undergo undergone underwent happened occurs occur occurred shared become becomes became provide provides provided providing offer offers offered offering participate participates participated participating attain attains attained attaining affect affects affected affecting suffer suffers suffered suffering handle handles handled handling file filed filing incur incurs incurred incurring choose chooses chose chosen choosing processed file filed filing incur incurs incurred incurring choose chooses chose chosen choosing processed';
/**
 * Verbs that need a counterpart in the lens: [verbs, words of which one must name a dataset, field or role in
 * use].
 */
const NEEDING: [string, string][] = [
  [
    'buy buys bought buying purchase purchases purchased purchasing order orders ordered ordering',
    'order invoice sale purchase transaction payment basket receipt ticket booking subscription sell shopping',
  ],
  ['place places placed placing', 'order bid bet'],
  ['sell sells sold selling', 'order invoice sale purchase line item transaction quantity'],
  ['pay pays paid paying', 'payment invoice order sale transaction salary amount total fee bill purchase cost price'],
  ['spend spends spent spending', 'order invoice sale payment purchase transaction amount total revenue spending cost'],
  ['earn earns earned earning', 'salary wage income revenue earning sale pay'],
  ['cost costs', 'price cost amount total fee fare'],
  ['bill bills billed billing invoice invoiced invoices', 'invoice bill billing'],
  [
    'live lives lived living reside resides resided residing located situated based',
    'city state country address region province location county zip postal town area district continent',
  ],
  [
    'work works worked working employed employ employs',
    'employee staff worker department company store title job team teacher doctor nurse hire position office branch',
  ],
  [
    'support supports supported supporting help helps helped helping assist assists assisted assisting serve serves served serving',
    'support rep agent employee staff advisor assistant help service',
  ],
  [
    'report reports reported reporting manage manages managed managing supervise supervises supervised supervising lead leads led leading',
    'manager report supervisor boss head lead chief',
  ],
  [
    'release releases released releasing',
    'album artist track song record movie film version release title book game single',
  ],
  [
    'create creates created creating make makes made making write writes wrote written writing compose composes composed composing perform performs performed performing sing sings sang sung publish publishes published publishing produce produces produced producing direct directs directed directing play plays played playing record records recorded recording',
    'artist author writer composer creator performer director producer publisher singer band album track song book movie film game player team label studio',
  ],
  ['lend lends lent lended lending loaned', 'loan credit mortgage'],
  ['speak speaks spoke spoken speaking', 'language tongue speaker'],
  [
    'show shows showed shown showing air airs aired airing broadcast broadcasts broadcasted screen screens screened',
    'channel station broadcaster show program programme series episode cartoon film movie cinema theater theatre',
  ],
  ['cover covers covered covering', 'area surface size acreage'],
  ['lose loses lost losing', 'lost loss loser'],
  ['vote votes voted voting', 'vote voter ballot poll election'],
  ['teach teaches taught teaching', 'teacher instructor course class professor lecturer faculty'],
  [
    'study studies studied studying enroll enrolled enrolls enrol enrolled attend attends attended attending register',
    'student course class enrollment enrolment school event concert department program major attendance registration',
  ],
  [
    'fly flies flew flown flying depart departs departed departing arrive arrives arrived arriving land landed',
    'flight airport airline origin destination departure arrival',
  ],
  [
    'treat treats treated treating admit admitted diagnose diagnosed prescribe prescribed prescribes',
    'patient doctor physician treatment admission diagnosis prescription visit appointment medication',
  ],
  [
    'perform performs performed performing operate operates operated operating conduct conducts conducted conducting carry carried',
    'treatment operation procedure service surgery inspection examination exam test job task work maintenance repair study transaction',
  ],
  ['born', 'birth born'],
  ['ship ships shipped shipping deliver delivers delivered delivering', 'ship shipping shipment delivery order'],
  ['hire hires hired hiring', 'hire employee staff'],
  ['win wins won winning', 'win winner award match game prize race medal'],
  ['rent rents rented renting', 'rental rent'],
  ['visit visits visited visiting', 'visit visitor visits appointment'],
  ['book books booked booking reserve reserved', 'booking reservation book'],
  ['supply supplies supplied supplying', 'supplier supply product part vendor'],
  ['give gives gave given', 'grade score rating review donation'],
];
export interface VerbSense {
  needs: ReadonlySet<string> | null;
}
const verbs = new Map<string, VerbSense[]>();
const addVerbs = (words: string, needs: ReadonlySet<string> | null): void => {
  for (const word of words.split(' ')) verbs.set(word, [...(verbs.get(word) ?? []), { needs }]);
};
for (const [words, needs] of NEEDING) addVerbs(words, new Set(needs.split(' ')));
for (const word of RELATING.split(' ')) if (!verbs.has(word)) addVerbs(word, null);
/** "stations operated by a company" and "a doctor who operated" only say that the two are related. */
addVerbs('operate operates operated operating', null);
export const verbSenses = (norm: string): VerbSense[] | undefined => verbs.get(norm);

/** Words that ask for something no lens has: reasons, forecasts, opinions, advice. */
export const UNANSWERABLE = new Set(
  'why predict predicts predicted prediction predictions forecast forecasts forecasted forecasting expect expected expects should best worst better worse recommend recommends recommendation recommendations suggest suggestion opinion think believe feel likely probably probability future will tomorrow next upcoming going guess estimate estimates optimal ideal good bad great improve increase decrease reduce optimize because reason reasons cause causes caused explain how_come favorite favourite popular unpopular famous trend trends correlation correlate correlated impact effect influence mode percentile quartile deviation variance stddev outlier outliers anomaly anomalies seasonal seasonality typical typically normal usually roughly approximately about_to almost nearly'.split(
    ' ',
  ),
);
