// Replaces words in the SQL expressions of authors, except inside string literals and quoted names.
const SQL_PARTS_PATTERN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[^'"]+/g;

export const replaceOutsideLiterals = (sql: string, change: (piece: string) => string): string =>
  (sql.match(SQL_PARTS_PATTERN) ?? []).map((piece) => (/^['"]/.test(piece) ? piece : change(piece))).join('');

const CALLER_ATTRIBUTE_PATTERN = /\{\s*caller\.([A-Za-z_]\w*)\s*\}/g;
export const replaceAttributes = (sql: string, replace: (name: string) => string): string =>
  replaceOutsideLiterals(sql, (piece) =>
    piece.replace(CALLER_ATTRIBUTE_PATTERN, (_whole, name: string) => replace(name)),
  );
export const findAttributes = (sql: string): string[] => {
  const names: string[] = [];
  replaceAttributes(sql, (name) => {
    names.push(name);
    return '';
  });
  return names;
};

/**
 * Returns the first brace outside literals that doesn't enclose an attribute, as in {user.region} or an unclosed
 * {caller.region.
 */
export function findUnknownBrace(sql: string): string | null {
  const braces: string[] = [];
  replaceOutsideLiterals(
    replaceAttributes(sql, () => "''"),
    (piece) => {
      braces.push(...(piece.match(/\{\s*[A-Za-z_][\w.-]*\b(?!\s*:)\s*\}?/g) ?? []));
      return piece;
    },
  );
  return braces[0] ?? null;
}
