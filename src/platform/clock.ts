// One clock, so that tests and relative time share it. Times on the wire are RFC 3339 UTC with milliseconds.
export interface Clock {
  now(): Date;
}
export const systemClock: Clock = { now: () => new Date() };
