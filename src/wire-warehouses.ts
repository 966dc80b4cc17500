// Connections of every kind, opened once for each configuration and kept open while they are used.
import { Warehouses } from './adapters/warehouse/warehouses.ts';
import type { Config } from './config.ts';
import type { ConnectionConfig } from './contract/config-file.ts';
import type { WarehouseOpener } from './domain/ports.ts';
import { expandVariables } from './lens/expand-variables.ts';

export function wireWarehouses(config: Config, controlUrl: string): WarehouseOpener & { close(): Promise<void> } {
  const control = new URL(controlUrl);
  const { allowed, values } = config.variables;
  const expand = (value: unknown): unknown => {
    if (typeof value === 'string') return expandVariables(value, allowed, values).text;
    if (Array.isArray(value)) return value.map(expand);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expand(inner)]));
  };
  return new Warehouses({
    projectFolder: config.project,
    home: config.home,
    expand: (connection) => expand(connection) as ConnectionConfig,
    allowedAddresses: config.allowedAddresses ?? [],
    controlDatabase: {
      host: control.searchParams.get('host') ?? control.hostname.replace(/^\[|\]$/g, ''),
      port: Number(control.port || 5432),
      database: decodeURIComponent(control.pathname.slice(1)),
    },
  });
}
