import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readSecretKeys, SecretKeys } from './secret-keys.ts';

const [oldKeyText, newKeyText] = ['1'.repeat(32), '2'.repeat(40)];

it('SEC-01 opens a secret with any key of the list, but only in its own place', () => {
  const oldKeys = new SecretKeys(readSecretKeys(oldKeyText));
  const rotatedKeys = new SecretKeys(readSecretKeys(`${newKeyText},${oldKeyText}`));
  fc.assert(
    fc.property(fc.string(), (secret) => {
      const sealedText = oldKeys.seal(secret, 'org/connections/1/password');
      expect(SecretKeys.isSealed(sealedText)).toBe(true);
      expect(rotatedKeys.open(sealedText, 'org/connections/1/password')).toBe(secret);
      expect(() => rotatedKeys.open(sealedText, 'org/connections/2/password')).toThrow(/can't decrypt/);
      expect(() => new SecretKeys(readSecretKeys(newKeyText)).open(sealedText, 'org/connections/1/password')).toThrow();
    }),
    { numRuns: 30 },
  );
});

it('refuses a short key, and reads an empty text as no key', () => {
  expect(() => readSecretKeys('short')).toThrow(/at least 32/);
  expect(readSecretKeys('')).toEqual([]);
});

it('SEC-02 derives a separate key for each purpose', () => {
  const keys = new SecretKeys(readSecretKeys(oldKeyText));
  expect(keys.mac('state', 'x')).not.toBe(keys.mac('csrf', 'x'));
});
