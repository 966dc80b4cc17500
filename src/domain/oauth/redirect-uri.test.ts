import { expect, it } from 'vitest';
import { faultOfRedirectUri, redirectMatches } from './redirect-uri.ts';

it('AS-03 accepts https, and http on loopback only', () => {
  for (const validUri of [
    'https://a.example/cb',
    'https://a.example/cb?x=1',
    'http://127.0.0.1/cb',
    'http://localhost:7/cb',
    'http://[::1]:7/cb',
  ])
    expect([validUri, faultOfRedirectUri(validUri)]).toEqual([validUri, null]);
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
    expect([invalidUri, faultOfRedirectUri(invalidUri)]).not.toEqual([invalidUri, null]);
});

it('AS-03 compares redirect URIs as text, except for the port of a loopback address', () => {
  const registeredUris = ['https://a.example/cb', 'http://127.0.0.1:7777/callback?x=1'];
  expect(redirectMatches(registeredUris, 'https://a.example/cb')).toBe(true);
  expect(redirectMatches(registeredUris, 'http://127.0.0.1:1/callback?x=1')).toBe(true);
  expect(redirectMatches(registeredUris, 'http://127.0.0.1/callback?x=1')).toBe(true);
  for (const otherUri of [
    'https://a.example/cb/',
    'https://a.example:444/cb',
    'https://A.example/cb',
    'http://127.0.0.1:1/callback',
    'http://localhost:7777/callback?x=1',
    'http://127.0.0.1:1@evil.example/callback?x=1',
  ])
    expect([otherUri, redirectMatches(registeredUris, otherUri)]).toEqual([otherUri, false]);
});
