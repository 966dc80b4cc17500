import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

const renameLens = (name: string) => text.replace(/^name: shop$/m, `name: ${name}`).replace(/^grants:.*$/m, '');
const makeLens = async (name: string): Promise<string> =>
  (await admin('POST', '/lenses', { name, files: { 'lens.yaml': renameLens(name) } })).body.id;
const publish = (name: string, draft: string) => admin('POST', `/lenses/${name}/drafts/${draft}/publish`, {});
const statuses = (replies: { status: number }[]) => replies.map(({ status }) => status).sort();
const svc = await startTestApp();
const { admin } = svc;
const text = (await admin('GET', '/lenses/shop/repo/lens.yaml')).body.text;

describe('a lens created through the API', () => {
  it('accepts one of several concurrent edits of the same draft', async () => {
    const id = await makeLens('edited');
    const edits = Array.from({ length: 8 }, (_, at) =>
      admin('PUT', `/lenses/edited/drafts/${id}`, { files: { 'lens.yaml': `${renameLens('edited')}# ${at}\n` } }, TAG),
    );
    expect(statuses(await Promise.all(edits))).toEqual([200, ...Array(7).fill(412)]);
  });

  it('publishes a draft once, however many concurrent requests publish it', async () => {
    const id = await makeLens('once');
    const replies = await Promise.all(Array.from({ length: 6 }, () => publish('once', id)));
    expect(statuses(replies)).toEqual([200, ...Array(5).fill(409)]);
  });

  it('accepts one of several drafts of the same version that are published concurrently', async () => {
    const id = await makeLens('many');
    await publish('many', id);
    const drafts = await Promise.all(Array.from({ length: 5 }, () => admin('POST', '/lenses/many/drafts', {})));
    const replies = await Promise.all(drafts.map(({ body }) => publish('many', body.id)));
    expect(statuses(replies)).toEqual([200, 409, 409, 409, 409]);
  });

  it('refuses a draft that was made before its first version', async () => {
    const first = await makeLens('early');
    const second = (await admin('POST', '/lenses/early/drafts', { files: { 'lens.yaml': renameLens('early') } })).body
      .id;
    expect((await publish('early', first)).status).toBe(200);
    const lateReply = await publish('early', second);
    expect(lateReply).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('Version 1') } },
    });
  });

  it('gives each of several concurrent restores its own version', async () => {
    await publish('restored', await makeLens('restored'));
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => admin('POST', '/lenses/restored/versions/1/restore', {})),
    );
    expect(statuses(replies)).toEqual(Array(5).fill(200));
    expect(replies.map(({ body }) => body.version).sort()).toEqual([2, 3, 4, 5, 6]);
  });
});
const TAG = { 'if-match': '"1"' };

describe('a patch of a shared definition', () => {
  it('takes effect in every lens or in none', async () => {
    await admin('POST', '/semantic/definitions', { term: 'net takings', meaning: 'Money kept.', metric: 'revenue' });
    for (const name of ['all', 'none']) await publish(name, await makeLens(name));
    const patch = await admin('POST', '/lenses/all/patches', {
      change: { kind: 'definition', term: 'net takings', meaning: 'All of it.', metric: 'profit' },
    });
    await svc.sql(`create function svc.refuse_none() returns trigger language plpgsql as
      $$ begin if new.files->>'lens.yaml' like 'name: none%' then raise 'no'; end if; return new; end $$`);
    await svc.sql(
      'create trigger refuse_none before insert on svc.lens_versions for each row execute function svc.refuse_none()',
    );
    const failed = await admin('POST', `/lenses/all/patches/${patch.body.id}/approve`, {});
    await svc.sql('drop trigger refuse_none on svc.lens_versions');
    expect(failed.status).toBe(500);
    expect((await admin('GET', '/lenses/all')).body.version).toBe(1);
    expect((await admin('GET', '/semantic/definitions?limit=500')).text).not.toContain('All of it.');
    const approved = await admin('POST', `/lenses/all/patches/${patch.body.id}/approve`, {});
    expect(approved).toMatchObject({ status: 200, body: { outcome: { applied: true } } });
    for (const name of ['all', 'none']) expect((await admin('GET', `/lenses/${name}`)).body.version).toBe(2);
  });
});
