// Writes groups in the words of a question.
import type { Grouping, LensPlan } from '../../plan/lens-plan.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { fieldName, noSentence, singularName } from './names-of.ts';

const GRAINS: Readonly<Record<string, string>> = { month_of_year: 'month of year' };

export const groupText = (vocabulary: Vocabulary, one: Grouping): string => {
  if (one.when || one.through || one.bin !== undefined || one.as) return noSentence();
  const called = fieldName(vocabulary, one);
  if (!one.grain) return called;
  const { timeField } = vocabulary.dataset(vocabulary.graph.datasetOf(one.path) ?? noSentence());
  const grain = GRAINS[one.grain] ?? one.grain;
  const isName = vocabulary.phrases.has(vocabulary.key(grain));
  return timeField === one.field && !isName ? grain : `${called} ${grain}`;
};

/** A thing is shown by its name, and distinguished by its key. */
export const groupTexts = (vocabulary: Vocabulary, { dimensions, per = [] }: LensPlan): string[] => {
  const left = [...per];
  const said: string[] = [];
  const rest = [...dimensions];
  for (let one = rest.shift(); one; one = rest.shift()) {
    const { path } = one;
    const at = left.indexOf(path);
    if (at < 0) {
      said.push(groupText(vocabulary, one));
      continue;
    }
    left.splice(at, 1);
    const shown = shownFields(vocabulary, path);
    const siblings = [one, ...rest.slice(0, shown.length - 1)];
    if (siblings.some((own, index) => own.path !== path || own.field !== shown[index] || own.grain)) noSentence();
    rest.splice(0, shown.length - 1);
    said.push(singularName(vocabulary, path));
  }
  return left.length > 0 ? noSentence() : said;
};

/** The columns shown for a row without a name: all of its fields. */
export const rowOf = (vocabulary: Vocabulary, home: string): string[] => {
  const { fields } = vocabulary.dataset(home);
  return vocabulary.display(home).some(({ masked }) => !masked)
    ? shownFields(vocabulary, home)
    : fields.filter(({ masked }) => !masked).map(({ name }) => name);
};
/** The columns that show a thing. */
export const shownFields = (vocabulary: Vocabulary, path: string): string[] => {
  const dataset = vocabulary.graph.datasetOf(path) ?? noSentence();
  const display = vocabulary.display(dataset).filter(({ masked }) => !masked);
  return display.length > 0 ? display.map(({ name }) => name) : vocabulary.dataset(dataset).primaryKey.slice();
};
