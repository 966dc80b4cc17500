import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it } from 'vitest';
import { SHOP, startTestApp } from '../support/app.ts';
import { ROOT } from '../support/own-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Command {
  command: string;
  args: string[];
  env: Record<string, string>;
}

const MINUTES = 240_000;
const service = await startTestApp();
const homeFolder = await temporaryFolder();
const base = await service.listen();
const credentials = { base_url: base, caller_key: service.callerKey };
await writeFile(join(homeFolder, 'credentials.json'), JSON.stringify(credentials));
const blocks = [...(await readFile(join(ROOT, 'docs/agents.md'), 'utf8')).matchAll(/```json\n([\s\S]*?)```/g)];
const commands: Command[] = blocks
  .map(([, text]) => text!)
  .filter((text) => text.includes('"mcp"]'))
  .map((text) => {
    const { mcpServers, servers } = JSON.parse(
      text.replaceAll('/path/to/svc/.svc', homeFolder).replaceAll('/path/to/svc', ROOT),
    );
    return (mcpServers ?? servers).svc as Command;
  });

it(
  'connects each client of docs/agents.md to the svc that runs in SVC_HOME, with its key',
  async () => {
    expect(commands.map(({ args }) => args.at(-1))).toEqual(['mcp', 'mcp']);
    for (const { command, args, env } of commands) {
      const client = new OldClient({ name: 'desktop', version: '1.0.0' });
      await client.connect(new OldTransport({ command, args, env, cwd: '/', stderr: 'pipe' }));
      expect(client.getInstructions()).toMatch(/describe_lens/);
      expect((await client.listTools()).tools).toHaveLength(12);
      const { structuredContent } = await client.callTool({
        name: 'query',
        arguments: { lens: 'shop', q: 'revenue by region' },
      });
      expect(structuredContent).toMatchObject({ ok: true, status: 'answered' });
      await client.close();
    }
  },
  MINUTES,
);

it(
  'speaks revision 2026-07-28, reports a refused key, and cancels a call that the client aborts',
  async () => {
    const { command, args, env } = commands[0]!;
    const pinned = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as object;
    const client = new Client({ name: 'modern', version: '1.0.0' }, pinned);
    await client.connect(new StdioClientTransport({ command, args, env }));
    const { structuredContent } = await client.callTool({ name: 'list_lenses', arguments: {} });
    expect(structuredContent).toMatchObject({ ok: true });
    const endless = `select count(*) as n from ${Array.from({ length: 14 }, (_, i) => `orders t${i}`).join(', ')} where t0.sales + t13.sales < 0`;
    const gone = new AbortController();
    const pendingCall = client.callTool(
      { name: 'sql', arguments: { lens: 'shop', sql: endless } },
      { signal: gone.signal },
    );
    setTimeout(() => gone.abort(), 1_500);
    await expect(pendingCall).rejects.toThrow();
    await expect
      .poll(() => service.sql<{ outcome: string }>('select outcome from svc.traces order by at desc limit 1'), {
        timeout: 15_000,
      })
      .toEqual([{ outcome: 'cancelled' }]);
    await client.close();

    const envWithWrongKey = { ...env, SVC_BASE_URL: base, SVC_TOKEN: `${service.callerKey.slice(0, -4)}xxxx` };
    const refusedClient = new OldClient({ name: 'stranger', version: '1.0.0' });
    await expect(refusedClient.connect(new OldTransport({ command, args, env: envWithWrongKey }))).rejects.toThrow(
      /key|token|credential/i,
    );
  },
  MINUTES,
);

it(
  'starts its own svc if none is running, and stops it with the client',
  async () => {
    const { command, args } = commands[0]!;
    const ownHome = await temporaryFolder();
    const client = new OldClient({ name: 'first', version: '1.0.0' });
    const env = { SVC_HOME: ownHome, SVC_PROJECT: SHOP, SVC_LOG_LEVEL: 'silent' };
    await client.connect(new OldTransport({ command, args, env }), { timeout: MINUTES });
    const { structuredContent } = await client.callTool({ name: 'list_lenses', arguments: {} });
    expect((structuredContent as { items: { name: string }[] }).items.map(({ name }) => name)).toContain('shop');
    const { base_url } = JSON.parse(await readFile(join(ownHome, 'credentials.json'), 'utf8')) as { base_url: string };
    expect((await fetch(`${base_url}/health`)).status).toBe(200);
    await client.close();
    await expect
      .poll(
        () =>
          fetch(`${base_url}/health`).then(
            () => 'up',
            () => 'down',
          ),
        { timeout: 60_000 },
      )
      .toBe('down');
  },
  MINUTES,
);
