// Parses JSON without losing digits. Numbers that JSON.parse would change become strings with this mark, because
// statements can't contain NUL.
const NUMBER_MARK = '\u0000#';
/** Matches numbers that JSON.parse might change. */
const INEXACT_NUMBER_PATTERN = /\d[.eE]|\d{16}|-0(?!\d)/;
/**
 * The position of nodes that DuckDB created. No JSON string contains this text, because quotes in strings are escaped.
 */
const MISSING_POSITION_JSON = '"query_location":18446744073709551615';
const JSON_TOKEN_PATTERN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function parseExactJson(text: string): unknown {
  const json = text.replaceAll(MISSING_POSITION_JSON, '"query_location":null');
  return JSON.parse(
    INEXACT_NUMBER_PATTERN.test(json)
      ? json.replace(JSON_TOKEN_PATTERN, (token) =>
          token[0] === '"' || String(Number(token)) === token ? token : `"\\u0000#${token}"`,
        )
      : json,
  );
}

export const readDigits = (value: unknown): string => {
  if (typeof value === 'string' && value.startsWith(NUMBER_MARK)) return value.slice(NUMBER_MARK.length);
  return typeof value === 'number' ? String(value) : '';
};
