// Connections of every kind, opened once for each configuration and kept open.
import { openDuckDbWarehouse } from './adapters/warehouse/duckdb.ts';
import { buildDuckDbFiles } from './adapters/warehouse/duckdb-files.ts';
import { openPostgresWarehouse } from './adapters/warehouse/postgres.ts';
import { locateFile } from './adapters/warehouse/project-files.ts';
import type { Config } from './config.ts';
import type { WarehouseOpener } from './domain/ports.ts';

export function wireWarehouses(config: Config, _control: string): WarehouseOpener & { close(): Promise<void> } {
  const roots = { projectFolder: config.project, home: config.home };
  return {
    async open({ orgId, name, config: connection }) {
      if (connection.kind === 'duckdb' && 'files' in connection) {
        return openDuckDbWarehouse({
          path: await buildDuckDbFiles(connection.files as never, roots, `${orgId}/${name}`),
          label: name,
        });
      }
      if (connection.kind === 'duckdb')
        return openDuckDbWarehouse({
          path: await locateFile((connection as { path: string }).path, roots),
          label: name,
        });
      const c = connection as { host: string; port?: number; database: string; user: string; password?: string };
      return openPostgresWarehouse({
        host: c.host,
        port: Number(c.port ?? 5432),
        database: c.database,
        user: c.user,
        password: c.password ?? '',
        ssl: false,
      });
    },
    close: async () => undefined,
  };
}
