// Reads the deployed state and the last deployment in one snapshot.
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { type Deployment, findDeployment } from './deployment-repository.ts';
import type { DeployedState } from './project-state.ts';
import { readDeployedState } from './project-state-repository.ts';

export function readProjectState(
  deps: { tenancy: Tenancy },
  orgId: string,
): Promise<{ state: DeployedState; last: Deployment | null }> {
  return deps.tenancy.inTenant(orgId, async (db) => ({
    state: await readDeployedState(db),
    last: await findDeployment(db, null),
  }));
}
