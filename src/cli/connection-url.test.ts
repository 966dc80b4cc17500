import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConnectionUrl } from './connection-url.ts';

test('turns a database URL into a connection named after the database, with decoded parts', () => {
  expect(readConnectionUrl('postgres://re%40der:p%2Fw@db.example.com:6543/Shop%20Data?sslmode=require')).toEqual({
    name: 'shop_data',
    config: {
      kind: 'postgres',
      host: 'db.example.com',
      port: 6543,
      database: 'Shop Data',
      user: 're@der',
      password: 'p/w',
      ssl: { verify: false },
    },
  });
  expect(readConnectionUrl('mariadb://root@[::1]/shop')).toEqual({
    name: 'shop',
    config: { kind: 'mysql', host: '::1', database: 'shop', user: 'root', ssl: false },
  });
  expect(readConnectionUrl('trino://svc@localhost:8080/tpch/tiny')).toEqual({
    name: 'tpch_tiny',
    config: { kind: 'trino', host: 'localhost', port: 8080, catalog: 'tpch', schema: 'tiny', user: 'svc', ssl: false },
  });
  expect(readConnectionUrl('snowflake://svc:p@myorg-prod/ANALYTICS/SHOP?warehouse=ASKS&role=SVC')).toEqual({
    name: 'analytics_shop',
    config: {
      kind: 'snowflake',
      account: 'myorg-prod',
      database: 'ANALYTICS',
      schema: 'SHOP',
      warehouse: 'ASKS',
      role: 'SVC',
      user: 'svc',
      password: 'p',
      ssl: true,
    },
  });
  const http_path = '/sql/1.0/warehouses/abc';
  expect(
    readConnectionUrl(`databricks://token:dapi1@dbc-1.cloud.databricks.com/main/shop?http_path=${http_path}`),
  ).toEqual({
    name: 'main_shop',
    config: {
      kind: 'databricks',
      host: 'dbc-1.cloud.databricks.com',
      http_path,
      catalog: 'main',
      schema: 'shop',
      token: 'dapi1',
    },
  });
  expect(() => readConnectionUrl('databricks://token:x@host/main')).toThrow('http_path');
  for (const scheme of ['sqlserver', 'mssql'])
    expect(readConnectionUrl(`${scheme}://svc:p%40ss@sql.example.com:1444/Shop%20Floor?encrypt=true`)).toEqual({
      name: 'shop_floor',
      config: {
        kind: 'sqlserver',
        host: 'sql.example.com',
        port: 1444,
        database: 'Shop Floor',
        user: 'svc',
        password: 'p@ss',
        ssl: true,
      },
    });
});

test('reads the service account key of a BigQuery URL from its file, and needs none for an emulator', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'svc-key-')), 'key.json');
  const key = { client_email: 'svc@acme-data.iam.gserviceaccount.com', private_key: 'hidden' };
  writeFileSync(file, JSON.stringify({ type: 'service_account', token_uri: 'http://elsewhere', ...key }));
  expect(readConnectionUrl(`bigquery://acme-data/Shop?location=EU&key_file=${encodeURIComponent(file)}`)).toEqual({
    name: 'shop',
    config: { kind: 'bigquery', project: 'acme-data', dataset: 'Shop', location: 'EU', ...key },
  });
  expect(readConnectionUrl('bigquery://acme-data?emulator=127.0.0.1:9050')).toEqual({
    name: 'acme-data',
    config: { kind: 'bigquery', project: 'acme-data', host: '127.0.0.1', port: 9050 },
  });
});

test('requires TLS for every host except localhost, unless the URL says otherwise', () => {
  const sslOf = (host: string, query = '') => readConnectionUrl(`postgres://u@${host}/d${query}`).config.ssl;
  expect([sslOf('localhost'), sslOf('127.0.0.1'), sslOf('10.0.0.5'), sslOf('db.example.com')]).toEqual([
    ...[false, false, true, true],
  ]);
  expect([sslOf('db', '?sslmode=disable'), sslOf('127.0.0.1', '?sslmode=verify-full')]).toEqual([false, true]);
});

test('reads a certificate authority from the file in sslrootcert', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'svc-ca-')), 'ca.pem');
  const pem = '-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n';
  writeFileSync(file, pem);
  const urlOf = (path: string) => `trino://svc:p@localhost:8443/hive/sales?sslrootcert=${encodeURIComponent(path)}`;
  expect(readConnectionUrl(urlOf(file)).config.ssl).toEqual({ ca: pem });
  expect(() => readConnectionUrl(urlOf('nowhere.pem'))).toThrow('read the file in sslrootcert');
  writeFileSync(file, 'no certificate');
  expect(() => readConnectionUrl(urlOf(file))).toThrow('has no PEM certificate');
});

test('names the missing parts of a URL, without repeating its password', () => {
  const faultOf = (url: string): string => {
    try {
      readConnectionUrl(url);
      return '';
    } catch (fault) {
      return (fault as Error).message;
    }
  };
  expect(faultOf('postgres://:hidden@/')).toBe(
    'The URL is not valid. Write it like postgres://user:password@host:5432/database.',
  );
  expect(faultOf('postgres://:hidden@host/')).toBe('Missing in the URL: user, database.');
  expect(faultOf('oracle://u:hidden@host/d')).toBe(
    'The URL must start with postgres://, mysql://, clickhouse://, trino://, redshift://, snowflake://, bigquery://, databricks:// or sqlserver://.',
  );
});
