// What is refused before any parser sees the text: parsers stop at NUL, engines differ on what is white space (G16).
import type { Faults } from './faults.ts';
import { type Token, tokens } from './lexer.ts';

const LONGEST = 100_000;
const DEEPEST = 200;
/** A list of some 10,000 values; more would hold the event loop for too long (G15). */
const MOST_TOKENS = 20_000;

/** Adds faults; returns the tokens for the steps that follow. */
export function checkRawText(sql: string, faults: Faults): Token[] {
  if (sql.length > LONGEST) {
    faults.add('too_long', `The statement has ${sql.length} characters; ${LONGEST} are allowed.`);
    return [];
  }
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff]/.test(sql)) {
    faults.add('control_character', 'The statement holds a control character (NUL, BOM or the like); remove it.');
  }
  if (/\p{Surrogate}/u.test(sql)) faults.add('invalid_text', 'The statement is not valid Unicode text.');
  if (faults.list.length > 0) return [];
  const found = [...tokens(sql)];
  if (found.length > MOST_TOKENS) {
    faults.add('too_long', `The statement has ${found.length} words and signs; ${MOST_TOKENS} are allowed.`);
  }
  let depth = 0;
  let deepest = 0;
  for (const token of found) {
    if (token.kind === 'open') deepest = Math.max(deepest, ++depth);
    else if (token.kind === 'close') depth--;
    else if (token.kind === 'comment' && sql.startsWith('/*!', token.start)) {
      faults.add('executable_comment', 'A comment starts with /*!, which some engines execute; remove it.');
    }
  }
  if (deepest > DEEPEST) faults.add('too_deep', `The statement nests ${deepest} brackets; ${DEEPEST} are allowed.`);
  return found;
}
