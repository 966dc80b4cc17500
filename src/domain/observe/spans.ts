// Sending spans to a telemetry backend never blocks or fails a request. Without a collector, svc creates no spans.
import type { Trace, TraceRepository } from './trace-repository.ts';

type TraceWriter = Pick<TraceRepository, 'write'>;

export interface Spans {
  /** `headers` can contain the trace context of the request (W3C traceparent). */
  openRequest(request: { id: string; method: string; headers: Record<string, string | string[] | undefined> }): void;
  closeRequest(request: { id: string; method: string; route: string | null; status: number }): void;
  recordAsk(trace: Trace): void;
  /** Sends the remaining spans, with a short time limit. */
  close(): Promise<void>;
}

/** Records an ask only after its trace is durable. */
export const withAskSpans = (traces: TraceWriter, spans: Spans | null): TraceWriter =>
  spans === null
    ? traces
    : {
        async write(...writeArguments) {
          const isWritten = await traces.write(...writeArguments);
          if (isWritten) spans.recordAsk(writeArguments[1]);
          return isWritten;
        },
      };
