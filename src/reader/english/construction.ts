// A construction. Entries are independent of each other and combine through their categories.
export interface Construction {
  id: string;
  out: string;
  /** A pattern consists of words, {slot:category.feature}, [optional parts] and this|or|that. */
  patterns: readonly string[];
  /**
   * The name of an operator in meaning/operators.ts. `takes` contains inputs of the operator in addition to the slots.
   */
  meaning: string;
  takes: Readonly<Record<string, string>>;
  /** Questions about the test shop that use this construction. `counterexamples` are questions that don't use it. */
  examples: readonly string[];
  counterexamples: readonly string[];
}

const ENTRY_HEAD_PATTERN = /^([\w-]+): (\w+) = (\w+)(.*)$/;
const splitList = (line = ''): string[] => line.replace(/^\w+: /, '').split(' | ');
/**
 * Parses constructions. Each entry consists of "id: category = operator inputs", the patterns, and sample questions
 * that use the construction ("yes") or don't ("no").
 */
export const parseConstructions = (text: string): Construction[] =>
  text
    .trim()
    .split(/\n(?=\S)/)
    .map((entry) => {
      const [head, ...lines] = entry.split('\n').map((line) => line.trim());
      const [, id = '', out = '', meaning = '', inputs = ''] = ENTRY_HEAD_PATTERN.exec(head!) ?? [];
      const takes = inputs
        .split(' ')
        .filter(Boolean)
        .map((item) => item.split('='));
      return {
        ...{ id, out, meaning, patterns: lines.slice(0, -2) },
        takes: Object.fromEntries(takes.map(([name, value = name]) => [name, value])),
        examples: splitList(lines.at(-2)),
        counterexamples: splitList(lines.at(-1)),
      };
    });
