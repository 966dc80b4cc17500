// Error messages never repeat a connection URL, because it can contain a password.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ConnectionConfig } from '../contract/files/connection-settings.ts';
import { ENGINES } from '../engines/engines.ts';
import { Failure } from './terminal/failure.ts';

export interface NamedConnection {
  name: string;
  config: ConnectionConfig;
}

export const isConnectionUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

export function readConnectionUrl(text: string): NamedConnection {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new Failure('The URL is not valid. Write it like postgres://user:password@host:5432/database.', 2);
  }
  const engineKind = ENGINES.find(({ schemes }) => schemes.includes(url.protocol.slice(0, -1)))?.kind;
  if (!engineKind)
    throw new Failure(
      'The URL must start with postgres://, mysql://, clickhouse://, trino://, redshift://, snowflake://, bigquery://, databricks:// or sqlserver://.',
      2,
    );
  if (engineKind === 'bigquery') return readBigqueryUrl(url);
  const database = decodeURIComponent(url.pathname.slice(1));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const missingParts = [!host && 'host', !url.username && 'user', !database && 'database'].filter(Boolean);
  if (missingParts.length > 0) throw new Failure(`Missing in the URL: ${missingParts.join(', ')}.`, 2);
  if (engineKind === 'databricks')
    return {
      name: toConnectionName(database),
      config: { kind: engineKind, host, ...toDatabricksConfig(url, database) },
    };
  return {
    name: toConnectionName(database),
    config: {
      kind: engineKind,
      ...(engineKind === 'snowflake' ? toSnowflakeConfig(host, url.searchParams) : { host }),
      ...(url.port ? { port: Number(url.port) } : {}),
      ...(engineKind === 'trino'
        ? parseNamespace(database, 'catalog')
        : engineKind === 'snowflake'
          ? parseNamespace(database, 'database')
          : { database }),
      user: decodeURIComponent(url.username),
      ...(url.password ? { password: decodeURIComponent(url.password) } : {}),
      ssl: parseSslOptions(url.searchParams, host),
    },
  };
}

/** The Snowflake account determines the host. A Snowflake host on this machine is an emulator. */
function toSnowflakeConfig(host: string, query: URLSearchParams): Record<string, unknown> {
  const [warehouse, role] = [query.get('warehouse'), query.get('role')];
  return {
    ...(isLocalHost(host) ? { account: 'local', host } : { account: host.replace(/\.snowflakecomputing\.\w+$/i, '') }),
    ...(/\.snowflakecomputing\.\w+$/i.test(host) && { host }),
    ...(warehouse && { warehouse }),
    ...(role && { role }),
  };
}

const toConnectionName = (database: string): string =>
  database
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 40) || 'warehouse';

/** Reads bigquery://project/dataset?location=EU&key_file=key.json. `emulator=host:port` is for tests. */
function readBigqueryUrl({ hostname: project, pathname, searchParams }: URL): NamedConnection {
  if (!project) throw new Failure('The URL has no project. Write it like bigquery://project/dataset.', 2);
  const dataset = decodeURIComponent(pathname.slice(1));
  const location = searchParams.get('location');
  const [host, port] = (searchParams.get('emulator') ?? '').split(':');
  return {
    name: toConnectionName(dataset || project),
    config: {
      kind: 'bigquery',
      project,
      ...(dataset && { dataset }),
      ...(location && { location }),
      ...(host ? { host, ...(port && { port: Number(port) }) } : readServiceKey(searchParams.get('key_file'))),
    },
  };
}

function readServiceKey(path: string | null): { client_email: string; private_key: string } {
  if (!path) throw new Failure('svc needs a service account: add ?key_file=key.json to the URL.', 2);
  let key: { client_email?: unknown; private_key?: unknown };
  try {
    key = JSON.parse(readFileSync(path, 'utf8')) as typeof key;
  } catch {
    throw new Failure('Can’t read the key file of the service account.', 2);
  }
  const { client_email, private_key } = key;
  if (typeof client_email !== 'string' || typeof private_key !== 'string')
    throw new Failure('This is not the key file of a service account: client_email and private_key are missing.', 2);
  return { client_email, private_key };
}

/** Reads databricks://token:…@host/catalog/schema?http_path=/sql/1.0/warehouses/… */
function toDatabricksConfig(url: URL, database: string): Record<string, unknown> {
  const path = url.searchParams.get('http_path');
  if (!path) throw new Failure('The URL has no path to a SQL warehouse: add ?http_path=/sql/1.0/warehouses/…', 2);
  const token = decodeURIComponent(url.password);
  return {
    ...(url.port ? { port: Number(url.port) } : {}),
    http_path: path,
    ...parseNamespace(database, 'catalog'),
    ...(token && { token }),
  };
}

/** Reads a path of the form catalog/schema, or only catalog. */
function parseNamespace(path: string, outerMember: 'catalog' | 'database'): Record<string, unknown> {
  const [name = '', schema] = path.split('/');
  return { [outerMember]: name, ...(schema && { schema }) };
}

const isLocalHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** Interprets sslmode and sslrootcert like libpq. By default, every host except this machine requires TLS. */
function parseSslOptions(query: URLSearchParams, host: string): boolean | { verify?: boolean; ca?: string } {
  const mode = (query.get('sslmode') ?? query.get('ssl-mode'))?.toLowerCase().replace('_', '-') ?? null;
  const authority = query.get('sslrootcert');
  if (mode === 'disable' || mode === 'disabled') return false;
  if (authority) return { ca: readAuthorityFile(authority) };
  if (mode === 'require' || mode === 'required' || mode === 'no-verify') return { verify: false };
  if (mode?.startsWith('verify')) return true;
  return !isLocalHost(host);
}

function readAuthorityFile(path: string): string {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Failure('Can’t read the file in sslrootcert.', 2);
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new Failure('The file in sslrootcert has no PEM certificate.', 2);
  return text;
}
