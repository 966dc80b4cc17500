// Protects against SSRF: svc resolves the name once, checks every address, connects to a checked address, and follows
// no redirects.
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { isAllowedAddress, isPublicAddress, resolveAllAddresses } from '../connections/resolve-allowed-address.ts';

const MAX_DOCUMENT_BYTES = 5 * 1024;
const FETCH_TIMEOUT_MS = 3_000;

export interface DocumentRules {
  /** Private addresses that may serve documents. Only tests set this member. */
  allowed: readonly string[];
  resolve?: (host: string) => Promise<string[]>;
}
export interface FetchedDocument {
  json: unknown;
  /** How long the headers allow svc to cache the response. Null if they don't specify a time. */
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
  return downloadDocument(url, addresses[0]!);
}

async function downloadDocument(url: URL, address: string): Promise<FetchedDocument> {
  const request = (url.protocol === 'https:' ? https : http).get(url, {
    headers: { accept: 'application/json', 'user-agent': 'svc client metadata' },
    agent: false,
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    // Connects to the checked address, even if the name now resolves to another address.
    lookup: (_host, options, callback) => {
      const family = isIP(address);
      if (options.all) callback(null, [{ address, family }]);
      else callback(null, address, family);
    },
  });
  const { headers, text } = await readResponse(request).catch((error: unknown) => {
    // Errors with a code come from Node.js, and their messages contain addresses.
    throw error instanceof Error && !('code' in error) ? error : new Error('it does not respond in time');
  });
  try {
    return { json: JSON.parse(text), freshSeconds: readMaxAge(headers['cache-control']) };
  } catch {
    throw new Error('it is not JSON');
  }
}

async function readResponse(request: http.ClientRequest): Promise<{ headers: http.IncomingHttpHeaders; text: string }> {
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const chunks: Buffer[] = [];
  let size = 0;
  if (response.statusCode !== 200) {
    response.destroy();
    throw new Error('it does not answer with status 200');
  }
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_DOCUMENT_BYTES) throw new Error('it is larger than 5 KB');
    chunks.push(chunk);
  }
  return { headers: response.headers, text: Buffer.concat(chunks).toString('utf8') };
}

function readMaxAge(header: string | undefined): number | null {
  if (header && /no-store|no-cache/.test(header)) return 0;
  const seconds = /max-age=(\d{1,9})/.exec(header ?? '')?.[1];
  return seconds === undefined ? null : Number(seconds);
}
