import { getPriority, platform, setPriority } from 'node:os';

const LEAST_URGENT = 19;

/** Lowers this thread's priority below the main event loop. Only Linux has priorities per thread. */
export function lowerPriority(): void {
  if (platform() === 'linux') setPriority(Math.min(LEAST_URGENT, getPriority() + 5));
}
