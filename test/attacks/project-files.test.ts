import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Reply, startTestApp } from '../support/app.ts';

const LENS = 'lenses/shop/lens.yaml';
const app = await startTestApp();
const folder: Record<string, string> = (await app.admin('GET', '/project/export')).body.files;

const send = (path: string, payload: object) =>
  app.send({ method: 'POST', url: `/mgmt${path}`, token: app.adminToken, payload });
const comments = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n');

/** Processor time of this process between two replies. A comparison in this process would take at least 3 s. */
const MOST_CPU_S = 1.5;

/** Waits for the reply, and checks that svc answers other requests and uses little processor time meanwhile. */
async function beside(work: Promise<Reply>): Promise<Reply> {
  let working = true;
  const slices: number[] = [];
  const workEnd = work.finally(() => {
    working = false;
  });
  while (working) {
    const cpuAtStart = process.cpuUsage();
    expect((await app.get('/health', null)).status).toBe(200);
    await Promise.race([sleep(20), workEnd]);
    const { user, system } = process.cpuUsage(cpuAtStart);
    slices.push((user + system) / 1e6);
  }
  expect(Math.max(...slices)).toBeLessThan(MOST_CPU_S);
  return workEnd;
}

it('compares two versions with thousands of different lines while it answers other requests', async () => {
  for (const version of ['a', 'b']) {
    const text = `${folder[LENS]}\n${comments(5_000, (n) => `# ${version}${n}`)}\n`;
    expect((await send('/project/apply', { files: { ...folder, [LENS]: text } })).status).toBe(200);
  }
  const { version } = (await app.admin('GET', '/lenses/shop')).body;
  const path = `/mgmt/lenses/shop/diff?from=${version - 1}&to=${version}`;
  const reply = await beside(app.get(path, app.adminToken));
  expect([200, 413]).toContain(reply.status);
  if (reply.status === 200) expect(reply.body.files[0].diff).toContain('+# b4999');
  else expect(reply.body.error).toMatchObject({ code: 'too_large', message: expect.stringContaining('line by line') });
}, 120_000);

it('merges an edit with thousands of identical lines while it answers other requests', async () => {
  const alike = (count: number) => ({ ...folder, [LENS]: `${folder[LENS]}\n${comments(count, () => '#')}\n` });
  expect((await send('/project/apply', { files: alike(1_700) })).status).toBe(200);
  const draft = (await send('/lenses/shop/drafts', {})).body;
  const edited = draft.files['lens.yaml'].replace('synonyms: [sales]', 'synonyms: [sales, billings]');
  await app.admin('PUT', `/lenses/shop/drafts/${draft.id}`, {
    files: { 'lens.yaml': edited.replace('#\n#\n', '#\n##\n#\n') },
    message: 'They say billings',
  });
  await beside(send(`/lenses/shop/drafts/${draft.id}/publish`, {}));
  const editedFiles = alike(1_690);
  editedFiles[LENS] = editedFiles[LENS]!.replace('title: Shop', 'title: The shop');
  const reply = await beside(send('/project/plan', { files: editedFiles }));
  expect([200, 413], reply.text.slice(0, 500)).toContain(reply.status);
  if (reply.status === 413) expect(reply.body.error.message).toContain('line by line');
}, 180_000);
