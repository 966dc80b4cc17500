import { expect, it } from 'vitest';
import { findRedirectUriFault, isSameRedirectUri } from './redirect-uri.ts';

it('AS-03 accepts https, and http on loopback only', () => {
  for (const validUri of [
    'https://a.example/cb',
    'https://a.example/cb?x=1',
    'http://127.0.0.1/cb',
    'http://localhost:7/cb',
    'http://[::1]:7/cb',
  ])
    expect([validUri, findRedirectUriFault(validUri)]).toEqual([validUri, null]);
  for (const invalidUri of [
    'http://a.example/cb',
    'http://127.0.0.1.evil.example/',
    'https://a.example/#',
    'https://u@a.example/',
    'app://cb',
    'cb',
    'https://a.example/ x',
    'https://*.a.example/',
  ])
    expect([invalidUri, findRedirectUriFault(invalidUri)]).not.toEqual([invalidUri, null]);
});

it('AS-03 compares redirect URIs as text, except for the port of a loopback address', () => {
  const registeredUris = ['https://a.example/cb', 'http://127.0.0.1:7777/callback?x=1'];
  expect(isSameRedirectUri(registeredUris, 'https://a.example/cb')).toBe(true);
  expect(isSameRedirectUri(registeredUris, 'http://127.0.0.1:1/callback?x=1')).toBe(true);
  expect(isSameRedirectUri(registeredUris, 'http://127.0.0.1/callback?x=1')).toBe(true);
  for (const otherUri of [
    'https://a.example/cb/',
    'https://a.example:444/cb',
    'https://A.example/cb',
    'http://127.0.0.1:1/callback',
    'http://localhost:7777/callback?x=1',
    'http://127.0.0.1:1@evil.example/callback?x=1',
  ])
    expect([otherUri, isSameRedirectUri(registeredUris, otherUri)]).toEqual([otherUri, false]);
});
