// Measures how long work blocks this thread, and thus /health. The unit is the processor time of a fixed piece of work,
// so that neither other load on the machine nor the speed of the machine changes the result.
import { readFileSync } from 'node:fs';

/** The longest stall. 1 means a quarter of a second on a machine where `pieceOfWork` takes 10 ms. */
export async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = ran();
  const look = () => {
    const now = ran();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 2);
  try {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 5));
    look();
  } finally {
    clearInterval(timer);
  }
  return longest / (25 * pace());
}

/** The processor time of this thread in milliseconds. */
const ran = (): number => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;

let paced = { at: Number.NEGATIVE_INFINITY, ms: 0 };
/** The time of a fixed piece of work on this thread in milliseconds. */
export function pace(): number {
  if (performance.now() - paced.at < 1_000) return paced.ms;
  const took = Array.from({ length: 5 }, () => {
    const began = ran();
    pieceOfWork();
    return ran() - began;
  });
  paced = { at: performance.now(), ms: Math.min(...took) };
  return paced.ms;
}

const WORDS = Array.from({ length: 2_000 }, (_, n) => `${(n * 7919) % 2_000} word`);
function pieceOfWork(): number {
  let size = 0;
  for (let turn = 0; turn < 25; turn++) {
    const seen = new Map<string, number>();
    for (const word of WORDS) seen.set(word.toUpperCase().replace(/\d+/, '#') + turn, word.length);
    size += seen.size + JSON.stringify([...WORDS].sort()).length;
  }
  return size;
}
