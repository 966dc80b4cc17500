import { DuckDBInstance } from '@duckdb/node-api';

/** Creates a DuckDB file with these statements and closes it. */
export async function createDuckdbFile(path: string, ...statements: string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}
