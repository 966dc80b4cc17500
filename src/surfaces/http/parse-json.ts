// Every accepted body can be stored and hashed: it is valid UTF-8, with no duplicate names, no number too large for a
// double, no NUL and no lone surrogate.
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { Problem } from '../../platform/problem.ts';
import { runInTurns, waitForTurn } from '../../platform/schedule/in-turns.ts';
import { startEventLoopWork } from './start-event-loop-work.ts';

const MAX_DEPTH = 64;
/** Counts names, values and brackets. Parsing time depends more on this number than on the size of the body. */
const MAX_TOKENS = 250_000;
/**
 * Later steps list, clone and compare all keys of an object at once, which blocks the event loop. No valid request
 * needs this many keys.
 */
const MAX_NAMES = 2_000;
/** In requests with project files, each file path is a member name. */
export const MAX_NAMES_OF_FILES = 25_000;
const LARGE_BODY_BYTES = 1_048_576;
const TOKENS_PER_SLICE = 500; // scanning this many tokens takes less than a millisecond
const UTF8_DECODER = new TextDecoder('utf-8', { fatal: true });
const createMalformedProblem = (reason?: string): Problem =>
  new Problem(
    'malformed',
    `The body is not valid JSON${reason ? `: ${reason}` : ''}. Send one JSON document in UTF-8.`,
  );

export const createJsonParser =
  (deps: Pick<Deps, 'scheduler'>, maxNames = MAX_NAMES) =>
  async (request: FastifyRequest, body: Buffer): Promise<unknown> => {
    const pendingTask = startEventLoopWork(deps, request);
    const task = pendingTask instanceof Promise ? await pendingTask : pendingTask;
    const value = await task.runWithin(() => parseJson(body, maxNames));
    if (value === null) throw new Problem('invalid', 'The body is null. Send a JSON object, or no body.');
    return value;
  };

export async function parseJson(body: Buffer, maxNames = MAX_NAMES): Promise<unknown> {
  if (body.length === 0) return undefined;
  let text: string;
  try {
    text = UTF8_DECODER.decode(body);
  } catch {
    throw createMalformedProblem('it is not valid UTF-8');
  }
  // Each step of parsing a large body blocks the event loop.
  if (body.length > LARGE_BODY_BYTES) await waitForTurn();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw createMalformedProblem();
  }
  await runInTurns(scanJsonText(text, maxNames));
  await runInTurns(checkTexts(value));
  return value;
}

/** JSON.parse has already accepted the text. Scanning takes several times as long as parsing. */
function* scanJsonText(text: string, maxNames: number): Generator<void, void> {
  const names: (Set<string> | null)[] = [];
  const token = /["{}[\]]|-?\d[\d.eE+-]*/g;
  let tokenCount = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (++tokenCount % TOKENS_PER_SLICE === 0) yield;
    if (tokenCount > MAX_TOKENS)
      throw new Problem(
        'too_large',
        `The body has more than ${MAX_TOKENS.toLocaleString('en')} names, values and brackets. Send a smaller body.`,
      );
    const [piece] = match;
    switch (piece) {
      case '{':
      case '[':
        names.push(piece === '{' ? new Set() : null);
        if (names.length > MAX_DEPTH) throw createMalformedProblem(`it nests deeper than ${MAX_DEPTH} levels`);
        break;
      case '}':
      case ']':
        names.pop();
        break;
      case '"': {
        const end = yield* findEndOfText(text, token.lastIndex);
        const usedNames = names.at(-1) ?? null;
        if (usedNames) checkMemberName(text, { from: match.index, end }, usedNames);
        token.lastIndex = end;
        if ((usedNames?.size ?? 0) > maxNames)
          throw new Problem(
            'too_large',
            `An object in the body has more than ${maxNames.toLocaleString('en')} keys. Send fewer keys.`,
          );
        break;
      }
      default:
        if (!Number.isFinite(Number(piece))) throw createMalformedProblem('a number in it is too large');
    }
  }
}

/** An even number of backslashes precedes the closing quote of a string. */
function* findEndOfText(text: string, from: number): Generator<void, number> {
  for (let position = from, quoteCount = 1; ; quoteCount++) {
    const quote = text.indexOf('"', position);
    let backslashCount = 0;
    while (text[quote - 1 - backslashCount] === '\\') backslashCount++;
    if (backslashCount % 2 === 0) return quote + 1;
    if (quoteCount % TOKENS_PER_SLICE === 0) yield;
    position = quote + 1;
  }
}

function checkMemberName(text: string, { from, end }: { from: number; end: number }, names: Set<string>): void {
  const colon = /\s*:/y;
  colon.lastIndex = end;
  if (!colon.test(text)) return;
  const value = JSON.parse(text.slice(from, end)) as string;
  if (value === '__proto__') throw createMalformedProblem('it uses the reserved name __proto__');
  if (names.has(value)) throw createMalformedProblem('an object in it uses the same name twice');
  names.add(value);
}

/** Checks names and values after unescaping. */
function* checkTexts(value: unknown): Generator<void, void> {
  const pendingValues: unknown[] = [value];
  for (let valueCount = 1; pendingValues.length > 0; valueCount++) {
    const container = pendingValues.pop();
    if (valueCount % TOKENS_PER_SLICE === 0) yield;
    if (typeof container === 'string') {
      if (container.includes('\u0000')) throw createMalformedProblem('it contains a NUL character');
      if (!container.isWellFormed()) throw createMalformedProblem('it contains half of a surrogate pair');
    } else if (Array.isArray(container)) for (const item of container) pendingValues.push(item);
    else if (typeof container === 'object' && container !== null)
      for (const name in container) pendingValues.push(name, (container as Record<string, unknown>)[name]);
  }
}
