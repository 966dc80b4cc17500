import type { Warehouse } from '../../../domain/ports.ts';
import type { OpenContext } from '../../engine.ts';
import { locateFile, readFileStamp } from './connection-files.ts';
import { buildDuckDbFiles, computeFingerprintOfFiles } from './files.ts';
import { openDuckDbWarehouse } from './warehouse.ts';
import { withWorkerProcess } from './worker-process.ts';

type OpenedConnection = { path: string } | { files: Parameters<typeof buildDuckDbFiles>[0] };

export async function openDuckDb(connection: OpenedConnection, context: OpenContext): Promise<Warehouse> {
  const [tenant] = context.owner.split('/') as [string];
  const file =
    'path' in connection
      ? { path: await locateFile(connection.path, context), label: connection.path }
      : {
          path: await buildDuckDbFiles(connection.files, context, context.owner, context.buildLimits),
          label: 'built from files',
        };
  const options = { ...file, tenant };
  return withWorkerProcess(await openDuckDbWarehouse(options), options, tenant);
}

export const computeRevision = async (connection: OpenedConnection, context: OpenContext): Promise<string> =>
  'path' in connection
    ? readFileStamp(await locateFile(connection.path, context))
    : computeFingerprintOfFiles(connection.files, context);
