// Lines for the eye: a statement that a dialect wrote, its clauses and subqueries on lines of their own. Only blanks
// outside of quotes become other blanks.
const PIECES =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`| (?=(?:FROM|WHERE|GROUP BY|HAVING|QUALIFY|ORDER BY|LIMIT|OFFSET|UNION|INTERSECT|EXCEPT|(?:LEFT |CROSS )?JOIN)\b)|[()]|DISTINCT FROM|[A-Za-z_]\w*|[^]/g;

export function laidOut(sql: string): string {
  /** For each open bracket whether a query stands in it. */
  const open: boolean[] = [];
  let text = '';
  let before = '';
  const pieces = sql.match(PIECES) ?? [];
  const line = (): string => `\n${'  '.repeat(open.filter((query) => query).length)}`;
  for (const [index, piece] of pieces.entries()) {
    if (piece === '(') {
      open.push(/^(?:SELECT|WITH)$/.test(pieces.slice(index).find((one) => one !== '(') ?? ''));
      text += open.at(-1) ? `(${line()}` : '(';
    } else if (piece === ')') {
      const query = open.pop();
      text += query ? `${line()})` : ')';
    } else if (piece === ' ' && open.at(-1) !== false && breaks(pieces, index, before)) text += line();
    else text += piece;
    if (piece !== ' ') before = piece;
  }
  return text;
}

/** FROM of IS DISTINCT FROM and GROUP of WITHIN GROUP begin no clause. */
const breaks = (pieces: readonly string[], index: number, before: string): boolean =>
  /^(?:FROM|WHERE|GROUP|HAVING|QUALIFY|ORDER|LIMIT|OFFSET|UNION|INTERSECT|EXCEPT|LEFT|CROSS|JOIN)$/.test(
    pieces[index + 1] ?? '',
  ) && !/^(?:DISTINCT|WITHIN|LEFT|CROSS)$/.test(before);
