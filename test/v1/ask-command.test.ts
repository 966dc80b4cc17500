// svc ask against a running server: what it asked back is answered on the command line.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';

const SVC = fileURLToPath(new URL('../../src/svc.cjs', import.meta.url));
const MINUTE = 120_000;
let service: TestApp;
let base: string;
beforeAll(async () => {
  service = await startTestApp();
  base = await service.listen();
});
afterAll(() => service.close());

async function ask(...args: string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [SVC, 'ask', ...args], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      SVC_BASE_URL: base,
      SVC_TOKEN: service.callerKey,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', (data: Buffer) => (said += data.toString()));
  child.stderr.on('data', (data: Buffer) => (said += data.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, said };
}

it(
  '8.17: --choice settles a clarification, as often as something is asked back, and the command to do it is told',
  async () => {
    const asked = await ask('shop', 'What was margin in the Nort region?');
    const proposed = [...asked.said.matchAll(/--choice "([^"]+)"/g)].map(([, choice]) => choice!);
    expect(proposed, asked.said).toHaveLength(1);
    const again = await ask('--choice', ...proposed, 'shop', 'What was margin in the Nort region?');
    const both = [...again.said.matchAll(/--choice "([^"]+)"/g)].map(([, choice]) => choice!);
    expect(both, again.said).toHaveLength(2);
    const settled = await ask(
      'shop',
      'What was margin in the Nort region?',
      '--choice',
      both[0]!,
      '--choice',
      both[1]!,
    );
    expect(settled.said).toMatch(/Confidence: verified/);
    const other = await ask('shop', 'What is our margin?', '--choice', 'margin=ratio');
    expect(other.said).toMatch(/Profit divided by sales|profit_ratio|Profit ratio/i);
    expect(other.said).toContain('Confidence: verified');
    expect(await ask('shop', 'What is our margin?', '--choice', 'ratio')).toEqual({
      code: 2,
      said: expect.stringContaining('term=option'),
    });
  },
  MINUTE,
);
