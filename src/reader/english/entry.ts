// A construction: an independent entry of data that combines with all others through its categories.
export interface Entry {
  id: string;
  /** The category of the result. */
  out: string;
  /** Words, {slot:category.feature}, [optional parts], this|or|that. */
  patterns: readonly string[];
  /** An operator from meaning/operators.ts, and its inputs in addition to the slots. */
  meaning: string;
  takes: Readonly<Record<string, string>>;
  /** Questions about the test shop that use the entry, and others that don't. */
  examples: readonly string[];
  counterexamples: readonly string[];
}

const HEAD = /^([\w-]+): (\w+) = (\w+)(.*)$/;
const listed = (line = ''): string[] => line.replace(/^\w+: /, '').split(' | ');
/** Entries as text: "id: category = operator inputs", its patterns, and the questions that use it ("yes") or don't ("no"). */
export const entriesIn = (text: string): Entry[] =>
  text
    .trim()
    .split(/\n(?=\S)/)
    .map((entry) => {
      const [head, ...lines] = entry.split('\n').map((line) => line.trim());
      const [, id = '', out = '', meaning = '', inputs = ''] = HEAD.exec(head!) ?? [];
      const takes = inputs
        .split(' ')
        .filter(Boolean)
        .map((item) => item.split('='));
      return {
        ...{ id, out, meaning, patterns: lines.slice(0, -2) },
        takes: Object.fromEntries(takes.map(([name, value = name]) => [name, value])),
        examples: listed(lines.at(-2)),
        counterexamples: listed(lines.at(-1)),
      };
    });
