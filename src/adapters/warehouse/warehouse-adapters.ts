// The warehouses we speak to, registered as a plugin registers its own: a kind and how to open it.
import type { Dialect } from '../../contract/warehouse.ts';
import type { Warehouse } from '../../domain/ports.ts';
import type { BuildLimits } from '../../engines/duckdb/warehouse/apart.ts';
import { buildDuckDbFiles, fingerprintOfFiles } from '../../engines/duckdb/warehouse/files.ts';
import { type FileRoots, locateFile, stampOf } from '../../engines/duckdb/warehouse/project-files.ts';
import { Problem } from '../../platform/problem.ts';
import { CLUSTER_STATEMENTS, SERVER_STATEMENTS } from './at-once.ts';
import type { OpenableConnection } from './connection-config.ts';

export interface OpenContext extends FileRoots {
  /** Organization and connection name. */
  owner: string;
  buildLimits?: BuildLimits | undefined;
  /** Written by the operator, not come over HTTP. */
  fromOperator?: boolean;
  /** The address that was checked for the connection's host; absent: not checked, connect by name. */
  address?: string;
}

export interface WarehouseAdapter {
  kind: string;
  dialect: Dialect;
  /** Statements at once on one connection, when not the usual number. */
  atOnce?: number;
  /** Its engine runs in this process or beside it, on our own processors. */
  onOurProcessors?: true;
  open(connection: OpenableConnection, context: OpenContext): Promise<Warehouse>;
  /** Changes when what the connection opens was replaced from outside, so that it must be opened again. */
  revision?(connection: OpenableConnection, context: OpenContext): Promise<string>;
}

const duckdb: WarehouseAdapter = {
  kind: 'duckdb',
  dialect: 'duckdb',
  onOurProcessors: true,
  async open(connection, context) {
    const { openDuckDbWarehouse } = await import('../../engines/duckdb/warehouse/warehouse.ts');
    const { withApart } = await import('../../engines/duckdb/warehouse/apart.ts');
    if (connection.kind !== 'duckdb') throw mismatch(connection);
    const [tenant] = context.owner.split('/') as [string];
    const file =
      'path' in connection
        ? { path: await locateFile(connection.path, context), label: connection.path }
        : {
            path: await buildDuckDbFiles(connection.files, context, context.owner, context.buildLimits),
            label: 'built from files',
          };
    const options = { ...file, tenant };
    return withApart(await openDuckDbWarehouse(options), options, tenant);
  },
  async revision(connection, context) {
    if (connection.kind !== 'duckdb') throw mismatch(connection);
    if ('path' in connection) return stampOf(await locateFile(connection.path, context));
    return fingerprintOfFiles(connection.files, context);
  },
};

const postgres: WarehouseAdapter = {
  kind: 'postgres',
  dialect: 'postgres',
  atOnce: SERVER_STATEMENTS,
  async open(connection, { address }) {
    const { openPostgresWarehouse } = await import('../../engines/postgres/warehouse/warehouse.ts');
    if (connection.kind !== 'postgres') throw mismatch(connection);
    return openPostgresWarehouse({ ...connection, ...(address && { address }) });
  },
};

const redshift: WarehouseAdapter = {
  kind: 'redshift',
  dialect: 'redshift',
  atOnce: SERVER_STATEMENTS,
  async open(connection, { address }) {
    const { openPostgresWarehouse } = await import('../../engines/postgres/warehouse/warehouse.ts');
    const { REDSHIFT } = await import('../../engines/redshift/warehouse/on-redshift.ts');
    if (connection.kind !== 'redshift') throw mismatch(connection);
    return openPostgresWarehouse({ ...connection, ...(address && { address }) }, REDSHIFT);
  },
};

const mysql: WarehouseAdapter = {
  kind: 'mysql',
  dialect: 'mysql',
  atOnce: SERVER_STATEMENTS,
  async open(connection, { address }) {
    const { openMysqlWarehouse } = await import('../../engines/mysql/warehouse/warehouse.ts');
    if (connection.kind !== 'mysql') throw mismatch(connection);
    return openMysqlWarehouse({ ...connection, ...(address && { address }) });
  },
};

const clickhouse: WarehouseAdapter = {
  kind: 'clickhouse',
  dialect: 'clickhouse',
  atOnce: SERVER_STATEMENTS,
  async open(connection, { address, projectFolder }) {
    const { openClickhouseWarehouse } = await import('../../engines/clickhouse/warehouse/warehouse.ts');
    if (connection.kind !== 'clickhouse') throw mismatch(connection);
    return openClickhouseWarehouse({ ...connection, projectFolder, ...(address && { address }) });
  },
};

const trino: WarehouseAdapter = {
  kind: 'trino',
  dialect: 'trino',
  atOnce: CLUSTER_STATEMENTS,
  async open(connection, { address }) {
    const { openTrinoWarehouse } = await import('../../engines/trino/warehouse/warehouse.ts');
    if (connection.kind !== 'trino') throw mismatch(connection);
    return openTrinoWarehouse({ ...connection, ...(address && { address }) });
  },
};

const snowflake: WarehouseAdapter = {
  kind: 'snowflake',
  dialect: 'snowflake',
  atOnce: CLUSTER_STATEMENTS,
  async open(connection, { projectFolder }) {
    const { openSnowflakeWarehouse } = await import('../../engines/snowflake/warehouse/warehouse.ts');
    if (connection.kind !== 'snowflake') throw mismatch(connection);
    return openSnowflakeWarehouse({ ...connection, projectFolder });
  },
};

const bigquery: WarehouseAdapter = {
  kind: 'bigquery',
  dialect: 'bigquery',
  atOnce: CLUSTER_STATEMENTS,
  async open(connection, { address, projectFolder, fromOperator = false }) {
    const { openBigqueryWarehouse } = await import('../../engines/bigquery/warehouse/warehouse.ts');
    if (connection.kind !== 'bigquery') throw mismatch(connection);
    return openBigqueryWarehouse({ ...connection, projectFolder, fromOperator, ...(address && { address }) });
  },
};

const databricks: WarehouseAdapter = {
  kind: 'databricks',
  dialect: 'databricks',
  atOnce: SERVER_STATEMENTS,
  async open(connection, { projectFolder }) {
    const { openDatabricksWarehouse } = await import('../../engines/databricks/warehouse/warehouse.ts');
    if (connection.kind !== 'databricks') throw mismatch(connection);
    return openDatabricksWarehouse({ ...connection, projectFolder });
  },
};

const sqlserver: WarehouseAdapter = {
  kind: 'sqlserver',
  dialect: 'sqlserver',
  atOnce: SERVER_STATEMENTS,
  async open(connection, { address, projectFolder }) {
    const { openSqlserverWarehouse } = await import('../../engines/sqlserver/warehouse/warehouse.ts');
    if (connection.kind !== 'sqlserver') throw mismatch(connection);
    return openSqlserverWarehouse({ ...connection, projectFolder, ...(address && { address }) });
  },
};

export const OUR_ADAPTERS: readonly WarehouseAdapter[] = [
  duckdb,
  postgres,
  mysql,
  clickhouse,
  trino,
  redshift,
  snowflake,
  bigquery,
  databricks,
  sqlserver,
];

const mismatch = (connection: OpenableConnection) =>
  new Problem('internal', `A connection of kind "${connection.kind}" was given to another adapter.`);
