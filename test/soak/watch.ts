// Measures memory and handles of a process over time, and checks that they don't grow.
import { readdir } from 'node:fs/promises';
import { median, memoryOf, roundTo } from '../bench/measure.ts';

const EVERY_MS = 2_000;
/** The allowed growth, for delayed garbage collection and idle sockets. */
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
      const warmUpSamples = Math.floor(memory.length / 10);
      const third = Math.max(1, Math.floor((memory.length - warmUpSamples) / 3));
      const [early, lateMedian] = [memory.slice(warmUpSamples, warmUpSamples + third), memory.slice(-third)].map(
        median,
      ) as [number, number];
      const [before, after] = [handles.slice(warmUpSamples, warmUpSamples + third), handles.slice(-third)].map(
        median,
      ) as [number, number];
      const breaches: string[] = [];
      if (lateMedian > early * ALLOWED.timesMb + ALLOWED.plusMb)
        breaches.push(
          `memory grew from ${roundTo(early)} MB in the first third to ${roundTo(lateMedian)} MB in the last`,
        );
      if (after > before + ALLOWED.handles) breaches.push(`handles grew from ${before} to ${after}`);
      const figures = {
        memory_first_third_mb: roundTo(early, 1),
        memory_last_third_mb: roundTo(lateMedian, 1),
        memory_highest_mb: roundTo(Math.max(...memory), 1),
        handles_first_third: before,
        handles_last_third: after,
      };
      return { figures, breaches };
    },
  };
}
