import { getPriority, platform, setPriority } from 'node:os';

const LEAST_URGENT = 19;

/** This thread comes after the event loop that answers. Only Linux gives each thread a priority of its own. */
export function lessUrgent(): void {
  if (platform() === 'linux') setPriority(Math.min(LEAST_URGENT, getPriority() + 5));
}
