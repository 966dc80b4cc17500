// Formats SQL with one line per clause and subquery. Changes only white space outside quotes.
const CLAUSES =
  'SELECT|FROM|WHERE|GROUP BY|HAVING|QUALIFY|ORDER BY|LIMIT|OFFSET|UNION|INTERSECT|EXCEPT|(?:LEFT |CROSS )?JOIN';
const SQL_PIECE = new RegExp(
  `'(?:[^']|'')*'|"(?:[^"]|"")*"|\`(?:[^\`]|\`\`)*\`| (?=(?:${CLAUSES})\\b)|[()]|DISTINCT FROM|[A-Za-z_]\\w*|[\\s\\S]`,
  'g',
);
const CLAUSE_START = new RegExp(`^(?:${CLAUSES.replace(/ BY/g, '').replace('(?:LEFT |CROSS )?', 'LEFT|CROSS|')})$`);

export function formatSql(sql: string): string {
  /** For each open parenthesis, whether it contains a query. */
  const open: boolean[] = [];
  let text = '';
  let before = '';
  const pieces = sql.match(SQL_PIECE) ?? [];
  const line = (): string => `\n${'  '.repeat(open.filter((query) => query).length)}`;
  for (const [index, piece] of pieces.entries()) {
    if (piece === '(') {
      let inner = index;
      while (pieces[inner] === '(') inner++;
      open.push(/^(?:SELECT|WITH)$/.test(pieces[inner] ?? ''));
      text += open.at(-1) ? `(${line()}` : '(';
    } else if (piece === ')') {
      text += open.pop() ? `${line()})` : ')';
    } else if (piece === ' ' && open.at(-1) !== false && startsClause(pieces[index + 1], before)) text += line();
    else text += piece;
    if (piece !== ' ') before = piece;
  }
  return text;
}

/** Excludes FROM in IS DISTINCT FROM and GROUP in WITHIN GROUP. */
const startsClause = (word: string | undefined, before: string): boolean =>
  CLAUSE_START.test(word ?? '') && !/^(?:DISTINCT|WITHIN|LEFT|CROSS)$/.test(before);
