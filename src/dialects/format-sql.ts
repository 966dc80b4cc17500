// Formats SQL with one line per clause and subquery. Changes only white space outside quotes.
const CLAUSE_KEYWORDS =
  'SELECT|FROM|WHERE|GROUP BY|HAVING|QUALIFY|ORDER BY|LIMIT|OFFSET|UNION|INTERSECT|EXCEPT|(?:LEFT |CROSS )?JOIN';
const SQL_PIECE_PATTERN = new RegExp(
  `'(?:[^']|'')*'|"(?:[^"]|"")*"|\`(?:[^\`]|\`\`)*\`| (?=(?:${CLAUSE_KEYWORDS})\\b)|[()]|DISTINCT FROM|[A-Za-z_]\\w*|[\\s\\S]`,
  'g',
);
const CLAUSE_START_PATTERN = new RegExp(
  `^(?:${CLAUSE_KEYWORDS.replace(/ BY/g, '').replace('(?:LEFT |CROSS )?', 'LEFT|CROSS|')})$`,
);

export function formatSql(sql: string): string {
  /** For each open parenthesis, whether it contains a query. */
  const openParentheses: boolean[] = [];
  let text = '';
  let previousWord = '';
  const pieces = sql.match(SQL_PIECE_PATTERN) ?? [];
  const newLine = (): string => `\n${'  '.repeat(openParentheses.filter((containsQuery) => containsQuery).length)}`;
  for (const [index, piece] of pieces.entries()) {
    if (piece === '(') {
      let innerIndex = index;
      while (pieces[innerIndex] === '(') innerIndex++;
      openParentheses.push(/^(?:SELECT|WITH)$/.test(pieces[innerIndex] ?? ''));
      text += openParentheses.at(-1) ? `(${newLine()}` : '(';
    } else if (piece === ')') {
      text += openParentheses.pop() ? `${newLine()})` : ')';
    } else if (piece === ' ' && openParentheses.at(-1) !== false && startsClause(pieces[index + 1], previousWord))
      text += newLine();
    else text += piece;
    if (piece !== ' ') previousWord = piece;
  }
  return text;
}

/** Returns true if a word starts a clause. FROM in IS DISTINCT FROM and GROUP in WITHIN GROUP don't start a clause. */
const startsClause = (word: string | undefined, previousWord: string): boolean =>
  CLAUSE_START_PATTERN.test(word ?? '') && !/^(?:DISTINCT|WITHIN|LEFT|CROSS)$/.test(previousWord);
