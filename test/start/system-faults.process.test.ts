import { once } from 'node:events';
import { expect, it } from 'vitest';
import { runSvc } from '../support/own-process.ts';

it('reports an unreachable database without a stack trace or password, and exits with 1', {
  timeout: 60_000,
}, async () => {
  const child = runSvc(['migrate'], { DATABASE_URL: 'postgres://owner:secret@127.0.0.1:1/svc' });
  let output = '';
  child.stderr!.on('data', (data: Buffer) => {
    output += data.toString();
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(output).toContain('ECONNREFUSED');
  expect(output).not.toMatch(/\n\s+at |secret/);
});
