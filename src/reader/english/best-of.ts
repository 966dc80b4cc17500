// "best" by revenue, profit or sales means the highest. For delays, prices or ranks the better end is
// unclear, so the word stays unresolved.
import type { Token } from '../words/token.ts';

const GAIN = /^(?:revenue|sale|profit|turnover|income|earning)$/;
const BEFORE = /^(?:total|net|gross|overall)$/;

const gainAt = (tokens: readonly Token[], at: number): boolean =>
  GAIN.test(tokens[BEFORE.test(tokens[at]?.norm ?? '') ? at + 1 : at]?.stem ?? '');

/** The position of the measure: right after "best", or after "by" with at most three words in between. */
const measuredAt = (tokens: readonly Token[], at: number): boolean => {
  if (gainAt(tokens, at + 1)) return true;
  const by = tokens.slice(at + 1, at + 6).findIndex(({ norm }) => norm === 'by');
  const between = tokens.slice(at + 1, at + 1 + Math.max(by, 0));
  return by > 0 && between.every(({ kind }) => kind === 'word' || kind === 'number') && gainAt(tokens, at + by + 2);
};

export const bestOf = (tokens: Token[]): Token[] =>
  tokens.map((token, at) => {
    const way = token.norm === 'best' ? 'highest' : token.norm === 'worst' ? 'lowest' : null;
    const named = token.kind !== 'word' || (token.capital && at > 0);
    return way && !named && measuredAt(tokens, at) ? { ...token, norm: way, stem: way } : token;
  });
