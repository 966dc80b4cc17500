import type { CatalogTable } from '../../domain/ports.ts';

const toTextOrNull = (value: unknown): string | null =>
  value === null || value === undefined || value === '' ? null : String(value);

interface TableProperties {
  isView: boolean;
  comment?: unknown;
  rows?: unknown;
  catalog?: string | null;
}

export const createCatalogTable = (
  schema: unknown,
  table: unknown,
  { isView, comment, rows, catalog = null }: TableProperties,
): CatalogTable => ({
  catalog,
  schema: String(schema),
  table: String(table),
  kind: isView ? 'view' : 'table',
  comment: toTextOrNull(comment),
  columns: [],
  primaryKey: [],
  uniqueKeys: [],
  foreignKeys: [],
  rowEstimate: rows === null || rows === undefined ? null : Number(rows),
});

export class CatalogTableCollector {
  readonly #tables = new Map<string, CatalogTable>();

  add(schema: unknown, table: unknown, properties: TableProperties): void {
    this.#tables.set(toTableKey(schema, table), createCatalogTable(schema, table, properties));
  }

  /** Ignores columns of tables that aren't in the collection. */
  addColumn(
    schema: unknown,
    table: unknown,
    column: Omit<CatalogTable['columns'][number], 'name' | 'comment'> & { name: unknown; comment?: unknown },
  ): void {
    const { name, comment } = column;
    this.get(schema, table)?.columns.push({ ...column, name: String(name), comment: toTextOrNull(comment) });
  }

  get(schema: unknown, table: unknown): CatalogTable | undefined {
    return this.#tables.get(toTableKey(schema, table));
  }

  all(): CatalogTable[] {
    return [...this.#tables.values()];
  }

  withColumns(): CatalogTable[] {
    return this.all().filter(({ columns }) => columns.length > 0);
  }
}

const toTableKey = (schema: unknown, table: unknown): string => `${schema}\u0000${table}`;
