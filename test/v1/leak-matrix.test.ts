// The data that each reader may see wherever an answer, a name or a value appears. Two organizations use the same names
// of lenses, boards and certified entries for different data, on DuckDB and PostgreSQL. In each, an admin, a curator, a
// viewer with a session behind a row policy, and an agent with a key open everything that either organization created.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { controlPlaneOperations } from '../../src/surfaces/mgmt/index.ts';
import { startTestApp, type TestTenant } from '../support/app.ts';
import { caseRows } from '../support/case-rows.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { lensText } from '../support/lens-text.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ENGINES = ['duckdb', 'postgres'] as const;
type Engine = (typeof ENGINES)[number];
/** The values of an organization: in visible rows, in rows that the policy hides, and in the masked field. */
const WORDS = {
  north: { open: 'Abel Alder', hidden: 'Cleo Marsh', masked: 'Ines Holt', title: 'Norths week' },
  south: { open: 'Yara Ortiz', hidden: 'Zed Novak', masked: 'Omar Reyes', title: 'Souths week' },
};
type Org = keyof typeof WORDS;
const ORGS = Object.keys(WORDS) as Org[];
const ROLES = ['admin', 'curator', 'viewer', 'agent'] as const;
type Role = (typeof ROLES)[number];

const lensOf = (engine: Engine, org: Org) =>
  lensText(`
name: ${engine}
title: ${engine}
description: Orders.
connection: ${engine}
datasets:
  orders: ${engine === 'duckdb' ? 'main' : 'public'}.orders (id integer key, region string auto, seller string auto, customer string mask, amount integer, placed date time) {description: "Orders, one a row."}
metrics:
  revenue: {expression: sum(orders.amount), description: Money in.}
row_policies:
  - {name: own-region, dataset: orders, filter: "orders.region = {caller.region}", groups: [field]}
facts:
  - {kind: time_field, of: orders, says: placed, origin: inferred, evidence: "the order of ${WORDS[org].hidden} has it too"}
`);
/** Only admins and curators may use this lens, so no one else may learn its name. */
const VAULT_LENS = lensText(`
name: vault
title: Vault
description: Coins.
connection: duckdb
datasets:
  coins: main.orders (id integer key) {description: Coins.}
`);
const boardFile = (org: Org) => `title: ${WORDS[org].title}
tiles:
${ENGINES.map((engine) => `  - {lens: ${engine}, plan: {metrics: [revenue], dimensions: [orders.seller]}}`).join('\n')}
  - {lens: duckdb, question: revenue for seller ${WORDS[org].hidden}}
`;
const keys = {} as Record<Org, Record<Role, string>>;
/** Addresses of answers, conversations, boards and tiles that each organization created and shared. */
const createdPaths = {} as Record<Org, Record<Engine, Record<string, string>>>;
const folder = await temporaryFolder();
await writeFile(join(folder, 'svc.config.yaml'), '{}\n');
const projects = {} as Record<Org, Record<string, string>>;
for (const org of ORGS) {
  const url = await createDatabase(...tableOf(org));
  await createDuckdbFile(join(folder, `${org}.duckdb`), ...tableOf(org));
  const connections = { duckdb: { kind: 'duckdb', path: `${org}.duckdb` }, postgres: connectionTo(url) };
  projects[org] = {
    'svc.config.yaml': JSON.stringify({ connections, groups: { field: {} } }),
    'boards/weekly.yaml': boardFile(org),
    'lenses/vault/lens.yaml': VAULT_LENS,
    ...Object.fromEntries(ENGINES.map((engine) => [`lenses/${engine}/lens.yaml`, lensOf(engine, org)])),
  };
}
const svc = await startTestApp({ project: folder, files: projects.north });
const tenants: Record<Org, TestTenant> = { north: svc, south: await svc.addTenant('south', projects.south) };
for (const org of ORGS) {
  keys[org] = await peopleOf(org, tenants[org]);
  createdPaths[org] = {} as (typeof createdPaths)[Org];
  for (const engine of ENGINES) createdPaths[org][engine] = await shareAll(org, engine);
}

function tableOf(org: Org): string[] {
  const { open, hidden, masked } = WORDS[org];
  return [
    'create table orders (id int primary key, region varchar(20), seller varchar(20), customer varchar(20), amount int, placed date)',
    `insert into orders values (1,'West','${open}','${masked}',10,'2016-02-01'), (2,'East','${hidden}','${masked}',20,'2016-03-01')`,
  ];
}

