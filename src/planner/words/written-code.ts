// "SKU-0009", "FUR-BO-10001798": letters, digits and hyphens written without a space are one value, whatever the lens calls
// a part of them.
import type { Token } from './token.ts';

export interface Code {
  from: number;
  to: number;
}

/** The code that a token is a part of, as places among the tokens. */
export const codeAt = (tokens: readonly Token[], folded: string, at: number): Code | null => {
  const glued = (left: Token | undefined, right: Token | undefined): boolean =>
    isPart(left) && isPart(right) && /^-?$/.test(folded.slice(left.end, right.start)) && left.end <= right.start;
  if (!isPart(tokens[at])) return null;
  let [from, to] = [at, at];
  while (glued(tokens[from - 1], tokens[from])) from--;
  while (glued(tokens[to], tokens[to + 1])) to++;
  const written = folded.slice(tokens[from]!.start, tokens[to]!.end);
  return from < to && CODE.test(written) ? { from, to } : null;
};

const CODE = /^(?=.*\p{L})(?=.*\d)(?=.*-)[\p{L}\p{N}-]+$/u;
const isPart = (token: Token | undefined): token is Token =>
  token !== undefined && (token.kind === 'word' || token.kind === 'number' || token.text === '-');
