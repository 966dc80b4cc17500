// Recognizes codes such as "SKU-0009" and "FUR-BO-10001798". Letters, digits and hyphens without spaces are one value,
// even if a part of it has a meaning in the lens.
import type { QuestionToken } from './token.ts';

export interface TokenRange {
  from: number;
  to: number;
}

/** Returns, for each token, the positions of the first and last token of its code. */
export const findCodes = (tokens: readonly QuestionToken[], folded: string): (TokenRange | null)[] => {
  const codes: (TokenRange | null)[] = tokens.map(() => null);
  const areAdjacent = (left: QuestionToken, right: QuestionToken | undefined): boolean =>
    isCodePart(right) && left.end <= right.start && /^-?$/.test(folded.slice(left.end, right.start));
  for (let from = 0; from < tokens.length; from++) {
    if (!isCodePart(tokens[from])) continue;
    let to = from;
    while (areAdjacent(tokens[to]!, tokens[to + 1])) to++;
    if (to > from && CODE_PATTERN.test(folded.slice(tokens[from]!.start, tokens[to]!.end)))
      codes.fill({ from, to }, from, to + 1);
    from = to;
  }
  return codes;
};

const CODE_PATTERN = /^(?=.*\p{L})(?=.*\d)(?=.*-)[\p{L}\p{N}-]+$/u;
const isCodePart = (token: QuestionToken | undefined): token is QuestionToken =>
  token !== undefined && (token.kind === 'word' || token.kind === 'number' || token.text === '-');
