import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { loadProjectFolder } from '../../src/lens/files/load-project-folder.ts';
import { startTestApp } from '../support/app.ts';

const SAMPLE = fileURLToPath(new URL('../..', import.meta.url));
const GROUP_TWICE = 'grants: {callers: [ada, ada], groups: [field]}';
const service = await startTestApp();

it('lists each change of the first apply once, wherever the files state it', async () => {
  const files = await loadProjectFolder(SAMPLE);
  const tenant = await service.addTenant('empty', { 'svc.config.yaml': 'groups: {}\n' });
  const { body } = await service.post('/mgmt/project/plan', { files }, tenant.adminToken);
  const changeNames = body.changes.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`);
  expect(changeNames).toContain('grant superstore to group sales');
  expect(changeNames).toEqual([...new Set(changeNames)]);
});

it('does not list a grant as removed while another place keeps it', async () => {
  const shop = await loadProjectFolder(fileURLToPath(new URL('../fixtures/shop', import.meta.url)));
  const twice: Record<string, string> = {
    ...shop,
    'lenses/shop/lens.yaml': `${shop['lenses/shop/lens.yaml']}\n${GROUP_TWICE}\n`,
  };
  const changesOf = async (files: Record<string, string>) =>
    (await service.admin('POST', '/project/plan', { files })).body.changes.filter(
      ({ kind, action }: { kind: string; action: string }) => kind === 'grant' && action !== 'none',
    );
  expect((await changesOf(twice)).map(({ name }: { name: string }) => name)).toEqual(['shop to caller ada']);
  expect((await service.admin('POST', '/project/apply', { files: twice })).status).toBe(200);
  const dropped = {
    ...twice,
    'svc.config.yaml': twice['svc.config.yaml']!.replace('field: {lenses: [shop]}', 'field: {lenses: []}'),
  };
  expect(await changesOf(dropped)).toEqual([]);
});
