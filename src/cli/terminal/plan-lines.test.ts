import { expect, test } from 'vitest';
import {
  formatAffectedObjects,
  formatAnswerChanges,
  formatChanges,
  formatDeployedVersion,
  formatFaults,
  type PlanChange,
} from './plan-lines.ts';

const createChange = (
  kind: PlanChange['kind'],
  name: string,
  action: PlanChange['action'],
  summary = '',
): PlanChange => ({
  ...{ kind, name, action, path: '', summary },
});

test('lists created, changed and removed objects, with each part of a change on its line, and counts them', () => {
  const lines = formatChanges([
    createChange('lens', 'shop', 'update', 'metric revenue: expression changed; field orders.city: added'),
    createChange('certified', 'shop/north', 'create', 'Revenue in the north?'),
    createChange('grant', 'shop to caller ada', 'delete', 'loses this grant'),
    createChange('lens', 'stock', 'none'),
  ]);
  expect(lines).toEqual([
    '  ~ lens shop: metric revenue: expression changed',
    '      field orders.city: added',
    '  + certified shop/north: Revenue in the north?',
    '  - grant shop to caller ada: loses this grant',
    '',
    'Plan: 1 to create, 1 to change, 1 to remove, 1 unchanged.',
  ]);
});

test('says in one line that a plan has no changes', () => {
  expect(formatChanges([createChange('lens', 'shop', 'none')])).toEqual([
    'No changes: the deployed project matches the files.',
  ]);
});

test('says whether an apply deployed a new version', () => {
  const unchanged = createChange('lens', 'shop', 'none');
  expect(formatDeployedVersion({ changes: [unchanged], version: 40 })).toBe('Version 40 is still deployed.');
  const changes = [unchanged, createChange('lens', 'stock', 'update')];
  expect(formatDeployedVersion({ changes, version: 41 })).toBe('Deployed version 41.');
});

test('names the affected lenses, grants and answers', () => {
  const changes = [createChange('lens', 'shop', 'update'), createChange('grant', 'stock to group field', 'create')];
  const answer = { lens: 'shop', kind: 'eval' as const, id: 'a', before: 1, after: 2 };
  expect(formatAffectedObjects(changes, [answer])).toEqual([
    'Affected: 2 lenses (shop, stock), 1 grant, 1 answer that changes.',
  ]);
  expect(formatAffectedObjects([createChange('setting', 'groups', 'update')], [])).toEqual([]);
});

test('shows changed answers with both values, and with removed and added rows', () => {
  const lines = formatAnswerChanges([
    { lens: 'shop', kind: 'certified', id: 'total', before: '10.50', after: '12.00' },
    {
      ...{ lens: 'shop', kind: 'eval', id: 'regions' },
      before: {
        row_count: 2,
        rows: [
          { region: 'North', n: 1 },
          { region: 'South', n: 2 },
        ],
      },
      after: {
        row_count: 2,
        rows: [
          { region: 'North', n: 1 },
          { region: 'South', n: 3 },
        ],
      },
    },
    { lens: 'shop', kind: 'eval', id: 'gone', before: 4, after: { status: 'failed', code: 'guard_refused' } },
  ]);
  expect(lines.slice(1)).toEqual([
    'Answers that change',
    '  ≠ certified shop/total  10.50 → 12.00',
    '  ≠ eval shop/regions     2 rows → 2 rows',
    '      - region: South, n: 2',
    '      + region: South, n: 3',
    '  ≠ eval shop/gone        4 → failed: guard_refused',
  ]);
});

test('names the place of a fault', () => {
  const fault = { path: 'lenses/shop/lens.yaml', line: 3, column: 5, message: 'The key "x" is unknown.' };
  expect(formatFaults([fault])).toEqual(['Error: lenses/shop/lens.yaml:3:5: The key "x" is unknown.']);
});
