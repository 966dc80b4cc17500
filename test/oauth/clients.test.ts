// Both official clients complete the OAuth flow on their own: discovery, registration, consent, token, refresh and
// revocation.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { makePerson, REDIRECT, signIn, submitForm, ticketIn } from './oauth-flow.ts';

const service = await startTestApp();
const base = await service.listen();
await makePerson(service, 'ann@example.com');
const cookie = await signIn(service, 'ann@example.com');

interface Tokens {
  access_token: string;
  refresh_token?: string;
  token_type: string;
}
/** The stored state of a desktop client, with a person who signs in and gives consent. */
class Keeper {
  redirectUrl = REDIRECT;
  clientMetadata = {
    client_name: 'Desk',
    redirect_uris: [REDIRECT],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  client: { client_id: string } | undefined;
  kept: Tokens | undefined;
  verifier = '';
  code = '';
  iss = '';
  clientInformation = () => this.client;
  saveClientInformation = (client: { client_id: string }) => {
    this.client = client;
  };
  tokens = () => this.kept;
  saveTokens = (tokens: Tokens) => {
    this.kept = tokens;
  };
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier;
  };
  codeVerifier = () => this.verifier;
  state = () => 'its state';
  async redirectToAuthorization(url: URL): Promise<void> {
    const page = await (await fetch(url, { headers: { cookie } })).text();
    const consentReply = await fetch(`${base}/oauth/authorize/complete`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie },
      body: new URLSearchParams({ ticket: ticketIn(page), decision: 'allow' }),
    });
    const back = new URL(consentReply.headers.get('location')!);
    expect(back.searchParams.get('state')).toBe('its state');
    this.code = back.searchParams.get('code')!;
    this.iss = back.searchParams.get('iss')!;
  }
}

const kinds: [
  string,
  (keeper: Keeper) => {
    connect: () => Promise<void>;
    finish: () => Promise<void>;
    names: () => Promise<string[]>;
    close: () => Promise<void>;
  },
][] = [
  [
    'client 2.x',
    (keeper) => {
      const transport = new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { authProvider: keeper as never });
      const client = new Client({ name: 'desk', version: '1' });
      return {
        connect: () => client.connect(transport),
        finish: () =>
          transport.finishAuth(
            new URLSearchParams({ code: keeper.code, iss: keeper.iss, state: 'its state' }) as never,
          ),
        names: async () => (await client.listTools()).tools.map(({ name }) => name),
        close: () => client.close(),
      };
    },
  ],
  [
    'sdk 1.x',
    (keeper) => {
      const transport = new OldTransport(new URL(`${base}/mcp`), { authProvider: keeper as never });
      const client = new OldClient({ name: 'desk', version: '1' });
      return {
        connect: () => client.connect(transport),
        finish: () => transport.finishAuth(keeper.code),
        names: async () => (await client.listTools()).tools.map(({ name }) => name),
        close: () => client.close(),
      };
    },
  ],
];

describe.each(kinds)('%s', (_name, make) => {
  it('connects without a key: registers, gets consent, lists tools, refreshes, and stops when revoked', async () => {
    const keeper = new Keeper();
    const first = make(keeper);
    await expect(first.connect()).rejects.toThrow(/unauthorized/i);
    expect(keeper.client?.client_id).toBeTruthy();
    await first.finish();
    const second = make(keeper);
    await second.connect();
    expect(await second.names()).toContain('route_query');
    await second.close();

    const before = keeper.kept!;
    keeper.kept = { ...before, access_token: `${before.access_token.slice(0, -4)}xxxx` };
    const third = make(keeper);
    await third.connect();
    expect(await third.names()).toHaveLength(12);
    expect(keeper.kept.refresh_token).not.toBe(before.refresh_token);
    await third.close();

    await submitForm(service, '/oauth/revoke', {
      token: keeper.kept.refresh_token!,
      client_id: keeper.client!.client_id,
    });
    expect((await service.get('/v1/lenses', keeper.kept.access_token)).status).toBe(401);
  });
});
