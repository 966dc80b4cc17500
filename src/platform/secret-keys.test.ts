import { createDecipheriv } from 'node:crypto';
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

it('SEC-02 encrypts with a key derived for this purpose, not with the raw key', () => {
  const [key] = readSecretKeys(oldKeyText);
  const [nonce, body, tag] = new SecretKeys([key!])
    .seal('x', 'place')
    .split(':')
    .slice(2)
    .map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer, Buffer];
  const decipher = createDecipheriv('aes-256-gcm', key!.raw, nonce).setAAD(Buffer.from('place')).setAuthTag(tag);
  decipher.update(body);
  expect(() => decipher.final()).toThrow();
});
