// postgres://user:password@host:port/database?sslmode=… as the connection that svc stores. Faults never repeat the URL.
import { isIP } from 'node:net';
import { URL_SCHEMES, type UrlKind } from '../contract/config-file.ts';
import { Failure } from './failure.ts';

export interface UrlConnection {
  name: string;
  config: {
    kind: UrlKind;
    host: string;
    port?: number;
    database?: string;
    catalog?: string;
    schema?: string;
    user: string;
    password?: string;
    ssl: boolean | { verify: boolean };
  };
}

export const isConnectionUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

export function readConnectionUrl(text: string): UrlConnection {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new Failure('The URL can not be read. It has the form postgres://user:password@host:5432/database.', 2);
  }
  const kind = URL_SCHEMES[url.protocol.replace(':', '')];
  if (!kind)
    throw new Failure('The URL must start with postgres://, mysql://, clickhouse://, trino:// or redshift://.', 2);
  const database = decodeURIComponent(url.pathname.slice(1));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const missing = [!host && 'a host', !url.username && 'a user', !database && 'a database'].filter(Boolean);
  if (missing.length > 0)
    throw new Failure(`The URL names no ${missing.map((one) => String(one).slice(2)).join(', no ')}.`, 2);
  const name = database
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 40);
  return {
    name: name || 'warehouse',
    config: {
      kind,
      host,
      ...(url.port ? { port: Number(url.port) } : {}),
      ...(kind === 'trino' ? placeIn(database) : { database }),
      user: decodeURIComponent(url.username),
      ...(url.password ? { password: decodeURIComponent(url.password) } : {}),
      ssl: sslOf(url.searchParams.get('sslmode') ?? url.searchParams.get('ssl-mode'), host),
    },
  };
}

/** catalog/schema, or a catalog alone. */
function placeIn(path: string): { catalog: string; schema?: string } {
  const [catalog = '', schema] = path.split('/');
  return { catalog, ...(schema && { schema }) };
}

/** As libpq reads sslmode; unsaid, TLS is expected of every host but this one. */
function sslOf(mode: string | null, host: string): boolean | { verify: boolean } {
  const said = mode?.toLowerCase().replace('_', '-') ?? null;
  if (said === 'disable' || said === 'disabled') return false;
  if (said === 'require' || said === 'required' || said === 'no-verify') return { verify: false };
  if (said?.startsWith('verify')) return true;
  return !(host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.')));
}
