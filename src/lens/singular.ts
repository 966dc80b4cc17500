// One of what a word names several of: the only singular of the house, for drafts and for questions alike.
const IRREGULAR: Record<string, string> = {
  people: 'person',
  persons: 'person',
  children: 'child',
  men: 'man',
  women: 'woman',
  mice: 'mouse',
  feet: 'foot',
  teeth: 'tooth',
  geese: 'goose',
  oxen: 'ox',
  indices: 'index',
  indexes: 'index',
  matrices: 'matrix',
  vertices: 'vertex',
  analyses: 'analysis',
  diagnoses: 'diagnosis',
  theses: 'thesis',
  crises: 'crisis',
  bases: 'base',
  criteria: 'criterion',
  phenomena: 'phenomenon',
  media: 'medium',
  data: 'data',
  series: 'series',
  species: 'species',
  news: 'news',
  movies: 'movie',
  cookies: 'cookie',
  calories: 'calorie',
  ties: 'tie',
  lives: 'life',
  wives: 'wife',
  knives: 'knife',
  leaves: 'leaf',
  shelves: 'shelf',
  halves: 'half',
  wolves: 'wolf',
  loaves: 'loaf',
  thieves: 'thief',
  heroes: 'hero',
  potatoes: 'potato',
  tomatoes: 'tomato',
  echoes: 'echo',
  alumni: 'alumnus',
  cacti: 'cactus',
  nuclei: 'nucleus',
  syllabi: 'syllabus',
  buses: 'bus',
  gases: 'gas',
  lenses: 'lens',
  bonuses: 'bonus',
  statuses: 'status',
  viruses: 'virus',
  campuses: 'campus',
  aliases: 'alias',
  quizzes: 'quiz',
  addresses: 'address',
  staff: 'staff',
  staffs: 'staff',
  yes: 'yes',
  gas: 'gas',
  alias: 'alias',
  lens: 'lens',
  canvas: 'canvas',
  atlas: 'atlas',
  christmas: 'christmas',
  censuses: 'census',
  consensuses: 'consensus',
  prospectuses: 'prospectus',
  apparatuses: 'apparatus',
  surpluses: 'surplus',
  focuses: 'focus',
  pies: 'pie',
  zombies: 'zombie',
  brownies: 'brownie',
  hoodies: 'hoodie',
  rookies: 'rookie',
  prairies: 'prairie',
  smoothies: 'smoothie',
  caches: 'cache',
  aches: 'ache',
  headaches: 'headache',
  niches: 'niche',
  atlases: 'atlas',
  canvases: 'canvas',
};

const SHORT = new Set(['ids', 'ads', 'pcs', 'tvs', 'cds']);

const singularWord = (word: string): string => {
  const irregular = Object.hasOwn(IRREGULAR, word) ? IRREGULAR[word] : undefined;
  if (irregular) return irregular;
  if (word.length < 4 || /\d/.test(word))
    return word.length === 3 && /^[a-z]{2}s$/.test(word) && SHORT.has(word) ? word.slice(0, -1) : word;
  if (/(ss|us|is)$/.test(word)) return word;
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(ch|sh|x|ss|zz)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
};
/** Of several words, or of a name with underscores, the last. */
export const singular = (text: string): string => text.replace(/[^_\s]+$/, singularWord);

const SEVERAL = new Map(
  Object.entries(IRREGULAR)
    .map(([several, one]) => [one, several] as const)
    .reverse(),
);
export const plural = (text: string): string =>
  singular(text).replace(/[^_\s]+$/, (one) => {
    if (SEVERAL.has(one)) return SEVERAL.get(one)!;
    if (/\d$/.test(one)) return one;
    return /[^aeiou]y$/.test(one) ? `${one.slice(0, -1)}ies` : /(s|x|ch|sh)$/.test(one) ? `${one}es` : `${one}s`;
  });
