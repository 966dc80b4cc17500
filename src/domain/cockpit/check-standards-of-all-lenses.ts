import type { z } from 'zod';
import type * as wire from '../../contract/mgmt/cockpit.ts';
import { createYieldIfDue } from '../../platform/schedule/in-turns.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { checkStandards, type Standards } from '../project/check-standards.ts';
import { readLensFile } from '../project/files/read-files.ts';

export type StandardsFinding = z.infer<typeof wire.standardsCheckSchema>['items'][number];

export async function checkStandardsOfAllLenses(
  deps: { tenancy: Tenancy },
  orgId: string,
  standards: Standards,
): Promise<{ lenses: number; items: StandardsFinding[] }> {
  const rows = await deps.tenancy.inTenant(orgId, (db) =>
    db.rows<{ name: string; files: Record<string, string>; approved: number }>(
      `select l.name, v.files, (select count(*)::int from svc.certified_entries c where c.lens_id = l.id and c.status = 'approved') as approved
       from svc.lenses l join svc.lens_versions v on v.lens_id = l.id and v.version = l.active_version order by l.name`,
    ),
  );
  const items: StandardsFinding[] = [];
  const pause = createYieldIfDue();
  for (const { name, files, approved } of rows) {
    const { value, problemAt } = await readLensFile(orgId, name, files['lens.yaml'] ?? '');
    for (const { path: faultPath, standard, severity, message } of value
      ? checkStandards(value, approved, standards)
      : []) {
      const { path, line, column, pointer } = problemAt(faultPath, standard, message, { key: true });
      items.push({ lens: name, standard, severity, path, line, column, pointer, message });
    }
    await pause();
  }
  return { lenses: rows.length, items };
}