async function peopleOf(org: Org, tenant: TestTenant): Promise<Record<Role, string>> {
  const attributes = { region: 'West' };
  await tenant.mintCaller({ name: 'eastern', lenses: [...ENGINES, 'vault'], attributes: { region: 'East' } });
  await tenant.mintCaller({ name: 'behind', lenses: [...ENGINES], groups: ['field'], attributes });
  const agent = (await tenant.mintCaller({ name: 'agent', lenses: [...ENGINES] })).key;
  const signIn = async (account: { role: string; caller?: string }): Promise<string> => {
    const person = { email: `${account.role}@${org}.example.com`, password: 'correct horse battery staple 42' };
    await svc.post('/mgmt/users', { ...person, ...account }, tenant.adminToken);
    return (await svc.post('/auth/login', person, null)).body.token;
  };
  const curator = await signIn({ role: 'curator' });
  const viewer = await signIn({ role: 'viewer', caller: 'behind' });
  return { admin: tenant.adminToken, curator, viewer, agent };
}

/** The agent asks and shares the answers. The admin asks for data that only admins may see. */
async function shareAll(org: Org, engine: Engine): Promise<Record<string, string>> {
  const ask = async (by: Role, q: string): Promise<string> =>
    (await svc.post(`/v1/lenses/${engine}/query`, { q }, keys[org][by])).body.request_id;
  const broad = await ask('agent', 'revenue by seller');
  const narrow = await ask('agent', `revenue for seller ${WORDS[org].hidden}`);
  const masked = await ask('admin', 'revenue by customer');
  const owner = keys[org].agent;
  const thread = (await svc.post('/v1/threads', { request_id: broad, title: `About ${WORDS[org].hidden}` }, owner)).body
    .id;
  await svc.post(`/v1/threads/${thread}/turns`, { request_id: narrow }, owner);
  const board = (await svc.post('/v1/boards', { title: 'Shared' }, owner)).body.id;
  for (const request_id of [broad, narrow]) await svc.post(`/v1/boards/${board}/tiles`, { request_id }, owner);
  for (const url of [`/v1/threads/${thread}`, `/v1/boards/${board}`])
    await svc.send({ method: 'PATCH', url, payload: { shared: true }, token: owner });
  await svc.post('/v1/reviews', { request_id: narrow, note: `Is ${WORDS[org].hidden} right?` }, owner);
  const { tiles } = (await svc.get(`/v1/boards/${board}`, owner)).body;
  return {
    broad: `/v1/answers/${broad}`,
    narrow: `/v1/answers/${narrow}`,
    masked: `/v1/answers/${masked}`,
    thread: `/v1/threads/${thread}`,
    board: `/v1/boards/${board}`,
    broadTile: `/v1/boards/${board}/tiles/${tiles[0].id}?plan=true&chart=true`,
    narrowTile: `/v1/boards/${board}/tiles/${tiles[1].id}`,
  };
}

/**
 * A GET request, or a POST request with a body. `{…}` is a part that `fill` replaces. `shows` is the data that the agent
 * of the same organization finds there, which proves that the page works.
 */
type Surface = [name: string, shows: 'hidden' | 'title' | null, path: string, body?: object, accept?: string];
const SURFACES: Surface[] = caseRows(import.meta.dirname, 'leak-matrix.jsonl');
const lenses = (engine: Engine, rest: string) => `/v1/lenses/${engine}/${rest}`;

function fill(text: string, engine: Engine, owner: Org): string {
  const { hidden, masked } = WORDS[owner];
  const parts: Record<string, string> = {
    lens: engine,
    hiddenStart: hidden.slice(0, 2),
    hiddenPart: hidden.slice(-4, -1),
    maskedStart: masked.slice(0, 2),
    misspelled: hidden.replace(/(.)(.)\b/g, '$2$1'), // svc suggests the hidden value for it
    ...createdPaths[owner][engine],
  };
  return text.replace(/\{(\w+)\}/g, (_all, part: string) => parts[part]!);
}
/**
 * The routes of the control plane that need no parameter other than the name of a lens. A viewer with a row policy can
 * open no route that shows rows.
 */
const MANAGED = [
  ...controlPlaneOperations
    .filter(({ method, path }) => method === 'GET' && !/:(?!name)|\*/.test(path))
    .map(({ path }) => path.slice(1)),
  'observe/export?format=csv',
  'observe/export?format=jsonl',
];

/**
 * Returns the text of the page, and of the answer that the page stored for the reader. Links and tiles also store one.
 */
