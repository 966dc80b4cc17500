import { DuckDBInstance } from '@duckdb/node-api';

/** Makes a DuckDB file of what these statements make, and lets go of it. */
export async function duckdbFile(path: string, ...statements: string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}
