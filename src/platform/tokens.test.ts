import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mintToken, parseToken, TOKEN_PATTERN, TOKEN_PREFIXES } from './tokens.ts';

it('KEY-01 creates tokens that scanners recognize and that parse to their stored hash', () => {
  for (const prefix of TOKEN_PREFIXES) {
    const mintedToken = mintToken(prefix);
    expect(mintedToken.token).toMatch(TOKEN_PATTERN);
    expect(parseToken(mintedToken.token)).toEqual({ prefix, hash: mintedToken.hash });
    expect(mintedToken.token.startsWith(mintedToken.prefix)).toBe(true);
    expect(mintedToken.token.endsWith(mintedToken.lastFour)).toBe(true);
  }
});

it('KEY-01 refuses every typo by the checksum of the token', () => {
  const { token } = mintToken('svc_');
  fc.assert(
    fc.property(
      fc.integer({ min: 4, max: token.length - 1 }),
      fc.constantFrom(...'0123456789abcXYZ'),
      (index, letter) => {
        fc.pre(token[index] !== letter);
        expect(parseToken(token.slice(0, index) + letter + token.slice(index + 1))).toBeNull();
      },
    ),
  );
});
