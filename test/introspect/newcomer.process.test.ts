import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { MARIADB_MISSING, NEEDS_MARIADB, READER, startTestMariadb } from '../support/mariadb.ts';
import { startSvc, svcSays } from '../support/own-process.ts';
import { connect, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MINUTES = 300_000;
const folder = await temporaryFolder();
const project = join(folder, 'project');
await mkdir(join(project, 'data'), { recursive: true });
const server = await startSvc(join(folder, 'home'), { SVC_PROJECT: project });

/** Runs a command in the project folder, and returns its output if it succeeds. */
async function runSvc(...args: string[]): Promise<string> {
  const { code, out, said } = await svcSays(args, { SVC_HOME: join(folder, 'home') }, project);
  if (code !== 0)
    throw new Error(`svc ${args.join(' ')} ended with ${code}:
${said}`);
  return out;
}
/** The question that the output of a command proposes at its end. */
const parseProposal = (output: string): string[] => /svc ask (\S+) "(.+)"/.exec(output)!.slice(1);

test(
  'goes from a Postgres URL to verified answers with introspect --publish and ask',
  async () => {
    const url = await createDatabase(`
      create table customers (customer_id int primary key, name text, country text);
      create table orders (order_id int primary key, customer_id int references customers, placed_on date, amount numeric(12, 2));
      insert into customers values (1, 'Ann', 'France'), (2, 'Bob', 'France'), (3, 'Cem', 'Turkey');
      insert into orders select g, 1 + g % 3, date '2024-01-01' + g, g * 1.25 from generate_series(1, 30) g;`);
    const output = await runSvc('introspect', url, '--publish', '--as', 'core', '--lens', 'sales');
    expect(output).toContain('Lens "sales" over 2 tables is published, granted to quickstart.');
    expect(await runSvc('ask', ...parseProposal(output))).toContain('Confidence: verified');
    const answerText = await runSvc('ask', 'sales', 'How many customers are there by country?');
    expect(answerText).toMatch(/France: 2; Turkey: 1[\s\S]*Confidence: verified/);
    expect(await runSvc('ask', 'sales', 'total amount of orders by customer country')).toMatch(
      /France: 387\.50?; Turkey: 193\.75[\s\S]*Confidence: partial/,
    );
    expect(output).toMatch(/Inferred facts: \d+\. .*: npx svc lens facts sales\./);
    expect(output).not.toContain('lens.yaml');
    // The user gets the lens as files, which match the published lens.
    const filesFolder = join(project, 'kept');
    expect(await runSvc('export', filesFolder)).toMatch(/^[1-9]\d* files written/);
    expect(await readFile(join(filesFolder, 'lenses/sales/lens.yaml'), 'utf8')).toContain('origin: inferred');
    expect(await runSvc('plan', filesFolder)).not.toMatch(/^ {2}[-~] lens/m);
  },
  MINUTES,
);

test(
  'leaves no new connection after a failed introspection, and keeps an existing one',
  async () => {
    const url = await createDatabase();
    const countConnections = async () => {
      const headers = { authorization: `Bearer ${server.adminToken}` };
      const reply = await fetch(`${server.baseUrl}/mgmt/connections`, { headers });
      return ((await reply.json()) as { items: { name: string }[] }).items.map(({ name }) => name);
    };
    const before = await countConnections();
    await expect(runSvc('introspect', url, '--publish', '--as', 'barren')).rejects.toThrow(/no table/);
    expect(await countConnections()).toEqual(before);
    const away = url.replace(/:\d+\//, ':1/');
    await expect(runSvc('introspect', away, '--as', 'away')).rejects.toThrow(/ended with 1/);
    expect(await countConnections()).toEqual(before);
    const client = await connect(url);
    await client.query('create table things (id int primary key, name text)');
    await client.end();
    await runSvc('introspect', url, '--as', 'later');
    await expect(runSvc('introspect', url, '--as', 'later', '--table', 'nowhere')).rejects.toThrow(/None of these/);
    expect(await countConnections()).toEqual([...before, 'later'].sort());
  },
  MINUTES,
);

test(
  'drafts and answers from a .duckdb file and from a folder of CSV and Parquet files',
  async () => {
    const instance = await DuckDBInstance.create(join(project, 'data/lake.duckdb'));
    const connection = await instance.connect();
    await connection.run("create table trips as select i as trip_id, 'A' || (i % 3) as city from range(9) t(i)");
    await mkdir(join(project, 'data/shop'));
    await connection.run(
      `copy (select i as item_id, 'lamp' as name from range(4) t(i)) to '${project}/data/shop/items.parquet'`,
    );
    connection.closeSync();
    instance.closeSync();
    await writeFile(
      join(project, 'data/shop/Sales 2024.csv'),
      'sale_id,item_id,price\n1,1,10.10\n2,1,20.20\n3,2,0.30\n',
    );
    expect(
      await runSvc('ask', ...parseProposal(await runSvc('introspect', './data/lake.duckdb', '--publish'))),
    ).toContain('verified');
    const files = await runSvc('introspect', 'data/shop', '--publish');
    expect(files).toContain('Lens "shop" over 2 tables is published');
    expect(await runSvc('ask', ...parseProposal(files))).toContain('Confidence: verified');
    expect(await runSvc('ask', 'shop', 'average price')).toMatch(/10\.2\b[\s\S]*Confidence: verified/);
    await mkdir(join(project, 'other/shop'), { recursive: true });
    await writeFile(join(project, 'other/shop/visits.csv'), 'visit_id\n1\n');
    await expect(runSvc('introspect', 'other/shop', '--publish')).rejects.toThrow(
      /"shop" to another database already exists/,
    );
  },
  MINUTES,
);

test(
  'goes from files to a verified answer with apply, introspect --out, apply and ask',
  async () => {
    await writeFile(join(project, 'data/visits.csv'), 'visit_id,city\n1,Rome\n2,Rome\n3,Oslo\n');
    const config = 'connections:\n  visits: {kind: duckdb, files: {visits: {path: ./data/visits.csv}}}\ngroups: {}\n';
    await writeFile(join(project, 'svc.config.yaml'), config);
    await runSvc('apply', '.');
    const introspection = await runSvc('introspect', 'visits', '--out', '.');
    expect(introspection).toContain('Review the draft, then run: npx svc apply .');
    expect(await runSvc('plan', '.')).toContain('+ lens visits');
    await runSvc('apply', '.');
    expect(await runSvc('apply', '.')).toContain('No changes');
    expect(await runSvc('ask', ...parseProposal(introspection))).toContain('Confidence: verified');
    await writeFile(join(project, 'lenses/visits/lens.yaml'), 'name: [visits\n');
    const planMessage = await runSvc('plan', '.').catch((fault: Error) => fault.message);
    expect(planMessage).toMatch(
      /ended with 1:[\s\S]*Error: lenses\/visits\/lens.yaml:\d+:\d+: [\s\S]*svc apply would fail/,
    );
    expect(planMessage).not.toMatch(/No changes|^ {2}- /m);
  },
  MINUTES,
);

test.skipIf(MARIADB_MISSING)(
  `goes from a MySQL URL to a verified answer${NEEDS_MARIADB}`,
  async () => {
    const mariadb = await startTestMariadb();
    try {
      await mariadb.run(
        'create table shop.`group` (id int primary key, `größe` decimal(12, 2), city varchar(20))',
        "insert into shop.`group` values (1, 1.25, 'Rome'), (2, 2.5, 'Rome'), (3, 4, 'Oslo')",
      );
      const url = `mysql://${READER.user}:${encodeURIComponent(READER.password)}@127.0.0.1:${mariadb.port}/shop`;
      const output = await runSvc('introspect', url, '--publish', '--as', 'maria', '--lens', 'maria');
      expect(output).toContain('Lens "maria" over 1 table is published');
      expect(await runSvc('ask', ...parseProposal(output))).toContain('Confidence: verified');
    } finally {
      await mariadb.stop();
    }
  },
  MINUTES,
);
