// A client that generates load: asks over HTTP on several lanes, records every reply, and counts broken connections.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from '../../src/contract/ask.ts';
import type { Receipt } from '../../src/contract/receipt.ts';
import type { History } from './history.ts';

export interface Asked {
  path: string;
  body: object;
}

export interface Load {
  /** The number of failures for each error code of the connection. */
  broken: Record<string, number>;
  /** The time of each reply in milliseconds. */
  times: number[];
  stop(): Promise<void>;
}

export function startLoad(options: {
  url: string;
  orgId: string;
  tokens: readonly string[];
  lanes: number;
  history: History;
  next(turn: number): Asked;
  pauseMs?: number;
}): Load {
  const { url, orgId, tokens, lanes, history, next, pauseMs = 0 } = options;
  let asking = true;
  let turn = 0;
  const load: Omit<Load, 'stop'> = { broken: {}, times: [] };
  const runLoop = async (_: unknown, at: number) => {
    const token = tokens[at % tokens.length]!;
    while (asking) {
      const { path, body } = next(turn++);
      const startedAt = performance.now();
      try {
        const reply = await postJson<Envelope>(url + path, body, token);
        load.times.push(performance.now() - startedAt);
        history.add(orgId, token, reply);
      } catch (fault) {
        const code = codeOf(fault);
        load.broken[code] = (load.broken[code] ?? 0) + 1;
        await sleep(20);
      }
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };
  const running = Promise.all(Array.from({ length: lanes }, runLoop));
  return {
    ...load,
    async stop() {
      asking = false;
      await running;
    },
  };
}

/** fetch wraps the error of the socket. */
function codeOf(fault: unknown): string {
  const { cause, name } = fault as { cause?: { code?: string }; name?: string };
  return cause?.code ?? name ?? 'unknown';
}

export async function postJson<Body>(url: string, body: object, token: string) {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: reply.status, headers: Object.fromEntries(reply.headers), body: (await reply.json()) as Body };
}

export const verifyAt =
  (url: string) =>
  async (receipt: Receipt, token: string): Promise<{ ok: boolean; mismatches: string[] }> =>
    (await postJson<{ ok: boolean; mismatches: string[] }>(`${url}/v1/verify-receipt`, receipt, token)).body;
