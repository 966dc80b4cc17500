// Words for asking, linking, grouping, ranking, comparing, quantities and dates. svc knows these words even if they
// don't occur in the names of the lens.
import { isFillerWord } from './filler-words.ts';
import { COMPARATIVES, SUPERLATIVES, UNANSWERABLE_WORDS } from './lexicon.ts';

const toSet = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const ASKING_WORDS = toSet('how many much what which who whom whose where when count counts number numbers');
const LINKING_WORDS = toSet(
  'of by in on at to from for with without within across through during until since before after over under above below between among along into onto upon about against around off up down near behind beyond via as per and or nor but not no than then if that this these those it its itself they them their theirs he she his her him my your ours one ones own same such other others another any all every each some both either neither none whether only just even still already yet again together altogether overall else s am',
);
const RANKING_AND_MEASURE_WORDS = toSet(
  'top bottom first last next previous total sum average avg mean median minimum maximum min max percent percentage share part ratio proportion fraction difference change growth running cumulative distinct unique different separate individual respective various multiple several few most least more less fewer greater higher lower bigger larger smaller better equal equals same exactly order ordered sort sorted rank ranked ascending descending group grouped split broken break breakdown compare compared comparing comparison versus vs list listing show shown value values record records row rows entry entries current currently today yesterday tomorrow now ago past recent recently latest earliest day days week weeks month months quarter quarters year years hour hours minute minutes date dates period daily weekly monthly quarterly yearly annual annually half sold placed made total',
);
const AUXILIARY_WORDS = toSet(
  'have has had having do does did done doing is are was were be been being will would shall should can could may might must get gets got has having',
);

export const isLinkingWord = (norm: string): boolean => LINKING_WORDS.has(norm);

/** Grammar words that svc suggests for a misspelled word. */
export const SPELLABLE_GRAMMAR_WORDS: readonly string[] = [
  ...new Set([
    ...RANKING_AND_MEASURE_WORDS,
    ...ASKING_WORDS,
    ...SUPERLATIVES.keys(),
    'between',
    'before',
    'after',
    'without',
  ]),
].filter((word) => word.length > 3);

/**
 * Returns true for a word that svc never reports as unknown. A name in a lens can also contain such a word, such as
 * "order".
 */
export const isGrammarWord = (norm: string): boolean =>
  !UNANSWERABLE_WORDS.has(norm) &&
  (isFillerWord(norm) ||
    ASKING_WORDS.has(norm) ||
    LINKING_WORDS.has(norm) ||
    RANKING_AND_MEASURE_WORDS.has(norm) ||
    AUXILIARY_WORDS.has(norm) ||
    SUPERLATIVES.has(norm) ||
    COMPARATIVES.has(norm));
