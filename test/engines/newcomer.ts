import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type OwnProcess, startSvc, svcSays } from '../support/own-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ENGINES_FOLDER } from './engines-folder.ts';
import type { TestTable } from './tables.ts';

const MINUTES = 300_000;

/** Tables for a drafted lens. The rows that refer from orders to customers prove a join. */
export const NEWCOMER_TABLES: readonly TestTable[] = [
  {
    name: 'customers',
    columns: [
      { name: 'customer_id', type: 'int', nullable: false },
      { name: 'name', type: 'text', nullable: true },
      { name: 'country', type: 'text', nullable: true },
    ],
    rows: [
      [1, 'Ann', 'France'],
      [2, 'Bob', 'France'],
      [3, 'Cem', 'Turkey'],
    ],
  },
  {
    name: 'orders',
    columns: [
      { name: 'order_id', type: 'int', nullable: false },
      { name: 'customer_id', type: 'int', nullable: true },
      { name: 'placed_on', type: 'date', nullable: true },
      { name: 'amount', type: 'decimal(12,2)', nullable: true },
    ],
    rows: Array.from({ length: 30 }, (_, at) => [
      at + 1,
      1 + ((at + 1) % 3),
      `2024-01-${String(at + 2).padStart(2, '0')}`,
      (at + 1) * 1.25,
    ]),
  },
];

export interface Newcomer {
  server: OwnProcess;
  /** Runs a command of svc in the project. Returns its exit code and output. */
  svc(...args: string[]): Promise<{ code: number | null; said: string }>;
  /** The reply to a GET request of an admin. */
  admin(path: string): Promise<string>;
}

/** Starts svc in a folder inside the engines folder, so that Node finds the clients installed there. */
export async function openNewcomer(prepare: (project: string) => Promise<void> = async () => {}): Promise<Newcomer> {
  const folder = await temporaryFolder(ENGINES_FOLDER);
  const [project, homeFolder] = [join(folder, 'project'), join(folder, 'home')];
  await mkdir(project);
  await prepare(project);
  const server = await startSvc(homeFolder, { SVC_PROJECT: project });
  return {
    server,
    svc: (...args) => svcSays(args, { SVC_HOME: homeFolder }, project),
    async admin(path) {
      const reply = await fetch(server.baseUrl + path, { headers: { authorization: `Bearer ${server.adminToken}` } });
      return reply.text();
    },
  };
}

/** The expected message for each error in a URL, on engines without a message of their own. */
const SAID_OF = {
  'a port without a listener': /nothing listens on the host and port/,
  'a wrong password': /refused the credentials of the connection/,
  'an unknown certificate authority': /unknown authority issued.*sslrootcert=FILE/,
  'a certificate for another host': /certificate of the warehouse is for another host/,
  'no TLS although the server requires it': /check port and ssl/,
  'TLS although the server doesn’t support it': /does not support TLS on the port/,
  'a missing database': /no database with the configured name/,
  'a missing schema': /shows no table.*has SELECT/,
  'a login without any grant': /shows no table.*has SELECT/,
};
type Wrong = Record<string, string | [url: string, said: RegExp]>;

/** Every URL contains `secret`, and no output may contain it. */
export function newcomerSuite(
  newcomer: Newcomer,
  { url, secret, wrong }: { url: string; secret?: string; wrong: Wrong },
) {
  it('goes from a URL to a verified answer with the three commands of the README', { timeout: MINUTES }, async () => {
    const introspection = await newcomer.svc('introspect', url, '--publish', '--as', 'shop', '--lens', 'sales');
    expect(introspection).toMatchObject({
      code: 0,
      said: expect.stringContaining('Lens "sales" over 2 tables is published'),
    });
    const [, lens = '', question = ''] = /svc ask (\S+) "(.+)"/.exec(introspection.said)!;
    const asked = [
      [question, /./],
      ['How many customers are there by country?', /France: 2; Turkey: 1/],
      ['total amount of orders by customer country', /France: 387\.50?; Turkey: 193\.75/],
    ] as const;
    const answers = async () => {
      const all: string[] = [];
      for (const [words, answer] of asked) {
        const { code, said } = await newcomer.svc('ask', lens, words);
        expect({ code, said }).toMatchObject({ code: 0, said: expect.stringMatching(answer) });
        all.push(said);
      }
      return all;
    };
    const gradesOf = (all: string[]) => all.map((said) => /Confidence: (\w+)/.exec(said)?.[1]);
    // No table declares its keys. The draft infers that an order has a customer, and the answer says how to confirm it.
    const drafts = await answers();
    expect(gradesOf(drafts)).toEqual(['verified', 'verified', 'partial']);
    const [, command = ''] = /npx svc (lens facts \S+ --confirm .+)/.exec(drafts[2]!)!;
    expect(command).toContain('join:orders.customer_id');
    expect(await newcomer.svc(...command.split(' '))).toMatchObject({ code: 0 });
    expect(gradesOf(await answers())).toEqual(['verified', 'verified', 'verified']);
    if (secret) expect(await newcomer.admin('/mgmt/connections')).not.toContain(secret);
  });

  it.each(Object.entries(wrong))(
    'explains how to fix %s, and keeps no connection',
    { timeout: MINUTES },
    async (mistake, of) => {
      const [wrongly, expected] = typeof of === 'string' ? [of, SAID_OF[mistake as keyof typeof SAID_OF]] : of;
      const { code, said } = await newcomer.svc('introspect', wrongly, '--publish', '--as', 'mistaken');
      if (process.env['NEWCOMER_SAYS']) console.log(`${mistake}: ${said}`);
      expect(said).toMatch(expected);
      expect(code).toBeGreaterThan(0);
      expect(said).not.toMatch(/\bat \w+.*:\d+:\d+|\bundefined\b|\[object/);
      if (secret) expect(said).not.toContain(secret);
      // The failed command removes the connection that it created.
      expect(await newcomer.admin('/mgmt/connections')).not.toContain('mistaken');
    },
  );
}
