// The filters of definitions that a question can be restricted by: comparisons of a field with a value, joined by "and".
// Anything else is understood inside a metric only.

export const COMPARISON =
  /^\s*([a-z_]\w*)\.([a-z_]\w*)\s*(=|<>|!=|>=|<=|>|<)\s*('(?:[^']|'')*'|-?\d+(?:\.\d+)?|true|false)\s*$/i;
export const MISSING = /^\s*([a-z_]\w*)\.([a-z_]\w*)\s+is\s+(not\s+)?null\s*$/i;

export const partsOf = (filter: string): string[] => filter.split(/\s+and\s+/i);
export const isPlainFilter = (filter: string): boolean =>
  partsOf(filter).every((part) => COMPARISON.test(part) || MISSING.test(part));
