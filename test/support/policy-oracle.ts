// Returns true if the reply to a right guess about a hidden row differs from the reply to a wrong guess.
import type { TestApp } from './app.ts';
import { asGuess, POLICY_SHAPES, RIGHT, WRONG } from './policy-probes.ts';

export const SHAPES = Object.keys(POLICY_SHAPES);
const AT_ONCE = 4;

/** Sends a statement and returns the whole reply without its id and times. */
export async function askForReply(svc: TestApp, caller: string, lens: string, sql: string) {
  const startedAt = performance.now();
  const { status, body } = await svc.post('/v1/sql', { lens, sql }, caller);
  const { data, row_count, truncated, empty, error, code, message, estimate } = body;
  const problem = error ? { ...error, request_id: null } : { code, message };
  const text = JSON.stringify({ status, data, row_count, truncated, empty, estimate, problem });
  return { status, text, ms: performance.now() - startedAt, sql: body.sql as string };
}

export async function differences(
  svc: TestApp,
  caller: string,
  probes: { probe: string; lens: string }[],
): Promise<{ different: string[]; ran: number }> {
  const different: string[] = [];
  const left = [...probes];
  let runCount = 0;
  const work = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const { probe, lens } = next;
      const right = await askForReply(svc, caller, lens, asGuess(probe, RIGHT));
      const wrong = await askForReply(svc, caller, lens, asGuess(probe, WRONG));
      if (right.status === 200) runCount++;
      // A refusal quotes the statement, which contains the guess.
      if (right.text.replaceAll(RIGHT, WRONG) !== wrong.text)
        different.push(`${lens}: ${probe}\n${right.text}\n${wrong.text}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { different, ran: runCount };
}
