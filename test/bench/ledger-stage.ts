// A PostgreSQL warehouse, a control database, and svc configured as in production.
import { startBalancer } from '../support/balancer.ts';
import { makeLedger } from '../support/ledger.ts';
import { type Deployment, deploy, type Replica } from '../support/replicas.ts';
import { closeOpened } from '../support/until-file-ends.ts';
import { startThrowawayPostgres } from './throwaway-postgres.ts';

export interface LedgerStage {
  warehouseUrl: string;
  controlUrl: string;
  deployment: Deployment;
  /** The replica that runs from the start. */
  svc: Replica;
  close(): Promise<void>;
}

export async function openLedgerStage(): Promise<LedgerStage> {
  const postgres = await startThrowawayPostgres();
  const closeAll = async () => {
    await closeOpened();
    await postgres.stop();
  };
  try {
    const ledger = await makeLedger(await postgres.createDatabase('ledger'));
    const controlUrl = await postgres.createDatabase('control');
    const deployment = await deploy(controlUrl, ledger.files, { lenses: ['ledger'] });
    return { warehouseUrl: ledger.url, controlUrl, deployment, svc: await deployment.start(), close: closeAll };
  } catch (fault) {
    await closeAll();
    throw fault;
  }
}

/** Runs `work` with this many replicas behind a balancer. */
export async function withReplicas<T>(
  stage: LedgerStage,
  count: number,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const replicas: Replica[] = [stage.svc];
  while (replicas.length < count) replicas.push(await stage.deployment.start());
  const balancer = await startBalancer(replicas.map(({ url }) => url));
  try {
    return await work(balancer.url);
  } finally {
    for (const replica of replicas.slice(1)) await replica.end('SIGTERM');
  }
}
