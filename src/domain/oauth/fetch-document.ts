// Fetches a client ID metadata document with protection against SSRF (SECURITY AS-10, SSRF-01). svc resolves the name
// once, checks every address, and connects to a checked address. svc follows no redirects. Limits: 5 KB and 3 seconds.
import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { isAllowedAddress, isPublicAddress } from '../connections/check-address.ts';

const MAX_BYTES = 5 * 1024;
const TIMEOUT_MS = 3_000;

export interface DocumentRules {
  /** Private addresses that may serve documents. Only tests set this member. */
  allowed: readonly string[];
  resolve?: (host: string) => Promise<string[]>;
}
export interface FetchedDocument {
  json: unknown;
  /** How long the headers allow svc to cache the response, in seconds. Null if the headers don't specify a time. */
  freshSeconds: number | null;
}

/** Throws an Error whose message is safe to show, because it contains no address. */
export async function fetchDocument(address: string, rules: DocumentRules): Promise<FetchedDocument> {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = await (rules.resolve ?? resolveAllAddresses)(host).catch(() => []);
  if (addresses.length === 0) throw new Error('its host name can’t be resolved');
  const isAllowlisted = addresses.every((address) => isAllowedAddress(host, address, [...rules.allowed]));
  if (!isAllowlisted && !addresses.every(isPublicAddress)) throw new Error('its address is not public');
  if (!isAllowlisted && url.port !== '' && url.port !== '8443') throw new Error('its port is not allowed');
  if (url.protocol !== 'https:' && !isAllowlisted) throw new Error('it must be served over https');
  return requestDocument(url, addresses[0]!);
}

const resolveAllAddresses = async (host: string): Promise<string[]> =>
  isIP(host) ? [host] : (await lookup(host, { all: true })).map((record) => record.address);

function requestDocument(url: URL, address: string): Promise<FetchedDocument> {
  const client = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const request = client.get(
      url,
      {
        headers: { accept: 'application/json', 'user-agent': 'svc client metadata' },
        agent: false,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        // Connects to the checked address, even if the name now resolves to another one.
        lookup: (_host, options, callback) => {
          const family = isIP(address);
          if (options.all) callback(null, [{ address, family }]);
          else callback(null, address, family);
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        if (response.statusCode !== 200) {
          response.destroy();
          reject(new Error('it does not answer with status 200'));
          return;
        }
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_BYTES) response.destroy(new Error('it is larger than 5 KB'));
          else chunks.push(chunk);
        });
        response.on('error', reject);
        response.on('end', () => {
          try {
            resolve({
              json: JSON.parse(Buffer.concat(chunks).toString('utf8')),
              freshSeconds: maxAgeOf(response.headers['cache-control']),
            });
          } catch {
            reject(new Error('it is not JSON'));
          }
        });
      },
    );
    request.on('error', (error) =>
      reject(/larger/.test(error.message) ? error : new Error('it does not respond in time')),
    );
  });
}

function maxAgeOf(header: string | undefined): number | null {
  if (header && /no-store|no-cache/.test(header)) return 0;
  const seconds = /max-age=(\d{1,9})/.exec(header ?? '')?.[1];
  return seconds === undefined ? null : Number(seconds);
}
