// svc checks the bearer token before it reads or routes a body.
import type { IncomingHttpHeaders } from 'node:http';
import { classifyInboundRequest, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import { Problem } from '../../platform/problem.ts';
import type { AuthenticationDeps } from '../http/authenticate-request.ts';
import { enforceKeyLimit } from '../http/limit-requests.ts';
import { parseJson } from '../http/parse-json.ts';
import { createAskContext, createDisconnectSignal } from '../http/request-context.ts';
import { answerLegacyRequest } from './answer-legacy-request.ts';
import { authenticateCaller, refuseForeignOrigin } from './mcp-access.ts';
import { createMcpServing, type McpRequestContext, type McpServing } from './serve-mcp.ts';
import type { ToolDeps } from './tools.ts';

const SERVER_VERSION = '0.1.0';
const PROBE_REQUEST = {
  jsonrpc: '2.0',
  id: 1,
  method: 'server/discover',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'ready', version: SERVER_VERSION },
    },
  },
};

/**
 * Their responses contain the name of this installation, so svc reads the organization's current name. For other
 * methods, svc uses the name that it last read.
 */
const METHODS_THAT_RETURN_NAME = new Set<unknown>(['initialize', 'server/discover', 'prompts/get']);

const MAX_ORGANIZATIONS = 1_000;

type McpDeps = ToolDeps & AuthenticationDeps & Pick<Deps, 'readiness' | 'instance'>;

export async function registerMcp(app: FastifyInstance, deps: McpDeps): Promise<void> {
  const serving = createMcpServing(deps, SERVER_VERSION);
  const serverNames = new LRUCache<string, string>({ max: MAX_ORGANIZATIONS });
  deps.readiness.watch('mcp', async () => {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': PROBE_REQUEST.method };
    const context = { instance: 'svc' } as McpRequestContext; // the method server/discover reads only `instance`
    const reply = await serveCurrentProtocol(
      serving,
      toWebRequest('http://localhost', headers),
      PROBE_REQUEST,
      context,
    );
    return reply.ok ? undefined : { status: 'failing', detail: 'server/discover does not respond' };
  });

  app.removeAllContentTypeParsers();
  // The SDK needs the raw bytes, because it checks whether they are JSON and a message.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
  app.addHook('onRequest', async (request, reply) => {
    refuseForeignOrigin(deps, request);
    request.principal = await authenticateCaller(deps, request, reply);
  });
  app.post('/mcp', { schema: { hide: true } }, (request, reply) =>
    answerMcpRequest(deps, serving, serverNames, request, reply),
  );
  app.route({
    method: ['GET', 'DELETE', 'PUT', 'PATCH'],
    url: '/mcp',
    schema: { hide: true },
    config: { refusesMethod: true },
    handler: async (_request, reply) => {
      reply.header('allow', 'POST');
      throw new Problem('method_not_allowed', 'This server is stateless: use POST at /mcp.');
    },
  });
}

