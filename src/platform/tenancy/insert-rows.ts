import type { TenantClient } from './tenant.ts';

/** The maximum number of characters of JSON in a statement. One row can contain a whole compiled lens. */
const MAX_STATEMENT_LENGTH = 4_000_000;

type InsertedRow = Readonly<Record<string, unknown>>;
const quoteNames = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** All rows must have the same members. Returns the number of written rows, without rows that `conflict` skips. */
export async function insertRows(
  db: TenantClient,
  table: string,
  rows: readonly InsertedRow[],
  conflict = '',
): Promise<number> {
  const names = quoteNames([...new Set(['org_id', ...Object.keys(rows[0] ?? {})])]);
  const sql = `insert into svc.${table} (${names}) select ${names} from jsonb_populate_recordset(null::svc.${table}, $1) ${conflict}`;
  let [writtenCount, length] = [0, 0];
  let pendingRows: string[] = [];
  for (const [index, row] of rows.entries()) {
    const text = JSON.stringify({ ...row, org_id: db.orgId });
    pendingRows.push(text);
    length += text.length;
    if (length < MAX_STATEMENT_LENGTH && index < rows.length - 1) continue;
    writtenCount += await db.run(sql, [`[${pendingRows.join()}]`]);
    [pendingRows, length] = [[], 0];
  }
  return writtenCount;
}

/** An existing row with the same key keeps its id. `extraAssignments` sets further columns of an existing row. */
export async function upsertRows(
  db: TenantClient,
  table: string,
  key: readonly string[],
  rows: readonly InsertedRow[],
  extraAssignments = '',
): Promise<void> {
  const changedColumns = Object.keys(rows[0] ?? {}).filter((name) => name !== 'id' && !key.includes(name));
  const sets = changedColumns.map((name) => `"${name}" = excluded."${name}"`).join(', ');
  await insertRows(
    db,
    table,
    rows,
    `on conflict (${quoteNames(['org_id', ...key])}) do update set ${sets}${extraAssignments}`,
  );
}