async function visibleText([, , path, body, accept]: Surface, engine: Engine, owner: Org, key: string) {
  const headers = accept ? { accept } : undefined;
  const filledPath = fill(path, engine, owner);
  const reply = body
    ? await svc.post(filledPath, JSON.parse(fill(JSON.stringify(body), engine, owner)), key, headers)
    : await svc.get(filledPath, key, headers);
  const ownAnswer = await svc.get(`/v1/answers/${reply.headers['x-request-id']}`, key);
  return reply.text + ownAnswer.text;
}

const isSame = (surface: Surface, engine: Engine, org: Org, another: Org): boolean =>
  fill(JSON.stringify(surface), engine, org) === fill(JSON.stringify(surface), engine, another);
const otherOrg = (org: Org): Org => (org === 'north' ? 'south' : 'north');
const words = (...given: string[]) => new RegExp(given.flatMap((item) => item.split(' ')).join('|'));
/** The values that this reader may never see. */
const never = (org: Org, role: Role): RegExp => {
  const [ownWords, otherWords] = [WORDS[org], WORDS[otherOrg(org)]];
  const otherOrgWords = [otherWords.open, otherWords.hidden, otherWords.masked, otherWords.title.replace(' week', '')];
  const ungranted = role === 'viewer' || role === 'agent' ? ['vault', 'Vault', 'coins', 'Coins'] : [];
  const hidden = role === 'viewer' ? [ownWords.hidden, 'East', 'eastern'] : [];
  return words(...otherOrgWords, ownWords.masked, ...ungranted, ...hidden);
};

describe.each(ENGINES)('on %s', (engine) => {
  it.each(SURFACES)('%s shows each reader their own organization’s data, rows and fields only', async (...surface) => {
    const [name, shows] = surface;
    const leaks: string[] = [];
    for (const org of ORGS)
      for (const role of ROLES)
        for (const owner of ORGS) {
          // An address that names no object of an organization is the same for both.
          if (owner !== org && isSame(surface, engine, org, owner)) continue;
          const text = await visibleText(surface, engine, owner, keys[org][role]);
          const leakedValue = never(org, role).exec(text);
          if (leakedValue)
            leaks.push(
              `${role} of ${org} at ${owner}: …${text.slice(Math.max(0, leakedValue.index - 60), leakedValue.index + 30)}`,
            );
          if (shows && role === 'agent' && owner === org) expect(text, name).toContain(WORDS[org][shows]);
        }
    expect(leaks).toEqual([]);
  });
});

it('computes the tiles of a board with a schedule for each reader, in whatever order they come due', async () => {
  for (const org of ORGS)
    for (const engine of ENGINES) {
      const { board, broadTile } = createdPaths[org][engine] as Record<'board' | 'broadTile', string>;
      const scheduled = await svc.send({
        method: 'PATCH',
        url: board,
        payload: { refresh: '5m' },
        token: keys[org].agent,
      });
      expect(scheduled.body).toMatchObject({ refresh: '5m' });
      for (const role of ['agent', 'viewer', 'curator', 'viewer', 'admin', 'viewer', 'agent', 'viewer'] as const) {
        const due = await svc.get(broadTile, keys[org][role]);
        expect(due.text, `${role} of ${org} on ${engine}`).not.toMatch(never(org, role));
        expect(due.text.includes(WORDS[org].hidden), `${role} of ${org} on ${engine}`).toBe(role !== 'viewer');
        expect((await svc.get(broadTile, keys[otherOrg(org)][role])).status).toBe(404);
      }
    }
});

it('answers each reader of a project board from their own organization, and denies tiles with hidden values', async () => {
  for (const org of ORGS) {
    const listedBoards = (await svc.get('/v1/boards?q=week', keys[org].viewer)).body.items;
    expect(listedBoards.map(({ title }: { title: string }) => title)).toEqual([WORDS[org].title]);
    const { tiles } = (await svc.get(`/v1/boards/${listedBoards[0].id}`, keys[org].viewer)).body;
    for (const [reader, role] of ORGS.flatMap((item) => ROLES.map((role) => [item, role] as const)))
      for (const [at, { id }] of tiles.entries()) {
        const { status, text } = await svc.get(`/v1/boards/${listedBoards[0].id}/tiles/${id}`, keys[reader][role]);
        const expected = reader !== org ? 404 : role === 'viewer' && at === 2 ? 403 : 200;
        expect(status, `${role} of ${reader} at tile ${at} of ${org}: ${text}`).toBe(expected);
        expect(text, `${role} of ${reader} at tile ${at} of ${org}`).not.toMatch(never(reader, role));
      }
  }
});

