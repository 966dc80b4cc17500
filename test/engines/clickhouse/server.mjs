// The real ClickHouse engine (chdb, in this process) behind the part of ClickHouse's HTTP interface that its client
// uses: settings and parameters in the URL, formats, exception codes, and cancellation when the client disconnects.
// Usage: node server.mjs FOLDER_WITH_CHDB DATA_FOLDER [USERS_XML] [KEY_AND_CERTIFICATE]. Prints its port. Without a
// users file, the login has all rights. GET /log returns the statements that reached the engine, /tags their comments,
// and /running the number of running statements.
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [folder, data, users, pem] = process.argv.slice(2);
const { Session } = createRequire(join(folder, 'package.json'))('chdb');
const config = join(data, '..', 'server.xml');
if (users) writeFileSync(config, `<clickhouse><users_config>${users}</users_config></clickhouse>`);
const connectionArgs = users ? [`--config-file=${config}`] : [];
/** An open session keeps the engine running. */
const engine = new Session(data, { connectionArgs });
const log = [];
const tags = [];
let running = 0;

/** Keys in the URL that the interface handles. All others are settings or parameters. */
const OWN = new Set(['query', 'query_id', 'session_id', 'session_timeout', 'default_format', 'database']);
/** Settings that the interface implements and the engine never gets. */
const OF_INTERFACE = new Set([
  'cancel_http_readonly_queries_on_client_close',
  'enable_http_compression',
  'wait_end_of_query',
]);
const text = (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

async function run(session, address, sql) {
  const database = address.searchParams.get('database');
  if (database) session.query(`use \`${database}\``);
  const given = [...address.searchParams].filter(([name]) => !OWN.has(name) && !OF_INTERFACE.has(name));
  // As in the server, `readonly` comes last, so that the other settings of the request still apply.
  given.sort(([a], [b]) => Number(a === 'readonly') - Number(b === 'readonly'));
  for (const [name, value] of given) {
    const set = name.startsWith('param_') ? text(value) : /^-?\d+(\.\d+)?$/.test(value) ? value : text(value);
    session.query(`set ${name} = ${set}`);
  }
  log.push(sql);
  tags.push(address.searchParams.get('log_comment'));
  running++;
  const format = address.searchParams.get('default_format') ?? 'TabSeparated';
  const answered = await session.queryAsync(sql, { format }).finally(() => running--);
  return answered.bytes();
}

const answer = async (request, response) => {
  const address = new URL(request.url, 'http://localhost');
  if (address.pathname === '/ping') return response.end('Ok.\n');
  if (address.pathname === '/tags') return response.end(JSON.stringify(tags.splice(0)));
  if (address.pathname === '/running') return response.end(String(running));
  if (address.pathname === '/log') return response.end(JSON.stringify(log.splice(0)));
  const password = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
  if (password !== 'reader:reads only') {
    response.writeHead(403, { 'x-clickhouse-exception-code': '516' });
    return response.end(
      'Code: 516. DB::Exception: reader: Authentication failed: password is incorrect. (AUTHENTICATION_FAILED)',
    );
  }
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const sql = (address.searchParams.get('query') ?? '') + Buffer.concat(chunks).toString();
  const session = new Session(data, { connectionArgs });
  let over = false;
  response.on('close', () => {
    if (over || address.searchParams.get('cancel_http_readonly_queries_on_client_close') !== '1') return;
    const killer = new Session(data, { connectionArgs });
    killer.query(`kill query where query = ${text(sql)} async`);
    killer.close();
  });
  try {
    const bytes = await run(session, address, sql);
    response.writeHead(200, { 'x-clickhouse-query-id': address.searchParams.get('query_id') ?? '' });
    response.end(bytes);
  } catch (error) {
    const message = String(error.message).replace(/^Query failed: /, '');
    if (process.env['ENGINE_FAULTS']) process.stderr.write(`${sql}\n${message}\n\n`);
    const code = /Code: (\d+)/.exec(message)?.[1] ?? '1000';
    response.writeHead(500, { 'x-clickhouse-exception-code': code });
    response.end(message);
  } finally {
    over = true;
    session.close();
  }
};
const server = pem ? https.createServer({ key: pem, cert: pem }, answer) : http.createServer(answer);
server.listen(0, pem ? 'localhost' : '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.on('SIGTERM', () => {
  engine.close();
  process.exit(0);
});
