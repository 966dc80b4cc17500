// A PostgreSQL server that accepts Redshift's SQL: its views and functions exist in the database, and a proxy renames
// its settings and quotes its units. It tests the requests and results of the adapter, but not the behavior of Redshift
// itself.
import net from 'node:net';
import pg from 'pg';
import { listenLocally } from './local-server.ts';
import { untilFileEnds } from './until-file-ends.ts';

export interface TestRedshift {
  port: number;
  /** Every statement from clients, as sent. */
  log: string[];
}

const OWN_SETTINGS = /\b(set (?:local |session )?)(query_group|enable_case_sensitive_identifier)\b/gi;
const UNITS = /\b(dateadd|datediff|date_part)\((\w+),/g;
const translateSettings = (text: string): string =>
  text
    .replace(OWN_SETTINGS, '$1redshift.$2')
    .replace(UNITS, "$1('$2',")
    .replace('version()', "'PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC, Redshift 1.0.77467'::text");

export async function startTestRedshift(databaseUrl: string): Promise<TestRedshift> {
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  await owner.query('set allow_system_table_mods = on');
  for (const statement of FIXTURES) await owner.query(statement);
  await owner.end();
  const { hostname, port } = new URL(databaseUrl);
  const log: string[] = [];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const behind = net.connect(Number(port), hostname);
    for (const socket of [client, behind]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        behind.destroy();
      });
    }
    behind.pipe(client);
    let receivedBytes = Buffer.alloc(0);
    let isStarted = false;
    client.on('data', (data: Buffer) => {
      receivedBytes = Buffer.concat([receivedBytes, data]);
      for (;;) {
        const head = isStarted ? 1 : 0;
        if (receivedBytes.length < head + 4) return;
        const length = head + receivedBytes.readInt32BE(head);
        if (receivedBytes.length < length) return;
        const message = receivedBytes.subarray(0, length);
        receivedBytes = receivedBytes.subarray(length);
        behind.write(isStarted ? convertMessage(message, log) : message);
        isStarted = true;
      }
    });
  });
  const ownServer = await listenLocally(server);
  untilFileEnds(() => {
    for (const socket of sockets) socket.destroy();
  });
  return { port: ownServer.port, log };
}

/** Logs and converts the SQL in Query and Parse messages. In Parse, the name of the statement precedes the SQL. */
function convertMessage(message: Buffer, log: string[]): Buffer {
  const type = String.fromCharCode(message[0]!);
  if (type !== 'Q' && type !== 'P') return message;
  const from = type === 'Q' ? 5 : message.indexOf(0, 5) + 1;
  const to = message.indexOf(0, from);
  const text = message.toString('utf8', from, to);
  log.push(text);
  const body = Buffer.concat([message.subarray(5, from), Buffer.from(translateSettings(text)), message.subarray(to)]);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const SQL = (name: string, args: string, returns: string, body: string): string =>
  `create or replace function pg_catalog.${name}(${args}) returns ${returns} language sql stable as $$ select ${body} $$`;
const ADDED =
  "$3 + ($2 || ' ' || replace($1, 'quarter', 'month'))::interval * case $1 when 'quarter' then 3 else 1 end";
const FIXTURES = [
  SQL('dateadd', 'text, bigint, timestamp', 'timestamp', ADDED),
  SQL('dateadd', 'text, bigint, timestamptz', 'timestamptz', ADDED),
  SQL('datediff', 'text, date, date', 'bigint', '($3 - $2)::bigint'),
  SQL('getdate', '', 'timestamp', "now() at time zone 'UTC'"),
  SQL('nvl', 'anyelement, anyelement', 'anyelement', 'coalesce($1, $2)'),
  SQL('svc_median', 'float8[]', 'float8', 'percentile_cont(0.5) within group (order by x) from unnest($1) x'),
  'create or replace aggregate pg_catalog.median(float8) (sfunc = array_append, stype = float8[], finalfunc = pg_catalog.svc_median)',
  `create or replace view pg_catalog.svv_tables as select table_catalog, table_schema, table_name, table_type,
    obj_description(format('%I.%I', table_schema, table_name)::regclass, 'pg_class')::text as remarks
    from information_schema.tables`,
  `create or replace view pg_catalog.svv_columns as select table_catalog, table_schema, table_name, column_name,
    ordinal_position, is_nullable, data_type, character_maximum_length, numeric_precision, numeric_scale,
    col_description(format('%I.%I', table_schema, table_name)::regclass, ordinal_position)::text as remarks
    from information_schema.columns`,
  'grant select on pg_catalog.svv_tables, pg_catalog.svv_columns to public',
];
