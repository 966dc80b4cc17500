// Checks SQL before any parser reads it, because parsers stop at NUL, and engines disagree on white space.
import type { FaultCollector } from '../dialects/fault-collector.ts';
import { type Token, tokenize } from '../dialects/lexer.ts';

export const MAX_SQL_LENGTH = 100_000;
const MAX_DEPTH = 200;
/** The largest number of tokens, which is enough for a list of about 10,000 values. */
const MAX_TOKENS = 20_000;
/**
 * The limit protects parsers that repeatedly scan long runs of operator symbols, and text that looks like the start of
 * a comment.
 */
const MAX_OPERATOR_RUN_LENGTH = 32;
const MAX_COMMENTS = 200;
const MAX_COMMENT_DEPTH = 8;
const OPERATOR_SIGNS = '+-*/<>=~!@#%^&|`?';

/** Reports errors for characters that no parser or engine should receive. */
export function checkCharacters(sql: string, faults: FaultCollector): void {
  if (sql.length > MAX_SQL_LENGTH) {
    faults.add('too_long', `The statement has ${sql.length} characters; the limit is ${MAX_SQL_LENGTH}.`);
    return;
  }
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff]/.test(sql)) {
    faults.add('control_character', 'The statement contains a control character (such as NUL or BOM). Remove it.');
  }
  if (/\p{Surrogate}/u.test(sql)) faults.add('invalid_text', 'The statement is not valid Unicode text.');
}

/** Returns the tokens. Reports an error for each limit that the SQL exceeds. */
export function checkRawText(sql: string, faults: FaultCollector): Token[] {
  checkCharacters(sql, faults);
  if (faults.list.length > 0) return [];
  const foundTokens = [...tokenize(sql)];
  if (foundTokens.length > MAX_TOKENS) {
    faults.add('too_long', `The statement has ${foundTokens.length} words and symbols; the limit is ${MAX_TOKENS}.`);
  }
  checkComments(sql, foundTokens, faults);
  let depth = 0;
  let maxDepth = 0;
  let runLength = 0;
  let longestRun = 0;
  for (const [index, token] of foundTokens.entries()) {
    const isOperatorSign = token.kind === 'symbol' && OPERATOR_SIGNS.includes(sql[token.start]!);
    runLength = !isOperatorSign ? 0 : foundTokens[index - 1]?.end === token.start ? runLength + 1 : 1;
    longestRun = Math.max(longestRun, runLength);
    if (token.kind === 'open') maxDepth = Math.max(maxDepth, ++depth);
    else if (token.kind === 'close') depth--;
    else if (token.kind === 'comment' && sql.startsWith('/*!', token.start)) {
      faults.add('executable_comment', 'A comment starts with /*!, which some engines execute. Remove it.');
    }
  }
  if (longestRun > MAX_OPERATOR_RUN_LENGTH) {
    faults.add(
      'too_long',
      `The statement has ${longestRun} operator symbols in a row; the limit is ${MAX_OPERATOR_RUN_LENGTH}.`,
    );
  }
  if (maxDepth > MAX_DEPTH)
    faults.add(
      'too_deep',
      `The brackets in the statement are nested ${maxDepth} levels deep; the limit is ${MAX_DEPTH}.`,
    );
  return foundTokens;
}

function checkComments(sql: string, foundTokens: readonly Token[], faults: FaultCollector): void {
  const comments = foundTokens.filter(({ kind }) => kind === 'comment');
  if (comments.length > MAX_COMMENTS) {
    faults.add('too_long', `The statement has ${comments.length} comments; the limit is ${MAX_COMMENTS}.`);
  }
  for (const { start, end } of comments) {
    if (sql[start] !== '/') continue;
    let depth = 0;
    let maxDepth = 0;
    for (const [mark] of sql.slice(start, end).matchAll(/\/\*|\*\//g)) {
      depth += mark === '/*' ? 1 : -1;
      maxDepth = Math.max(maxDepth, depth);
    }
    if (maxDepth > MAX_COMMENT_DEPTH) {
      faults.add('too_deep', `A comment is nested ${maxDepth} levels deep; the limit is ${MAX_COMMENT_DEPTH}.`);
    } else if (depth > 0) faults.add('syntax', 'A comment is not closed.', { offset: start });
  }
}
