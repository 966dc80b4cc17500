// A password hash takes a third of a second, and the tests sign in hundreds of times. Here it takes a thousandth of
// that. test/session tests the full cost.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const FULL = Symbol.for('svc tests: scrypt');
const globals = globalThis as { [FULL]?: typeof crypto.scrypt };
globals[FULL] ??= crypto.scrypt;
const full = globals[FULL];
let cheap = true;
crypto.scrypt = ((password, salt, length, options, callback) =>
  full(password, salt, length, cheap ? { ...options, N: 128 } : options, callback)) as typeof crypto.scrypt;
syncBuiltinESMExports();

export async function runAtFullCost<Result>(work: () => Promise<Result>): Promise<Result> {
  cheap = false;
  return work().finally(() => {
    cheap = true;
  });
}
