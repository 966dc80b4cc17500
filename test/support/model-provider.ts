// A well-behaved OpenAI-compatible provider with embeddings. Long replies take time.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtinEmbedder } from '../../src/adapters/embedder/builtin.ts';
import { listenLocally } from './local-server.ts';

export interface ModelProvider {
  baseUrl: string;
}

export async function startModelProvider(embed = builtinEmbedder.embed): Promise<ModelProvider> {
  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as {
      input?: string[];
      messages?: { content: string }[];
      response_format?: unknown;
    };
    reply.setHeader('content-type', 'application/json');
    if (body.input) {
      const vectors = await embed(body.input);
      // Providers may return vectors that aren't normalized, in any order.
      const data = vectors.map((vector, index) => ({ index, embedding: [...vector].map((value) => value * 3) }));
      reply.end(JSON.stringify({ data: data.reverse() }));
      return;
    }
    const lastMessage = body.messages?.at(-1)?.content ?? '';
    if (lastMessage.includes('5,000 words')) await sleep(20_000, undefined, { ref: false });
    const content = body.response_format ? JSON.stringify({ year: Number(/\d{4}/.exec(lastMessage)?.[0]) }) : 'Hello.';
    const choice = { index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' };
    reply.end(JSON.stringify({ choices: [choice], usage: { prompt_tokens: 10, completion_tokens: 5 } }));
  });
  const { port } = await listenLocally(server);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
  };
}
