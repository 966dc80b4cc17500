// Configures `@databricks/sql` to keep every digit and to send nothing to other hosts.
import { loadClient } from '../../../adapters/warehouse/optional-client.ts';

export interface DatabricksOptions {
  host: string;
  port: number;
  http_path: string;
  catalog: string;
  schema?: string | undefined;
  token: string;
  ca?: string | undefined;
  projectFolder?: string | undefined;
}

export interface Operation {
  iterateChunks(options: { maxRows: number; autoClose: boolean }): AsyncIterable<Record<string, unknown>[]>;
  cancel(): Promise<unknown>;
  close(): Promise<unknown>;
}
export interface Session {
  executeStatement(
    statement: string,
    options: {
      maxRows: number;
      useCloudFetch: boolean;
      ordinalParameters?: object[];
      queryTags: Record<string, string>;
    },
  ): Promise<Operation>;
  close(): Promise<unknown>;
}
interface Client {
  getConfig(): object;
  connect(options: object): Promise<unknown>;
  openSession(request: {
    initialCatalog: string;
    initialSchema?: string;
    configuration: Record<string, string>;
  }): Promise<Session>;
  close(): Promise<void>;
}
interface ClientModule {
  DBSQLClient: new (options: { logger: { log(): void } }) => Client;
  DBSQLParameter: new (parameter: { type: string; value: string | null }) => object;
}

export interface DatabricksConnection {
  openSession: Client['openSession'];
  parameter(type: string, value: string | null): object;
  close(): Promise<void>;
}

export async function connectDatabricks(options: DatabricksOptions): Promise<DatabricksConnection> {
  const { DBSQLClient, DBSQLParameter } = await loadClient<ClientModule>(
    'databricks',
    '@databricks/sql@2',
    options.projectFolder,
  );
  const client = new DBSQLClient({ logger: { log: () => undefined } });
  // With these options, the client returns times and decimals as strings, and reads no results from cloud storage.
  Object.assign(client.getConfig(), { useArrowNativeTypes: false, useCloudFetch: false });
  let connecting: Promise<unknown> | undefined;
  return {
    async openSession(request) {
      connecting ??= client.connect({
        host: options.host,
        port: options.port,
        path: options.http_path,
        authType: 'access-token',
        token: options.token,
        userAgentEntry: 'svc',
        telemetryEnabled: false,
        preserveBigNumericPrecision: true,
        retryMaxAttempts: 2,
        retriesTimeout: 10_000,
        ...(options.ca && { customCaCert: options.ca }),
      });
      try {
        await connecting;
      } catch (fault) {
        connecting = undefined;
        throw fault;
      }
      return client.openSession(request);
    },
    parameter: (type, value) => new DBSQLParameter({ type, value }),
    close: () => client.close(),
  };
}
