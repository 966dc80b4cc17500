// Refuses the most common passwords and a person's own email. The API checks the length. Any characters are allowed.
import commonPasswords from 'fxa-common-password-list';
import { Problem } from '../../platform/problem.ts';

export function refuseWeakPassword(password: string, email: string): void {
  const reason = isOwnEmail(password, email)
    ? 'it is the email or the start of the email'
    : commonPasswords.test(password.toLowerCase())
      ? 'it is one of the most used passwords'
      : null;
  if (!reason) return;
  const message = `This password is easily guessed: ${reason}. Use a phrase of several words.`;
  throw new Problem('invalid', message, { param: 'password', details: [{ path: 'password', code: 'weak', message }] });
}

const isOwnEmail = (password: string, email: string): boolean => {
  const lowercasePassword = password.toLowerCase();
  return lowercasePassword === email || lowercasePassword === email.split('@')[0];
};
