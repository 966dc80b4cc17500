// Measures memory and handles of a process over time, and checks that they don't grow.
import { readdir } from 'node:fs/promises';
import { median, memoryOf, rounded } from '../bench/measure.ts';

const EVERY_MS = 2_000;
/** Room for delayed garbage collection and for idle sockets. */
const ALLOWED = { timesMb: 1.25, plusMb: 40, handles: 60 };

export interface Watch {
  stop(): { figures: Record<string, number>; breaches: string[] };
}

export function watch(pid: number): Watch {
  const memory: number[] = [];
  const handles: number[] = [];
  const timer = setInterval(async () => {
    try {
      handles.push((await readdir(`/proc/${pid}/fd`)).length);
      memory.push(memoryOf(pid).now);
    } catch {
      // The process has ended, which the caller notices elsewhere.
    }
  }, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      // The first tenth is warm-up: code compiles, and caches and pools fill.
      const settled = Math.floor(memory.length / 10);
      const third = Math.max(1, Math.floor((memory.length - settled) / 3));
      const [early, late] = [memory.slice(settled, settled + third), memory.slice(-third)].map(median) as [
        number,
        number,
      ];
      const [before, after] = [handles.slice(settled, settled + third), handles.slice(-third)].map(median) as [
        number,
        number,
      ];
      const breaches: string[] = [];
      if (late > early * ALLOWED.timesMb + ALLOWED.plusMb)
        breaches.push(`memory grew from ${rounded(early)} MB in the first third to ${rounded(late)} MB in the last`);
      if (after > before + ALLOWED.handles) breaches.push(`handles grew from ${before} to ${after}`);
      const figures = {
        memory_first_third_mb: rounded(early, 1),
        memory_last_third_mb: rounded(late, 1),
        memory_highest_mb: rounded(Math.max(...memory), 1),
        handles_first_third: before,
        handles_last_third: after,
      };
      return { figures, breaches };
    },
  };
}
