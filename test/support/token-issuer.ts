// An identity provider for tokens: its metadata and its public keys, which rotate and fail on demand.
import { createServer } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { listenLocally } from './local-server.ts';

export interface TokenIssuer {
  issuer: string;
  /** The number of requests for the keys. */
  fetches(): number;
  /** Replaces the key with an unknown one. */
  rotate(): Promise<void>;
  set(state: 'up' | 'failing'): void;
  token(header?: { kid?: string }): Promise<string>;
}

export async function startTokenIssuer(audience: string): Promise<TokenIssuer> {
  let state: 'up' | 'failing' = 'up';
  let fetched = 0;
  let generation = 0;
  let current: { kid: string; privateKey: CryptoKey; jwk: JWK };
  const rotate = async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    const kid = `k${++generation}`;
    current = { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
  };
  await rotate();
  const server = createServer((request, reply) => {
    if (request.url === '/jwks') fetched++;
    if (state === 'failing') {
      reply.writeHead(500).end();
      return;
    }
    const description = {
      issuer,
      jwks_uri: `${issuer}/jwks`,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
    reply.writeHead(200, { 'content-type': 'application/json' });
    reply.end(JSON.stringify(request.url === '/jwks' ? { keys: [current.jwk] } : description));
  });
  const { port } = await listenLocally(server);
  const issuer = `http://127.0.0.1:${port}`;
  return {
    issuer,
    fetches: () => fetched,
    rotate,
    set(next) {
      state = next;
    },
    token: ({ kid = current.kid } = {}) =>
      new SignJWT({ email: 'u1@example.com', email_verified: true })
        .setProtectedHeader({ alg: 'RS256', kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject('u1')
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(current.privateKey),
  };
}
