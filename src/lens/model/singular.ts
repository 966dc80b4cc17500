// Derives singulars and plurals of English words from rules and lists of exceptions. singular.test.ts measures how many
// nouns the rules get right.
const splitWordList = (words: string): string[] => words.trim().split(/\s+/);

/** Irregular plurals and their singulars. */
const IRREGULAR_SINGULARS: Record<string, string> = Object.fromEntries(
  splitWordList(`people:person persons:person mice:mouse lice:louse feet:foot teeth:tooth geese:goose oxen:ox women:woman men:man
    children:child indexes:index indices:index matrices:matrix vertices:vertex appendices:appendix axes:axis criteria:criterion
    phenomena:phenomenon bacteria:bacterium curricula:curriculum memoranda:memorandum strata:stratum media:medium corpora:corpus
    genera:genus radii:radius stimuli:stimulus fungi:fungus alumni:alumnus cacti:cactus nuclei:nucleus syllabi:syllabus loci:locus
    quizzes:quiz waltzes:waltz staffs:staff lives:life wives:wife knives:knife leaves:leaf shelves:shelf halves:half wolves:wolf
    loaves:loaf thieves:thief calves:calf scarves:scarf selves:self hooves:hoof elves:elf bases:base oases:oasis yeses:yes
    taxis:taxi skis:ski bikinis:bikini alibis:alibi kpis:kpi apis:api menus:menu skus:sku gnus:gnu emus:emu
    ids:id ads:ad pcs:pc tvs:tv cds:cd ups:up ins:in outs:out offs:off`).map(
    (pair) => pair.split(':') as [string, string],
  ),
);
/** Words whose plural equals the singular. */
const INVARIANT_NOUNS = new Set(
  splitWordList(`data series species news staff sheep deer fish aircraft spacecraft hovercraft equipment information luggage baggage
    software hardware money rice headquarters means chassis debris offspring feedback sms gps sos tennis mathematics physics
    economics logistics analytics trousers scissors clothes`),
);
/** Singular nouns that end in s. */
const NOUNS_IN_S = splitWordList(
  `gas bias alias canvas atlas lens iris pancreas christmas texas trellis cosmos rhinoceros thermos asbestos pelvis penis
   dais bus plus`,
);
const NOUNS_IN_IE =
  splitWordList(`movie cookie calorie tie necktie lie die pie magpie zombie brownie hoodie rookie prairie selfie goalie caddie sortie
  birdie genie cutie smoothie foodie talkie newbie indie freebie junkie hippie veggie auntie collie pixie specie eerie`);
const NOUNS_IN_CHE = splitWordList(
  'cache niche ache headache toothache heartache backache quiche avalanche creche moustache mustache cliche psyche',
);
const NOUNS_IN_OE = splitWordList('shoe horseshoe toe canoe oboe hoe foe aloe woe roe tiptoe');
const NOUNS_IN_O_WITH_ES_PLURAL = new Set(
  splitWordList('hero potato tomato echo torpedo volcano veto embargo mango buffalo cargo domino mosquito dingo'),
);
const NOUNS_IN_USE = splitWordList('use reuse excuse muse fuse ruse abuse recluse refuse');
const SINGULARS_BY_SES_PLURAL = new Map<string, string>(NOUNS_IN_S.map((item) => [`${item}es`, item]));
const SINGULARS_BY_ES_PLURAL = new Map<string, string>(
  [...NOUNS_IN_IE, ...NOUNS_IN_CHE, ...NOUNS_IN_OE, ...NOUNS_IN_USE].map((item) => [`${item}s`, item]),
);
const PLURAL_OF_SIS_PATTERN = /(?:ly|agno|ogno|the|cri|synop|empha|neuro|psycho|hypno|metamorpho|gene|neme|sta)ses$/;
const NOUNS_IN_CH_WITH_S_PLURAL = new Set(splitWordList('epoch stomach monarch patriarch matriarch loch tech'));
const MEN_PLURAL_EXCEPTION_PATTERN = /^(?:speci|o|abdo|se|regi|acu|hy|ye|sta|ra)men$/;
const MAN_SINGULAR_EXCEPTION_PATTERN = /^(?:hu|ger|ro|otto|sha|talis|cai|nor|cay)man$/;

function formSingular(word: string): string {
  if (Object.hasOwn(IRREGULAR_SINGULARS, word)) return IRREGULAR_SINGULARS[word]!;
  if (INVARIANT_NOUNS.has(word) || NOUNS_IN_S.includes(word) || word.length < 4 || /\d/.test(word)) return word;
  const knownSingular = SINGULARS_BY_SES_PLURAL.get(word) ?? SINGULARS_BY_ES_PLURAL.get(word);
  if (knownSingular) return knownSingular;
  if (/children$/.test(word)) return word.slice(0, -3);
  if (/men$/.test(word) && word.length > 5 && !MEN_PLURAL_EXCEPTION_PATTERN.test(word)) return `${word.slice(0, -2)}an`;
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (PLURAL_OF_SIS_PATTERN.test(word)) return `${word.slice(0, -2)}is`;
  if (/[^aeo]uses$/.test(word) || /(?:ch|sh|x|ss|zz)es$/.test(word)) return word.slice(0, -2);
  if (/(?:[^aeiou]|qu)ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/[^aeiou]oes$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}
/** Changes only the last word of a name, even if underscores separate the words. */
export const toSingular = (text: string): string => text.replace(/[^_\s]+$/, formSingular);

const IRREGULAR_PLURALS = new Map(
  Object.entries(IRREGULAR_SINGULARS)
    .map(([several, singularForm]) => [singularForm, several] as const)
    .reverse(),
);
function formPlural(word: string): string {
  if (INVARIANT_NOUNS.has(word) || /\d$/.test(word)) return word;
  if (IRREGULAR_PLURALS.has(word)) return IRREGULAR_PLURALS.get(word)!;
  if (/child$/.test(word)) return `${word}ren`;
  if (/man$/.test(word) && !MAN_SINGULAR_EXCEPTION_PATTERN.test(word)) return `${word.slice(0, -2)}en`;
  if (/[a-z]{2}sis$/.test(word) && PLURAL_OF_SIS_PATTERN.test(`${word.slice(0, -2)}es`))
    return `${word.slice(0, -2)}es`;
  if (/(?:[^aeiou]|qu)y$/.test(word)) return `${word.slice(0, -1)}ies`;
  if (NOUNS_IN_CH_WITH_S_PLURAL.has(word)) return `${word}s`;
  return NOUNS_IN_O_WITH_ES_PLURAL.has(word) || /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
export const toPlural = (text: string): string => toSingular(text).replace(/[^_\s]+$/, formPlural);
