// Each request gets its own stateless server of the official SDK, with the permissions of the request.
import {
  createMcpHandler,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { AskContext } from '../../ask/entry-points.ts';
import { isSuperuser } from '../../domain/identity/principal.ts';
import type { Problem } from '../../platform/problem.ts';
import { completeArgument } from './complete-argument.ts';
import {
  ASK_PROMPT,
  GETTING_STARTED_PROMPT,
  SERVER_INSTRUCTIONS,
  writeAskPrompt,
  writeGettingStarted,
} from './prompts.ts';
import { limitResultSize, toFailureResult } from './tool-result.ts';
import { listTools } from './tool-schemas.ts';
import { callTool, isToolName, type ToolDeps } from './tools.ts';

/** The context in AuthInfo.extra. */
export interface McpRequestContext {
  ask: AskContext;
  /** The problem to report if the key has reached its limits. */
  refusal: Problem | null;
  /** The installation's name, as set by the caller's organization. */
  instance: string;
  report: (error: unknown) => void;
}

const LIST_CACHE_MS = 60_000;
const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo';

export interface McpServing {
  /** Serves revision 2026-07-28. The request context is in `authInfo`. */
  handler: McpHttpHandler;
  createServer(context: McpRequestContext): Server;
}

export function createMcpServing(deps: ToolDeps, version: string): McpServing {
  const cacheHint = { ttlMs: LIST_CACHE_MS, cacheScope: 'private' as const };
  const createServer = (context: McpRequestContext): Server => {
    const title = context.instance;
    const server = new Server(
      { name: 'svc', title, version },
      {
        capabilities: { tools: {}, prompts: {}, completions: {} },
        instructions: SERVER_INSTRUCTIONS,
        cacheHints: { 'tools/list': cacheHint, 'prompts/list': cacheHint, 'server/discover': cacheHint },
      },
    );
    server.setRequestHandler('tools/list', () => ({
      tools: listTools(isSuperuser(context.ask.principal) ? null : context.ask.principal.lenses),
    }));
    server.setRequestHandler('prompts/list', () => ({ prompts: [GETTING_STARTED_PROMPT, ASK_PROMPT] }));
    server.setRequestHandler('completion/complete', ({ params }) =>
      completeArgument(deps, context.ask.principal, params),
    );
    server.setRequestHandler('prompts/get', ({ params }) => {
      const prompt = [GETTING_STARTED_PROMPT, ASK_PROMPT].find(({ name }) => name === params.name);
      if (!prompt) throw createUnknownNameError('prompt', GETTING_STARTED_PROMPT.name);
      const { lens, question } = params.arguments ?? {};
      if (prompt === ASK_PROMPT && (!lens || !question))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Give the arguments lens and question.');
      const text =
        lens && question && prompt === ASK_PROMPT ? writeAskPrompt(lens, question) : writeGettingStarted(title);
      return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
    });
    server.setRequestHandler('tools/call', async ({ params }, call) => {
      if (!isToolName(params.name)) throw createUnknownNameError('tool', 'tools/list');
      try {
        if (context.refusal) throw context.refusal;
        return limitResultSize(await callTool(deps, createAskContext(context, call), params.name, params.arguments));
      } catch (error) {
        context.report(error);
        return toFailureResult(error, context.ask.requestId);
      }
    });
    return server;
  };
  const handler = createMcpHandler(({ authInfo }) => createServer(authInfo!.extra!['context'] as McpRequestContext), {
    legacy: 'reject',
    onerror: () => {},
  });
  return { handler, createServer };
}

const createUnknownNameError = (noun: string, listing: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no ${noun} with this name. See ${listing}.`);

/** Clients of revision 2026-07-28 state their name in each message. */
function createAskContext({ ask }: McpRequestContext, call: ServerContext): AskContext {
  const envelope = call.mcpReq.envelope as Record<string, unknown> | undefined;
  const info = envelope?.[CLIENT_INFO_KEY] as { name?: unknown; version?: unknown } | undefined;
  if (typeof info?.name !== 'string') return ask;
  const client = `${info.name}${typeof info.version === 'string' ? ` ${info.version}` : ''}`;
  return { ...ask, client: client.slice(0, 200) };
}
