// Finds the served lens that a path names, and its warehouse.
import type { Deps } from '../../deps.ts';
import { getServedLens } from '../../domain/lenses/get-served-lens.ts';
import type { Call } from '../http/operation.ts';

type LensParams = { name: string };
type LensCall<D> = Pick<Call<D, LensParams>, 'deps' | 'orgId' | 'params'>;

export const readServedLens = ({ deps, orgId, params }: LensCall<Pick<Deps, 'lenses'>>) =>
  getServedLens(deps.lenses, orgId, params.name);

export async function readLensAndWarehouse(call: LensCall<Pick<Deps, 'lenses' | 'warehouses'>>) {
  const liveLens = await readServedLens(call);
  return { liveLens, warehouse: await call.deps.warehouses.get(call.orgId, liveLens.lens.connection) };
}
