// Writes groups in the words of a question.
import type { Grouping, Intent } from '../../lens/model/intent.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { fieldCalled, thingCalled, unsaid } from './called.ts';

const GRAINS: Readonly<Record<string, string>> = { month_of_year: 'month of year' };

export const groupSaid = (vocabulary: Vocabulary, one: Grouping): string => {
  if (one.when || one.through || one.bin !== undefined || one.as) return unsaid();
  const called = fieldCalled(vocabulary, one);
  if (!one.grain) return called;
  const { timeField } = vocabulary.dataset(vocabulary.graph.datasetOf(one.path) ?? unsaid());
  const grain = GRAINS[one.grain] ?? one.grain;
  const isName = vocabulary.phrases.has(vocabulary.key(grain));
  return timeField === one.field && !isName ? grain : `${called} ${grain}`;
};

/** A thing is shown by its name, and distinguished by its key. */
export const groupsSaid = (vocabulary: Vocabulary, { dimensions, groupKeys = [] }: Intent): string[] => {
  const left = [...groupKeys];
  const said: string[] = [];
  const rest = [...dimensions];
  for (let one = rest.shift(); one; one = rest.shift()) {
    const { path } = one;
    const at = left.indexOf(path);
    if (at < 0) {
      said.push(groupSaid(vocabulary, one));
      continue;
    }
    left.splice(at, 1);
    const shown = shownOf(vocabulary, path);
    const whole = [one, ...rest.slice(0, shown.length - 1)];
    if (whole.some((own, index) => own.path !== path || own.field !== shown[index] || own.grain)) unsaid();
    rest.splice(0, shown.length - 1);
    said.push(thingCalled(vocabulary, path));
  }
  return left.length > 0 ? unsaid() : said;
};

/** The columns shown for a row without a name: all of its fields. */
export const rowOf = (vocabulary: Vocabulary, home: string): string[] => {
  const { fields } = vocabulary.dataset(home);
  return vocabulary.display(home).some(({ masked }) => !masked)
    ? shownOf(vocabulary, home)
    : fields.filter(({ masked }) => !masked).map(({ name }) => name);
};
/** The columns that show a thing. */
export const shownOf = (vocabulary: Vocabulary, path: string): string[] => {
  const dataset = vocabulary.graph.datasetOf(path) ?? unsaid();
  const display = vocabulary.display(dataset).filter(({ masked }) => !masked);
  return display.length > 0 ? display.map(({ name }) => name) : vocabulary.dataset(dataset).primaryKey.slice();
};
