import formbody from '@fastify/formbody';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { matchResource } from '../../domain/oauth/authorization-request.ts';
import { registerClient } from '../../domain/oauth/clients.ts';
import { OauthFault } from '../../domain/oauth/oauth-fault.ts';
import { exchangeCode, refreshTokens, revokeToken } from '../../domain/oauth/tokens.ts';
import { toRateLimitAddress } from '../../platform/http/source-address.ts';
import { countAttempt } from '../../platform/tenancy/attempts.ts';
import { enforceAddressLimit } from '../http/limit-requests.ts';
import { toProblem } from '../http/reply-with-problem.ts';
import { getResourceUrl, MCP_SCOPE } from '../mcp/mcp-access.ts';
import { registerAuthorizeRoutes, selectClientDeps } from './authorize.ts';
import { registerGrantsPage } from './grants-page.ts';

type OauthDeps = Pick<
  Deps,
  'config' | 'baseUrl' | 'clock' | 'tenancy' | 'authenticator' | 'limiter' | 'instance' | 'visitors'
>;

const MAX_REGISTRATION_BYTES = 16_384;
const MAX_FORM_BYTES = 65_536;
const REGISTRATION_LIMITS = { address: 200, all: 2_000, windowSeconds: 3_600 };
const hiddenSchema = { hide: true };

export async function registerOauth(app: FastifyInstance, deps: OauthDeps): Promise<void> {
  app.setErrorHandler(replyWithOauthError);
  app.addHook('onRequest', (request, reply) => enforceAddressLimit(deps, request, reply, 'public'));
  registerMetadataRoutes(app, deps);
  await app.register(async (scope) => registerClientRoute(scope, deps));
  await app.register(async (scope) => {
    await scope.register(formbody, { bodyLimit: MAX_FORM_BYTES });
    registerAuthorizeRoutes(scope, deps);
    registerGrantsPage(scope, deps);
  });
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(formbody, { bodyLimit: MAX_FORM_BYTES });
    registerTokenRoutes(scope, deps);
  });
}

function registerClientRoute(app: FastifyInstance, deps: Pick<Deps, 'tenancy' | 'config'>): void {
  app.post('/oauth/register', { schema: hiddenSchema, bodyLimit: MAX_REGISTRATION_BYTES }, async (request, reply) => {
    const { windowSeconds } = REGISTRATION_LIMITS;
    await countAttempt(
      deps.tenancy,
      [
        {
          kind: 'register address',
          source: toRateLimitAddress(request.ip),
          limit: REGISTRATION_LIMITS.address,
          windowSeconds,
        },
        { kind: 'register', source: 'all', limit: REGISTRATION_LIMITS.all, windowSeconds },
      ],
      'Too many clients were registered. Try again later.',
    );
    const { id, createdAt, metadata } = await registerClient(selectClientDeps(deps), request.body ?? {});
    const issuedAt = Math.floor(createdAt.getTime() / 1000);
    reply.code(201).header('cache-control', 'no-store');
    return sendJson(reply, { client_id: id, client_id_issued_at: issuedAt, ...metadata });
  });
}

function registerTokenRoutes(
  app: FastifyInstance,
  deps: Pick<Deps, 'tenancy' | 'authenticator' | 'baseUrl' | 'clock'>,
): void {
  app.post('/oauth/token', { schema: hiddenSchema }, async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
    const form = parseForm(request.body);
    const clientId = requireParameter(form, 'client_id');
    const resource = readResource(deps, form);
    switch (form['grant_type']) {
      case 'authorization_code': {
        const verifier = requireParameter(form, 'code_verifier', 'invalid_grant');
        if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier))
          throw new OauthFault('invalid_grant', 'code_verifier must have 43 to 128 characters of the unreserved set.');
        const code = requireParameter(form, 'code');
        return sendJson(
          reply,
          await exchangeCode(deps, { code, clientId, verifier, redirectUri: form['redirect_uri'], resource }),
        );
      }
      case 'refresh_token':
        return sendJson(
          reply,
          await refreshTokens(deps, { refreshToken: requireParameter(form, 'refresh_token'), clientId, resource }),
        );
      case undefined:
        throw new OauthFault('invalid_request', 'grant_type is missing.');
      default:
        throw new OauthFault('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
    }
  });
  app.post('/oauth/revoke', { schema: hiddenSchema }, async (request, reply) => {
    const form = parseForm(request.body);
    await revokeToken(deps, requireParameter(form, 'token'), form['client_id']);
    return sendJson(reply.header('cache-control', 'no-store'), {});
  });
}

function parseForm(body: unknown): Record<string, string> {
  const form = (body ?? {}) as Record<string, string | string[]>;
  if (Object.values(form).some((value) => typeof value !== 'string'))
    throw new OauthFault('invalid_request', 'A parameter occurs twice.');
  return form as Record<string, string>;
}

function requireParameter(
  form: Record<string, string>,
  name: string,
  code: 'invalid_request' | 'invalid_grant' = 'invalid_request',
): string {
  const value = form[name];
  if (!value) throw new OauthFault(code, `${name} is missing.`);
  return value;
}

function readResource(deps: Pick<Deps, 'baseUrl'>, form: Record<string, string>): string | undefined {
  if (form['resource'] === undefined) return undefined;
  const resource = matchResource(form['resource'], getResourceUrl(deps));
  if (!resource) throw new OauthFault('invalid_target', `resource must be ${getResourceUrl(deps)}.`);
  return resource;
}

function replyWithOauthError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('cache-control', 'no-store');
  if (error instanceof OauthFault) {
    request.log.info({ code: error.code, detail: error.message }, 'oauth refused');
    return sendJson(reply.code(error.code === 'invalid_client' ? 401 : 400), {
      error: error.code,
      error_description: error.message,
    });
  }
  const problem = toProblem(error);
  if (problem.status >= 500) request.log.error({ err: error }, 'oauth request failed');
  if (problem.retryAfter !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(problem.retryAfter)));
  const code =
    problem.status === 429 || problem.status === 503
      ? 'temporarily_unavailable'
      : problem.status >= 500
        ? 'server_error'
        : 'invalid_request';
  const status = problem.code === 'unsupported_media_type' ? 400 : problem.status;
  const description =
    problem.code === 'unsupported_media_type'
      ? 'Send the parameters form-encoded (registration: as JSON).'
      : problem.message;
  return sendJson(reply.code(status), { error: code, error_description: description });
}

function registerMetadataRoutes(app: FastifyInstance, deps: Pick<Deps, 'baseUrl' | 'instance'>): void {
  const schema = { hide: true };
  const openHeaders = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' };
  const readProtectedResource = async () => ({
    resource: getResourceUrl(deps),
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

const sendJson = (reply: FastifyReply, body: unknown): FastifyReply =>
  reply
    .type('application/json; charset=utf-8')
    .serializer((document: unknown) => JSON.stringify(document))
    .send(body);
