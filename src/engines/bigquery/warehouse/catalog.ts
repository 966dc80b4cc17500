// Reads the tables of a project through the REST API, which is free of charge. BigQuery doesn't enforce declared keys,
// so svc infers keys from the values.
import { createCatalogTable } from '../../../adapters/warehouse/catalog-tables.ts';
import type { CatalogTable } from '../../../domain/ports.ts';
import { type BigqueryField, toDatatype, toNativeType } from './cells.ts';
import type { ApiCaller, BigqueryOptions } from './protocol.ts';

const MAX_CONCURRENT_READS = 8;
const VIEW_TYPES = new Set(['VIEW', 'MATERIALIZED_VIEW']);

/** A lens omits the project from the names of tables in the connection's own project. */
interface VisibleDataset {
  project: string;
  dataset: string;
  isInOwnProject: boolean;
}
export interface TableMetadata {
  type?: string;
  description?: string;
  numRows?: string;
  schema?: { fields?: BigqueryField[] };
}
interface ApiListPage<Key extends string, One> {
  nextPageToken?: string;
  datasets?: Key extends 'datasets' ? One[] : never;
  tables?: Key extends 'tables' ? One[] : never;
}

export async function fetchVisibleDatasets(
  call: ApiCaller,
  { project, dataset, datasets }: Pick<BigqueryOptions, 'project' | 'dataset' | 'datasets'>,
): Promise<VisibleDataset[]> {
  const ownDatasets = dataset
    ? [dataset]
    : (await fetchAllPages<{ datasetReference: { datasetId: string } }>(call, `${project}/datasets`, 'datasets')).map(
        ({ datasetReference }) => datasetReference.datasetId,
      );
  const otherDatasets = datasets.map((dataset): VisibleDataset => {
    const [name = '', projectName] = dataset.split('.').reverse();
    return {
      project: projectName ?? project,
      dataset: name,
      isInOwnProject: projectName === undefined || projectName === project,
    };
  });
  const allDatasets = [
    ...ownDatasets.map((name): VisibleDataset => ({ project, dataset: name, isInOwnProject: true })),
    ...otherDatasets,
  ];
  return allDatasets.filter(
    (item, index) =>
      allDatasets.findIndex(({ project, dataset }) => project === item.project && dataset === item.dataset) === index,
  );
}

export async function readBigqueryCatalog(
  call: ApiCaller,
  options: Pick<BigqueryOptions, 'project' | 'dataset' | 'datasets'>,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (done: number, total: number) => void },
): Promise<CatalogTable[]> {
  const listedTables: { visibleDataset: VisibleDataset; table: string }[] = [];
  for (const visibleDataset of await fetchVisibleDatasets(call, options)) {
    const path = `${visibleDataset.project}/datasets/${visibleDataset.dataset}/tables`;
    const listedItems = await fetchAllPages<{ tableReference: { tableId: string } }>(call, path, 'tables');
    listedTables.push(...listedItems.map(({ tableReference }) => ({ visibleDataset, table: tableReference.tableId })));
  }
  const tables: CatalogTable[] = [];
  for (let start = 0; start < listedTables.length; start += MAX_CONCURRENT_READS) {
    signal?.throwIfAborted();
    const batch = listedTables.slice(start, start + MAX_CONCURRENT_READS);
    tables.push(
      ...(await Promise.all(batch.map(({ visibleDataset, table }) => readTable(call, visibleDataset, table)))),
    );
    onProgress?.(tables.length, listedTables.length);
  }
  return tables.filter(({ columns }) => columns.length > 0);
}

export const fetchTableMetadata = (
  call: ApiCaller,
  project: string,
  dataset: string,
  table: string,
): Promise<TableMetadata> => call('GET', `${project}/datasets/${dataset}/tables/${encodeURIComponent(table)}`);

async function readTable(
  call: ApiCaller,
  { project, dataset, isInOwnProject }: VisibleDataset,
  table: string,
): Promise<CatalogTable> {
  const metadata = await fetchTableMetadata(call, project, dataset, table);
  const isView = VIEW_TYPES.has(metadata.type ?? '');
  const properties = { isView, comment: metadata.description, rows: isView ? null : metadata.numRows };
  return {
    ...createCatalogTable(dataset, table, { ...properties, catalog: isInOwnProject ? null : project }),
    columns: (metadata.schema?.fields ?? []).map((field) => ({
      name: field.name,
      datatype: toDatatype(field),
      nativeType: toNativeType(field),
      nullable: field.mode !== 'REQUIRED',
      comment: field.description || null,
    })),
  };
}

async function fetchAllPages<One>(call: ApiCaller, path: string, key: 'datasets' | 'tables'): Promise<One[]> {
  const items: One[] = [];
  let pageToken: string | undefined;
  do {
    const page: ApiListPage<typeof key, One> = await call('GET', path, { query: { maxResults: '1000', pageToken } });
    items.push(...(page[key] ?? []));
    pageToken = page.nextPageToken;
  } while (pageToken);
  return items;
}
