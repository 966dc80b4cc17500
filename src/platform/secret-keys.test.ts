import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readSecretKeys, SecretKeys } from './secret-keys.ts';

const [one, two] = ['1'.repeat(32), '2'.repeat(40)];

it('SEC-01 opens a secret with any key of the list, but only in its own place', () => {
  const old = new SecretKeys(readSecretKeys(one));
  const rotated = new SecretKeys(readSecretKeys(`${two},${one}`));
  fc.assert(
    fc.property(fc.string(), (secret) => {
      const sealed = old.seal(secret, 'org/connections/1/password');
      expect(SecretKeys.isSealed(sealed)).toBe(true);
      expect(rotated.open(sealed, 'org/connections/1/password')).toBe(secret);
      expect(() => rotated.open(sealed, 'org/connections/2/password')).toThrow(/can't decrypt/);
      expect(() => new SecretKeys(readSecretKeys(two)).open(sealed, 'org/connections/1/password')).toThrow();
    }),
    { numRuns: 30 },
  );
});

it('refuses a short key, and reads an empty text as no key', () => {
  expect(() => readSecretKeys('short')).toThrow(/at least 32/);
  expect(readSecretKeys('')).toEqual([]);
});

it('SEC-02 derives a separate key for each purpose', () => {
  const keys = new SecretKeys(readSecretKeys(one));
  expect(keys.mac('state', 'x')).not.toBe(keys.mac('csrf', 'x'));
});
