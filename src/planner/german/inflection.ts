// German endings. Words come folded: without umlauts a plural differs from its singular by its ending alone ("Städte").
import type { Inflection } from '../language/language.ts';

const ENDINGS = ['ern', 'em', 'en', 'er', 'es', 'e'];
const LEAST = 3; // letters of a stem

/** They only look inflected. */
const ALONE = new Set('deren dessen denen ihren seit mehrere ander andere unter ohne als aber oder'.split(' '));

const bared = (word: string): string => {
  const bare = (ending: string): string | null =>
    word.endsWith(ending) && word.length - ending.length >= LEAST ? word.slice(0, -ending.length) : null;
  const cut =
    ENDINGS.map(bare).find((one) => one !== null) ??
    (/[lr]n$/.test(word) ? bare('n') : null) ??
    (/[^sui]s$/.test(word) ? bare('s') : null) ??
    word;
  return cut.endsWith('ss') ? cut.slice(0, -1) : cut;
};
/** "mobeln" and "mobel", "stadten" and "stadt", "bundesstaates" and "bundesstaat": one form, right or not; a stem has itself. */
const stem = (word: string): string => {
  if (ALONE.has(word)) return word;
  const bare = bared(word);
  return bare === word ? word : stem(bare);
};

/** One, although it ends as several do. */
const ONE = /(?:unternehmen|wagen|laden|garten|hafen|rahmen|volumen|verfahren|vorhaben|vermogen|thema|schein)$/;
/** One in -e: "Kategorie", "Menge", "Woche"; not "Verträge". */
const ONE_IN_E =
  /(?:ie|nde|(?<!tr)age|(?<!tra)ge|lle|sse|ppe|ahme|oche|ache|anche|ahe|ade|ise|ette|ure|iere|karte|sparte|sorte|hohe|quote|rate|zone|farbe|note|name)$/;
const SEVERAL_IN_ER = /(?:lander|guter|bucher|kinder|hauser|rader|bilder|felder|gelder|mitglieder)$/;
const number = (word: string): 'one' | 'many' => {
  if (ONE.test(word)) return 'one';
  if (/(?:en|[lr]n|[^sui]s)$/.test(word) || SEVERAL_IN_ER.test(word)) return 'many';
  return word.endsWith('e') && !ONE_IN_E.test(word) ? 'many' : 'one';
};

const PARTICIPLE =
  /^(?:\w*ge\w{2,}(?:t|en)|(?:be|ver|er|ent|zer|emp|miss|uber|unter)\w{2,}(?:t|(?<!ung|heit|keit)en)|\w+iert)$/;
const SEPARATED = /^(ab|an|auf|aus|ein|nach|vor|zu|zuruck|her|hin|mit)?ge(?=\w{3})/;

export const INFLECTION: Inflection = {
  stem,
  number,
  isParticiple: (word) => PARTICIPLE.test(word),
  verbRoot: (word) => word.replace(SEPARATED, '$1').replace(/(?:eten|ten|tet|te|et|en|t|e)$/, ''),
  derives: (name, root) => root.length >= LEAST && name.startsWith(root),
  endings: ['e', 'n', 'en', 'er', 's'],
  allForms: true,
};
