// Speaks Trino's protocol and takes its time: every statement over rows waits so long as /wait was last told, all of them at
// once; what is asked about itself is answered at once. Says the most that it held at one time.
import { createServer } from 'node:http';

const COLUMNS = ['job_id integer', 'kind varchar', 'price decimal(12, 2)'].map((column) => [
  'shop',
  'jobs',
  column.split(' ')[0],
  column.slice(column.indexOf(' ') + 1),
  'YES',
]);
let wait = 0;
let held = 0;
let most = 0;
let statements = 0;
const begun = new Map();

const finished = (columns, data) => JSON.stringify({ id: 'x', columns, data, stats: { state: 'FINISHED' } });
const typed = (...names) => names.map((name) => ({ name, type: 'varchar' }));
function answer(sql) {
  if (sql.includes('information_schema.tables'))
    return finished(typed('a', 'b', 'c'), [['shop', 'jobs', 'BASE TABLE']]);
  if (sql.includes('information_schema.columns')) return finished(typed('a', 'b', 'c', 'd', 'e'), COLUMNS);
  const names = [...sql.split(/ from /i)[0].matchAll(/ as "?(\w+)"?/gi)].map(([, name]) => name);
  return finished(
    (names.length > 0 ? names : ['one']).map((name) => ({ name, type: 'bigint' })),
    [(names.length > 0 ? names : ['one']).map(() => 1)],
  );
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const sql = Buffer.concat(chunks).toString();
  if (request.url === '/wait') {
    wait = Number(sql);
    [most, statements] = [0, 0];
    return response.end();
  }
  if (request.url === '/most') return response.end(JSON.stringify({ most, statements }));
  if (request.method === 'DELETE') return response.writeHead(204).end();
  if (request.method === 'POST') {
    if (sql.startsWith('start transaction')) {
      response.setHeader('x-trino-started-transaction-id', 'one');
      return response.end(finished([], []));
    }
    if (sql === 'rollback' || sql.includes('information_schema')) return response.end(answer(sql));
    const id = String(++statements);
    begun.set(id, { sql, until: performance.now() + wait });
    most = Math.max(most, ++held);
    return response.end(JSON.stringify({ id, nextUri: `http://elsewhere/v1/statement/executing/${id}`, stats: {} }));
  }
  // As Trino does, a page that is not there yet is waited for up to a second.
  const id = request.url.split('/').at(-1);
  const { sql: asked, until } = begun.get(id);
  const left = until - performance.now();
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, Math.min(left, 1_000))));
  if (left > 1_000) {
    return response.end(JSON.stringify({ id, nextUri: `http://elsewhere/v1/statement/executing/${id}`, stats: {} }));
  }
  begun.delete(id);
  held--;
  response.end(answer(asked));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
