// Finds the served lens that a path names, and its warehouse.
import type { Deps } from '../../deps.ts';
import { getServedLens } from '../../domain/lenses/get-served-lens.ts';
import type { Call } from '../http/operation.ts';

type LensParams = { name: string };
type Naming<D> = Pick<Call<D, LensParams>, 'deps' | 'orgId' | 'params'>;

export const servedLensOf = ({ deps, orgId, params }: Naming<Pick<Deps, 'lenses'>>) =>
  getServedLens(deps.lenses, orgId, params.name);

export async function servedWithWarehouse(call: Naming<Pick<Deps, 'lenses' | 'warehouses'>>) {
  const liveLens = await servedLensOf(call);
  return { served: liveLens, warehouse: await call.deps.warehouses.get(call.orgId, liveLens.lens.connection) };
}
