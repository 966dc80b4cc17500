// Does the warehouse have what the datasets name? Each dataset's governed SELECT is described, never run.
import { guardSql } from '../../guard/guard-sql.ts';
import { governedRelations } from '../../lens/governed-relations.ts';
import type { Asker, Lens } from '../../lens/lens.ts';
import { sqlName } from '../../lens/sql-name.ts';
import { Problem } from '../../platform/problem.ts';
import type { Warehouse } from '../ports.ts';

const EVERYONE: Asker = { name: 'svc', groups: [], attributes: {}, superuser: true };

/** Dataset name -> what the engine says is wrong with it. */
export async function datasetFaults(lens: Lens, warehouse: Warehouse): Promise<Map<string, string>> {
  const relations = governedRelations(lens, EVERYONE);
  const faults = new Map<string, string>();
  for (const dataset of lens.datasets) {
    const columns = dataset.fields.map(({ name }) => sqlName(lens.dialect, name)).join(', ');
    try {
      const sql = `select ${columns} from ${sqlName(lens.dialect, dataset.name)}`;
      await warehouse.describe(await guardSql(sql, { dialect: lens.dialect, relations, mode: 'govern', maxRows: 1 }), {
        timeoutMs: 15_000,
      });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      faults.set(dataset.name, [error.message, error.detail].filter(Boolean).join(' '));
    }
  }
  return faults;
}
