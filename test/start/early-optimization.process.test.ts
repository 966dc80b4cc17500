import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ROOT, startSvc } from '../support/own-process.ts';

it('lets V8 optimize the code of a server after hundreds of calls', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-optimizer-'));
  const file = join(folder, 'optimized.json');
  const svc = await startSvc(join(folder, 'home'), {
    NODE_OPTIONS: `--require ${join(ROOT, 'test/start/optimizer-probe.cjs')}`,
    SVC_PROBE_FILE: file,
  });
  try {
    svc.child.kill('SIGUSR2');
    let written: string | null = null;
    while (written === null) {
      await sleep(20);
      written = await readFile(file, 'utf8').catch(() => null);
    }
    expect(written).toBe('true');
  } finally {
    await svc.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  }
});
