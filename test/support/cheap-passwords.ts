// A password hash takes a third of a second, and the tests sign in hundreds of times. Here it takes a thousandth of
// that. test/session tests the full cost.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const FULL = Symbol.for('svc tests: scrypt');
const kept = globalThis as { [FULL]?: typeof crypto.scrypt };
kept[FULL] ??= crypto.scrypt;
const full = kept[FULL];
let cheap = true;
crypto.scrypt = ((password, salt, length, options, done) =>
  full(password, salt, length, cheap ? { ...options, N: 128 } : options, done)) as typeof crypto.scrypt;
syncBuiltinESMExports();

export async function atFullCost<Result>(work: () => Promise<Result>): Promise<Result> {
  cheap = false;
  return work().finally(() => {
    cheap = true;
  });
}
