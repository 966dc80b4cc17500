export interface ConnectionForm {
  kind: 'postgres' | 'mysql' | 'duckdb' | 'other';
  name: string;
  host: string;
  port: string;
  database: string;
  user: string;
  password: string;
  ssl: boolean;
  path: string;
  members: string;
}

export const EMPTY_CONNECTION_FORM: ConnectionForm = {
  kind: 'postgres',
  name: '',
  host: '',
  port: '',
  database: '',
  user: '',
  password: '',
  ssl: true,
  path: '',
  members: '{"kind": ""}',
};
const LOCAL_HOST_PATTERN = /^(localhost|127\.|\[?::1)/;
const toConnectionName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, 40);

/** A URL in the host field fills the other fields, and the connection is named after the database. */
export function changeAddressField(address: ConnectionForm, key: keyof ConnectionForm, value: string): ConnectionForm {
  const url = key === 'host' ? parseConnectionUrl(value) : null;
  const changedAddress = url ? { ...address, ...url } : { ...address, [key]: value };
  if (key === 'host') changedAddress.ssl = !LOCAL_HOST_PATTERN.test(changedAddress.host);
  const nameFollowsDatabase = address.name === '' || address.name === toConnectionName(address.database);
  return key !== 'name' && nameFollowsDatabase && changedAddress.database
    ? { ...changedAddress, name: toConnectionName(changedAddress.database) }
    : changedAddress;
}

function parseConnectionUrl(text: string): Partial<ConnectionForm> | null {
  if (!/^(postgres(ql)?|mysql|mariadb):\/\//.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text.replace(/^[a-z]+:/, 'http:')); // `URL` finds the host, port and user only in URLs with a known scheme
  return {
    kind: text.startsWith('postgres') ? 'postgres' : 'mysql',
    host: url.hostname,
    port: url.port,
    database: decodeURIComponent(url.pathname.slice(1)),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
}

export function toConnectionConfig(address: ConnectionForm): Record<string, unknown> {
  const { kind, host, port, database, user, password, ssl, path, members } = address;
  if (kind === 'duckdb') return { kind, path };
  if (kind !== 'other')
    return {
      kind,
      host,
      database,
      user,
      ssl,
      ...(port ? { port: Number(port) } : {}),
      ...(password ? { password } : {}),
    };
  try {
    return JSON.parse(members) as Record<string, unknown>;
  } catch {
    throw new Error('This is not valid JSON.');
  }
}
