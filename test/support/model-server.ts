// An OpenAI-compatible HTTP endpoint with scripted behavior: normal, faulty, slow, hostile or silent.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenLocally } from './local-server.ts';

export interface ModelRequest {
  model: string;
  system: string;
  user: string;
  /** The request asked for JSON according to a schema. */
  structured: boolean;
  /** The requested output format. */
  form: { response_format?: { type: string; json_schema?: { schema: object; strict?: boolean } }; tools?: unknown[] };
  /** The names of all members of the request. */
  members: string[];
  authorization: string | undefined;
}
export type Behaviour =
  | { say: string | object; finish?: string; tokens?: [number, number] }
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Returns these bytes unchanged, with status 200. */
  | { raw: string }
  | { delayMs: number; reply: Behaviour }
  /** Sends half of a reply and cuts the connection. */
  | { cut: true }
  | { megabytes: number }
  | { toolCall: string; arguments?: string }
  /** Accepts the request and never answers. */
  | { silence: true };
export type Script = Behaviour | ((request: ModelRequest, nth: number) => Behaviour);

export interface ModelServer {
  baseUrl: string;
  requests: ModelRequest[];
  script(script: Script): void;
  close(): Promise<void>;
}

export async function startModelServer(first: Script = { status: 500 }): Promise<ModelServer> {
  let script = first;
  const requests: ModelRequest[] = [];
  const server = createServer(async (request, reply) => {
    const modelRequest = await read(request);
    requests.push(modelRequest);
    await behave(typeof script === 'function' ? script(modelRequest, requests.length) : script, modelRequest, reply);
  });
  const { port, close } = await listenLocally(server);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    script: (next) => {
      script = next;
      requests.length = 0;
    },
    close,
  };
}

async function read(request: IncomingMessage): Promise<ModelRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as {
    model: string;
    messages?: { role: string; content: string }[]; // absent in requests for embeddings
    response_format?: ModelRequest['form']['response_format'];
    tools?: unknown[];
  };
  const contentOf = (role: string) => body.messages?.find((message) => message.role === role)?.content ?? '';
  return {
    model: body.model,
    system: contentOf('system'),
    user: contentOf('user'),
    structured: body.response_format !== undefined || body.tools !== undefined,
    form: { response_format: body.response_format, tools: body.tools },
    members: Object.keys(body),
    authorization: request.headers.authorization,
  };
}

async function behave(behaviour: Behaviour, modelRequest: ModelRequest, reply: ServerResponse): Promise<void> {
  const json = { 'content-type': 'application/json' };
  if ('silence' in behaviour) return;
  if ('delayMs' in behaviour) {
    await new Promise((resolve) => setTimeout(resolve, behaviour.delayMs));
    return behave(behaviour.reply, modelRequest, reply);
  }
  if ('status' in behaviour) {
    reply.writeHead(behaviour.status, { ...json, ...behaviour.headers });
    reply.end(behaviour.body ?? '{"error": {"message": "scripted"}}');
  } else if ('raw' in behaviour) reply.writeHead(200, json).end(behaviour.raw);
  else if ('cut' in behaviour) {
    reply.writeHead(200, { ...json, 'content-length': '5000' });
    reply.write('{"id": "x", "choices": [{"message": {"content": "Reve');
    setTimeout(() => reply.destroy(), 20);
  } else if ('megabytes' in behaviour)
    reply
      .writeHead(200, json)
      .end(completion(modelRequest, { content: 'x'.repeat(behaviour.megabytes * 1024 * 1024) }));
  else if ('toolCall' in behaviour) {
    const call = {
      id: 'c',
      type: 'function',
      function: { name: behaviour.toolCall, arguments: behaviour.arguments ?? '{}' },
    };
    reply.writeHead(200, json).end(completion(modelRequest, { content: null, tool_calls: [call] }, 'tool_calls'));
  } else {
    const content = typeof behaviour.say === 'string' ? behaviour.say : JSON.stringify(behaviour.say);
    reply.writeHead(200, json).end(completion(modelRequest, { content }, behaviour.finish ?? 'stop', behaviour.tokens));
  }
}

const completion = (modelRequest: ModelRequest, message: object, finish = 'stop', [tokensIn, tokensOut] = [100, 20]) =>
  JSON.stringify({
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 0,
    model: modelRequest.model,
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage: { prompt_tokens: tokensIn, completion_tokens: tokensOut, total_tokens: tokensIn + tokensOut },
  });
