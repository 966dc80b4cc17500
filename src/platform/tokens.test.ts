import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mintToken, parseToken, TOKEN_PATTERN, TOKEN_PREFIXES } from './tokens.ts';

it('KEY-01 creates tokens that scanners recognize and that parse to their stored hash', () => {
  for (const prefix of TOKEN_PREFIXES) {
    const minted = mintToken(prefix);
    expect(minted.token).toMatch(TOKEN_PATTERN);
    expect(parseToken(minted.token)).toEqual({ prefix, hash: minted.hash });
    expect(minted.token.startsWith(minted.prefix)).toBe(true);
    expect(minted.token.endsWith(minted.lastFour)).toBe(true);
  }
});

it('KEY-01 refuses every typo by the checksum of the token', () => {
  const { token } = mintToken('svc_');
  fc.assert(
    fc.property(fc.integer({ min: 4, max: token.length - 1 }), fc.constantFrom(...'0123456789abcXYZ'), (at, letter) => {
      fc.pre(token[at] !== letter);
      expect(parseToken(token.slice(0, at) + letter + token.slice(at + 1))).toBeNull();
    }),
  );
});
