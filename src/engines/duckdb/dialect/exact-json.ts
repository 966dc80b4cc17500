// Parses DuckDB's serialized trees. Numbers that JSON.parse would change become strings with a mark. The mark contains
// NUL, which statements can't contain, so no other string has it.
const MARK = '\u0000#';
/** In a tree that doesn't match this pattern, JSON.parse changes no number. */
const INEXACT_NUMBER = /\d[.eE]|\d{16}|-0(?!\d)/;
/**
 * The position of nodes that DuckDB created. No JSON string can contain this text, because quotes in strings are
 * escaped.
 */
const NO_POSITION = '"query_location":18446744073709551615';
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function parseExactJson(text: string): unknown {
  const json = text.replaceAll(NO_POSITION, '"query_location":null');
  return JSON.parse(
    INEXACT_NUMBER.test(json)
      ? json.replace(TOKEN, (token) =>
          token[0] === '"' || String(Number(token)) === token ? token : `"\\u0000#${token}"`,
        )
      : json,
  );
}

/** The digits of a number, with or without the mark. */
export const numberText = (value: unknown): string => {
  if (typeof value === 'string' && value.startsWith(MARK)) return value.slice(MARK.length);
  return typeof value === 'number' ? String(value) : '';
};
