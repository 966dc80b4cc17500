// Metadata documents (RFC 8414, RFC 9728). Every URL starts with the configured base URL, never with an address from a
// request.
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../../deps.ts';
import { MCP_SCOPE } from '../mcp/edge.ts';

export const resourceOf = (deps: Pick<Deps, 'baseUrl'>): string => `${deps.baseUrl()}/mcp`;

export function registerMetadataRoutes(app: FastifyInstance, deps: Pick<Deps, 'baseUrl' | 'instance'>): void {
  const schema = { hide: true };
  const openHeaders = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' };
  const readProtectedResource = async () => ({
    resource: resourceOf(deps),
    authorization_servers: [deps.baseUrl()],
    bearer_methods_supported: ['header'],
    scopes_supported: [MCP_SCOPE],
    resource_name: (await deps.instance()).name,
  });
  const readAuthorizationServer = () => {
    const issuer = deps.baseUrl();
    return {
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      registration_endpoint: `${issuer}/oauth/register`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: [MCP_SCOPE],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    };
  };
  for (const [document, paths] of [
    [readProtectedResource, ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource']],
    [
      readAuthorizationServer,
      ['/.well-known/oauth-authorization-server', '/.well-known/oauth-authorization-server/mcp'],
    ],
  ] as const) {
    for (const path of paths)
      app.get(path, { schema }, async (_request, reply) => sendJson(reply.headers(openHeaders), await document()));
  }
}

export const sendJson = (reply: FastifyReply, body: unknown): FastifyReply =>
  reply
    .type('application/json; charset=utf-8')
    .serializer((document: unknown) => JSON.stringify(document))
    .send(body);