async function answerMcpRequest(
  deps: McpDeps,
  serving: McpServing,
  serverNames: LRUCache<string, string>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
  const isJson = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() === 'application/json';
  if (!isJson) throw new Problem('unsupported_media_type', 'Send the message as application/json.');
  let message: unknown;
  try {
    message = await parseJson(body);
  } catch (error) {
    return sendRpcError(reply, -32700, (error as Error).message);
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    return sendRpcError(reply, -32600, 'Send one JSON-RPC message. Batches are not supported.');
  if (!('method' in message))
    return sendRpcError(reply, -32600, 'Send a request or a notification. This server sends no requests to clients.');
  // A tool call over the key's limit returns an error result of the tool. Other protocol messages have their own limit,
  // so that frequent reconnects don't use up the limit for tool calls.
  const { method } = message as { method?: unknown };
  if (method !== 'tools/call') await enforceKeyLimit(deps, request.principal, reply, 'protocol');
  const refusal = method === 'tools/call' ? await findRateLimitProblem(deps, request.principal, reply) : null;
  const { orgId } = request.principal;
  if (METHODS_THAT_RETURN_NAME.has(method)) serverNames.set(orgId, (await deps.instance(orgId)).name);
  const context: McpRequestContext = {
    ask: createAskContext(request, createDisconnectSignal(reply), 'mcp'),
    refusal,
    instance: serverNames.get(orgId) ?? deps.config.operator.instance?.name ?? 'svc',
    report: (error) => {
      if (!(error instanceof Problem)) request.log.error({ err: error }, 'tool failed');
    },
  };
  reply.header('x-accel-buffering', 'no');
  const { headers } = request;
  // Node.js joins repeated headers, so the value is a string.
  const version = headers['mcp-protocol-version'] as string | undefined;
  const { kind } = classifyInboundRequest({
    httpMethod: 'POST',
    body: message,
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(headers['mcp-method'] && { mcpMethodHeader: headers['mcp-method'] as string }),
    ...(headers['mcp-name'] && { mcpNameHeader: headers['mcp-name'] as string }),
  });
  if (kind === 'legacy') {
    const { status, body: answer } = await answerLegacyRequest(serving.createServer(context), message, version);
    return answer === null ? reply.code(status).send() : sendAsJson(reply.code(status), explainProtocolFault(answer));
  }
  const webRequest = toWebRequest(deps.baseUrl(), headers, context.ask.signal);
  return sendWebResponse(reply, await serveCurrentProtocol(serving, webRequest, message, context), method);
}

const serveCurrentProtocol = (
  { handler }: McpServing,
  request: Request,
  parsedBody: unknown,
  context: McpRequestContext,
): Promise<Response> =>
  handler.fetch(request, { parsedBody, authInfo: { token: '', clientId: '', scopes: [], extra: { context } } });

/**
 * Shared caches must not store responses, even streams. The response to server/discover lists the protocol revisions
 * that the SDK supports and the earlier ones.
 */
async function sendWebResponse(reply: FastifyReply, response: Response, method: unknown): Promise<FastifyReply> {
  reply.code(response.status).headers(Object.fromEntries(response.headers));
  reply.header('cache-control', 'no-store, no-transform');
  const type = response.headers.get('content-type');
  if (response.body === null) return reply.send();
  if (!type?.startsWith('application/json')) return reply.send(response.body);
  const text = await response.text();
  if (/^.{0,100}"error":/.test(text)) return sendAsJson(reply, explainProtocolFault(JSON.parse(text)));
  if (method !== 'server/discover' || !response.ok) return reply.send(text);
  const discovery = JSON.parse(text) as { result?: { supportedVersions?: string[] } };
  const modernVersions = discovery.result?.supportedVersions;
  if (modernVersions)
    discovery.result!.supportedVersions = [...new Set([...modernVersions, ...SUPPORTED_PROTOCOL_VERSIONS])];
  return sendAsJson(reply, discovery);
}

/** The SDK sees svc's own address, and both media types even if the client accepts only one. */
function toWebRequest(baseUrl: string, incoming: IncomingHttpHeaders, signal: AbortSignal | null = null): Request {
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  for (const [name, value] of Object.entries(incoming)) {
    if (name.startsWith('mcp-') && typeof value === 'string' && name !== 'mcp-session-id') headers.set(name, value);
  }
  return new Request(`${baseUrl}/mcp`, { method: 'POST', headers, signal });
}

async function findRateLimitProblem(
  deps: AuthenticationDeps,
  principal: Principal,
  reply: FastifyReply,
): Promise<Problem | null> {
  try {
    await enforceKeyLimit(deps, principal, reply);
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

const sendAsJson = (reply: FastifyReply, body: unknown): FastifyReply =>
  reply.type('application/json').send(JSON.stringify(body));

const sendRpcError = (reply: FastifyReply, code: number, message: string): FastifyReply =>
  sendAsJson(reply.code(400), { jsonrpc: '2.0', id: null, error: { code, message } });

const INTERNAL_ERROR_CODE = -32603;
const INVALID_PARAMS_CODE = -32602;

const issuesSchema = z
  .array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))
  .min(1);
const faultSchema = z.looseObject({ error: z.looseObject({ code: z.number(), message: z.string() }) });

/** `answer` is one JSON-RPC message. A message that reports no invalid parameters stays unchanged. */
function explainProtocolFault(answer: unknown): unknown {
  const parsedFault = faultSchema.safeParse(answer);
  if (!parsedFault.success) return answer;
  const { code, message } = parsedFault.data.error;
  const issues = code === INTERNAL_ERROR_CODE || code === INVALID_PARAMS_CODE ? parseIssues(message) : null;
  if (!issues) return answer;
  const faults = issues.map(
    ({ path, message: reason }) => `${path.join('.')}: ${reason.replace(/^Invalid input: /, '')}`,
  );
  const error = {
    ...parsedFault.data.error,
    code: INVALID_PARAMS_CODE,
    message: `Invalid params: ${faults.join('; ')}`,
  };
  return { ...parsedFault.data, error };
}

function parseIssues(message: string): z.infer<typeof issuesSchema> | null {
  const index = message.indexOf('[');
  if (index === -1 || !message.endsWith(']')) return null;
  try {
    return issuesSchema.safeParse(JSON.parse(message.slice(index))).data ?? null;
  } catch {
    return null;
  }
}
