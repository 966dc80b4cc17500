// Parses DuckDB's serialized trees, and keeps numbers that JSON.parse would change as marked strings. Statements can't
// contain NUL, so no other string has the mark.
const MARK = '\u0000#';
/** If a tree matches none of these, JSON.parse changes no number in it. */
const CHANGEABLE = /\d[.eE]|\d{16}|-0(?!\d)/;
/** The position of nodes that DuckDB created. No quoted string can contain this. */
const NO_POSITION = '"query_location":18446744073709551615';
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function parseExactJson(text: string): unknown {
  const json = text.replaceAll(NO_POSITION, '"query_location":null');
  return JSON.parse(
    CHANGEABLE.test(json)
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
