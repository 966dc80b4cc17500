// A hash of a password takes a third of a second of a core, and tests sign in hundreds of times: here it takes a thousandth
// of the work. What a hash costs is tested at its full cost (test/session).
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
