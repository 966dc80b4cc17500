// The standards, held against every lens in service, to the line of its file.
import { parseYamlFile } from '../../lens/yaml-file.ts';
import type { Tenancy } from '../../platform/tenant.ts';
import { checkStandards, type Standards } from '../project/check-standards.ts';

export interface StandardFinding {
  lens: string;
  standard: string;
  severity: 'error' | 'warning';
  path: string;
  line: number;
  column: number;
  pointer: string;
  message: string;
}

export async function checkAllStandards(
  deps: { tenancy: Tenancy },
  orgId: string,
  standards: Standards,
): Promise<{ lenses: number; items: StandardFinding[] }> {
  const rows = await deps.tenancy.inTenant(orgId, async (db) => {
    const found = await db.query<{ name: string; files: Record<string, string>; approved: number }>(
      `select l.name, v.files, (select count(*)::int from svc.certified_entries c where c.lens_id = l.id and c.status = 'approved') as approved
       from svc.lenses l join svc.lens_versions v on v.lens_id = l.id and v.version = l.active_version order by l.name`,
    );
    return found.rows;
  });
  const items = rows.flatMap(({ name, files, approved }) => {
    const { value, complain } = parseYamlFile('lens', `lenses/${name}/lens.yaml`, files['lens.yaml'] ?? '');
    if (!value) return [];
    return checkStandards(value, approved, standards).map(({ at, standard, severity, message }): StandardFinding => {
      const { path, line, column, pointer } = complain(at, standard, message, { key: true });
      return { lens: name, standard, severity, path, line, column, pointer, message };
    });
  });
  return { lenses: rows.length, items };
}
