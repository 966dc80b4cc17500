// A self-signed certificate for `localhost`.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  /** The file of the certificate, in PEM. */
  file: string;
  key: string;
  cert: string;
}

export function createSelfSigned(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'svc-certificate-'));
  const [file, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-keyout', keyFile, '-out', file];
  execFileSync('openssl', [...made, ...subject], { stdio: 'ignore' });
  return { file, key: readFileSync(keyFile, 'utf8'), cert: readFileSync(file, 'utf8') };
}
