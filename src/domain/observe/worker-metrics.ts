// A scrape reaches only one worker. This worker asks the primary process, which combines the metrics of all workers.
import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';

interface MetricsRequest {
  svc: 'metrics';
  id: number;
  text?: string;
  failed?: string;
}

const isMetricsRequest = (message: unknown): message is MetricsRequest =>
  (message as Partial<MetricsRequest> | null)?.svc === 'metrics';

export function serveWorkerMetrics(): void {
  const aggregator = new AggregatorRegistry();
  cluster.on('message', (worker, message: unknown) => {
    if (!isMetricsRequest(message)) return;
    const reply = (answer: Pick<MetricsRequest, 'text' | 'failed'>) => {
      if (worker.isConnected()) worker.send({ ...message, ...answer });
    };
    aggregator.clusterMetrics().then(
      (text) => reply({ text }),
      ({ message: failure }: Error) => reply({ failed: failure }),
    );
  });
}

/** Null if this process isn't a worker. */
export function createWorkerMetricsReader(registry: Registry): (() => Promise<string>) | null {
  if (!cluster.isWorker) return null;
  AggregatorRegistry.setRegistries([registry]);
  new AggregatorRegistry(); // registers this worker with the primary process
  const pendingRequests = new Map<number, { resolve: (text: string) => void; reject: (fault: Error) => void }>();
  process.on('message', (message: unknown) => {
    if (!isMetricsRequest(message)) return;
    const { id, text, failed } = message;
    if (text === undefined)
      pendingRequests.get(id)?.reject(new Error(`The metrics of all workers can't be read: ${failed}`));
    else pendingRequests.get(id)?.resolve(text);
    pendingRequests.delete(id);
  });
  let lastId = 0;
  return () =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      pendingRequests.set(id, { resolve, reject });
      process.send!({ svc: 'metrics', id } satisfies MetricsRequest);
    });
}
