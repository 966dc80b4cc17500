// Measures how long work blocks this thread, and thus /health. The unit is the processor time of a fixed piece of work,
// so that neither other load on the machine nor the speed of the machine changes the result.
import { readFileSync } from 'node:fs';

/** The longest stall. 1 means a quarter of a second on a machine where `pieceOfWork` takes 10 ms. */
export async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = tryRun();
  const measureStall = () => {
    const now = tryRun();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(measureStall, 2);
  try {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 5));
    measureStall();
  } finally {
    clearInterval(timer);
  }
  return longest / (25 * pace());
}

/** The processor time of this thread in milliseconds. */
const tryRun = (): number => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;

let paced = { at: Number.NEGATIVE_INFINITY, ms: 0 };
/** The time of a fixed piece of work on this thread in milliseconds. */
export function pace(): number {
  if (performance.now() - paced.at < 1_000) return paced.ms;
  const pieceTimes = Array.from({ length: 5 }, () => {
    const startedAtMs = tryRun();
    pieceOfWork();
    return tryRun() - startedAtMs;
  });
  paced = { at: performance.now(), ms: Math.min(...pieceTimes) };
  return paced.ms;
}

const WORDS = Array.from({ length: 2_000 }, (_, n) => `${(n * 7919) % 2_000} word`);
function pieceOfWork(): number {
  let size = 0;
  for (let turn = 0; turn < 25; turn++) {
    const wordCounts = new Map<string, number>();
    for (const word of WORDS) wordCounts.set(word.toUpperCase().replace(/\d+/, '#') + turn, word.length);
    size += wordCounts.size + JSON.stringify([...WORDS].sort()).length;
  }
  return size;
}
