// For masked fields, the profile contains only counts. Computed fields have no column, so the profile omits them.

import type { z } from 'zod';
import type * as wire from '../../contract/mgmt/profiling.ts';
import { Problem } from '../../platform/problem.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import type { LiveLens } from '../lenses/lens-repository.ts';
import type { Warehouse } from '../ports.ts';
import { findSnapshot, saveSnapshot } from './snapshot-repository.ts';

export type FieldProfile = z.infer<typeof wire.lensProfileSchema>['items'][number];
export interface LensProfile {
  lens_version: number;
  items: FieldProfile[];
  faults: { dataset: string; message: string }[];
}
export const toProfileSubject = ({ lensId }: Pick<LiveLens, 'lensId'>): string => `lens:${lensId}`;
const MAX_PROFILED_VALUES = 50;

export const readLensProfile = (deps: { tenancy: Tenancy }, orgId: string, liveLens: Pick<LiveLens, 'lensId'>) =>
  findSnapshot<LensProfile>(deps, orgId, toProfileSubject(liveLens), 'profile');

export async function profileLens(
  deps: { tenancy: Tenancy },
  orgId: string,
  liveLens: LiveLens,
  warehouse: Warehouse,
  options: {
    sampleRows: number;
    signal: AbortSignal;
    report: (progress: { done: number; total: number }) => void;
  },
): Promise<LensProfile> {
  const profile: LensProfile = { lens_version: liveLens.version, items: [], faults: [] };
  for (const [doneCount, { name, source, fields }] of liveLens.lens.datasets.entries()) {
    options.signal.throwIfAborted();
    options.report({ done: doneCount, total: liveLens.lens.datasets.length });
    const columnFields = fields.filter(({ expression }) => expression === null);
    try {
      const columnProfiles = await warehouse.profile(
        source,
        columnFields.map((field) => field.name),
        { maxValues: MAX_PROFILED_VALUES, sampleRows: options.sampleRows, signal: options.signal },
      );
      for (const field of columnFields) {
        const column = columnProfiles.find((item) => item.column.toLowerCase() === field.name.toLowerCase());
        if (!column) continue;
        const { rows, nulls, distinct, min, max, values, sampled } = column;
        const visibleSummary = field.masked ? { min: null, max: null, values: null } : { min, max, values };
        profile.items.push({
          dataset: name,
          field: field.name,
          datatype: field.datatype,
          masked: field.masked,
          rows,
          nulls,
          distinct,
          sampled,
          ...visibleSummary,
        });
      }
    } catch (fault) {
      if (!(fault instanceof Problem) || options.signal.aborted) throw fault;
      profile.faults.push({ dataset: name, message: fault.message });
    }
  }
  options.report({ done: liveLens.lens.datasets.length, total: liveLens.lens.datasets.length });
  const subject = toProfileSubject(liveLens);
  const previousSnapshot = await readLensProfile(deps, orgId, liveLens);
  if (previousSnapshot)
    await saveSnapshot(deps, orgId, subject, 'profile-before', {
      ...previousSnapshot.body,
      taken_at: previousSnapshot.takenAt.toISOString(),
    });
  await saveSnapshot(deps, orgId, subject, 'profile', profile);
  return profile;
}