/** What svc measured over all rows, and the files of the lens, which can list values of hidden rows. */
const OVER_ALL_ROWS = [
  ...['/certified', '/certified/total', '/certified/search?q=sold', '/join-candidates', '/drift'],
  ...['', '/versions/1', '/repo/lens.yaml', '/diff?from=1&to=1'],
];

describe.each(ENGINES)('the control plane over %s', (engine) => {
  it('shows curators the results of profiles and evals without masked values, and no one else’s organization', async () => {
    for (const org of ORGS) {
      const { curator } = keys[org];
      const lensPath = `/mgmt/lenses/${engine}`;
      const evals = [
        { id: 'hidden', question: `revenue for seller ${WORDS[org].hidden}`, expect: { value: 1 } },
        { id: 'masked', question: 'revenue by seller', expect: { sql: 'select customer from orders' } },
        { id: 'star', question: 'revenue by region', expect: { sql: 'select * from orders' } },
      ];
      for (const item of evals) expect((await svc.post(`${lensPath}/evals`, item, curator)).status).toBe(201);
      for (const approved of [
        { cert_id: 'who', question: 'Who bought?', sql: 'select distinct customer from orders' },
        { cert_id: 'total', question: 'What was sold?', sql: 'select sum(amount) from orders' },
      ])
        await svc.post(`${lensPath}/certified`, approved, curator);
      for (const work of ['profile', 'evals/run', 'join-candidates', 'certified/check', 'distill']) {
        const startReply = await svc.post(`${lensPath}/${work}`, {}, curator);
        const run = startReply.body.run_id && (await waitForRun(startReply.body.run_id, curator));
        expect([200, 202], `${work}: ${startReply.text}`).toContain(startReply.status);
        expect(startReply.text + JSON.stringify(run), work).not.toMatch(never(org, 'curator'));
      }
      const [run] = (await svc.get(`${lensPath}/evals/runs`, curator)).body.items;
      const detail = `${lensPath}/evals/runs/${run.run_id}`;
      expect((await svc.get(detail, curator)).text).toContain(WORDS[org].hidden);
      for (const role of ['curator', 'admin'] as const) {
        expect((await svc.get(detail, keys[org][role])).text).not.toMatch(never(org, role));
        expect((await svc.get(detail, keys[otherOrg(org)][role])).status).toBe(404);
      }
      for (const role of ['viewer', 'agent'] as const)
        for (const path of [detail, ...OVER_ALL_ROWS.map((rest) => lensPath + rest)]) {
          expect((await svc.get(path, curator)).status, path).toBe(200);
          expect((await svc.get(path, keys[org][role])).status, path).toBe(403);
        }
    }
  });
});

it.each(
  MANAGED.flatMap((path) => (path.includes(':name') ? ENGINES.map((name) => path.replace(':name', name)) : [path])),
)('the control plane shows %s without data of another organization, masked values or hidden rows', async (path) => {
  for (const org of ORGS)
    for (const role of ROLES) {
      const { text } = await svc.get(`/mgmt/${path}`, keys[org][role]);
      expect(text, `${role} of ${org}`).not.toMatch(never(org, role));
    }
});

it.each(ENGINES)('answers about a value that a row policy hides as if no row had the value, on %s', async (engine) => {
  for (const org of ORGS) {
    const value = WORDS[org].hidden;
    const filters = [{ field: 'orders.seller', op: '=', values: [value] }];
    const sql = `select amount from orders where seller = '${value}'`;
    const told = async ({ viewer }: Record<Role, string>): Promise<unknown[]> => {
      const replies = [
        await svc.post(lenses(engine, 'query'), { q: `revenue for seller ${value}` }, viewer),
        await svc.post(lenses(engine, 'metrics'), { metrics: ['revenue'], filters }, viewer),
        await svc.post('/v1/sql', { lens: engine, sql }, viewer),
        await svc.get(lenses(engine, `complete?q=revenue%20for%20seller%20${value.slice(0, 2)}`), viewer),
      ];
      const servedParts = replies.map(({ status, body }) => [
        status,
        body.status,
        body.answer,
        body.data,
        body.suggestions,
      ]);
      return [...servedParts, replies[3]!.body.next];
    };
    expect(await told(keys[org])).toEqual(await told(keys[otherOrg(org)]));
  }
});

async function waitForRun(run: string, token: string): Promise<unknown> {
  for (;;) {
    const { body } = await svc.get(`/mgmt/runs/${run}`, token);
    if (body.state !== 'running') return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
