// What a telemetry backend is told: that a request came and went, and what was asked in it. Telling never waits and never
// fails; without a collector configured there is no one to tell.
import type { Trace, TraceRepository } from './trace-repository.ts';

type Traces = Pick<TraceRepository, 'write'>;

export interface Spans {
  /** `headers` may name the trace that the request belongs to (W3C traceparent). */
  opened(request: { id: string; method: string; headers: Record<string, string | string[] | undefined> }): void;
  closed(request: { id: string; method: string; route: string | null; status: number }): void;
  asked(trace: Trace): void;
  /** Sends what is left, for a moment at most. */
  close(): Promise<void>;
}

/** Traces are told of once they are durable. */
export const withSpans = (traces: Traces, spans: Spans | null): Traces =>
  spans === null
    ? traces
    : {
        async write(...given) {
          const written = await traces.write(...given);
          if (written) spans.asked(given[1]);
          return written;
        },
      };
