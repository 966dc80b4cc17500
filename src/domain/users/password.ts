// One scrypt hash takes 128 MiB of memory and a third of a second on one core. Few hashes run at the same time.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import commonPasswords from 'fxa-common-password-list';
import { Problem } from '../../platform/problem.ts';
import { limitConcurrency } from '../../platform/schedule/in-parallel.ts';

const SCRYPT_COST = { ln: 17, r: 8, p: 1 };
const MAX_CONCURRENT_HASHES = 2;
const MAX_WAITING_HASHES = 20;
const limitHashes = limitConcurrency(MAX_CONCURRENT_HASHES);
let pendingHashCount = 0;

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await deriveHash(password, salt, SCRYPT_COST);
  return `$scrypt$ln=${SCRYPT_COST.ln},r=${SCRYPT_COST.r},p=${SCRYPT_COST.p}$${toBase64WithoutPadding(salt)}$${toBase64WithoutPadding(hash)}`;
}

/** If the hash is null, the check takes the same time, so that the time doesn't reveal whether an account exists. */
export async function isPasswordCorrect(password: string, phc: string | null): Promise<boolean> {
  const parts = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc ?? '');
  const cost = parts ? { ln: Number(parts[1]), r: Number(parts[2]), p: Number(parts[3]) } : SCRYPT_COST;
  const salt = parts ? Buffer.from(parts[4]!, 'base64') : Buffer.alloc(16);
  const expectedHash = parts ? Buffer.from(parts[5]!, 'base64') : Buffer.alloc(32, 1);
  const hash = await deriveHash(password, salt, cost);
  return timingSafeEqual(hash, expectedHash) && parts !== null;
}

/** After the cost has changed, the next sign-in hashes the password again. */
export const isOutdatedHash = (phc: string): boolean =>
  !phc.startsWith(`$scrypt$ln=${SCRYPT_COST.ln},r=${SCRYPT_COST.r},p=${SCRYPT_COST.p}$`);

const toBase64WithoutPadding = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

async function deriveHash(password: string, salt: Buffer, cost: typeof SCRYPT_COST): Promise<Buffer> {
  if (pendingHashCount >= MAX_CONCURRENT_HASHES + MAX_WAITING_HASHES)
    throw new Problem('rate_limited', 'Too many people are signing in. Try again in a few seconds.', { retryAfter: 5 });
  pendingHashCount++;
  const options = { N: 2 ** cost.ln, r: cost.r, p: cost.p, maxmem: 256 * 1024 * 1024 };
  try {
    return await limitHashes(() => deriveWithScrypt(password.normalize('NFKC'), salt, 32, options));
  } finally {
    pendingHashCount--;
  }
}
const deriveWithScrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** The API checks the length of a password. Any characters are allowed. */
export function refuseWeakPassword(password: string, email: string): void {
  const lowercasePassword = password.toLowerCase();
  const reason =
    lowercasePassword === email || lowercasePassword === email.split('@')[0]
      ? 'it is the email or the start of the email'
      : commonPasswords.test(lowercasePassword)
        ? 'it is one of the most used passwords'
        : null;
  if (!reason) return;
  const message = `This password is easily guessed: ${reason}. Use a phrase of several words.`;
  throw new Problem('invalid', message, { param: 'password', details: [{ path: 'password', code: 'weak', message }] });
}
