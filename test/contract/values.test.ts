import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { lensText } from '../support/lens-text.ts';
import { connectionTo, createDatabase } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LENS = lensText(`name: people
connection: wh
datasets:
  visits: public.visits (id uuid_as_text key, mood string)
  cities: public.cities (city string) {primary_key: [id]}
relationships:
  - {name: origin, from: visits.from_id, to: cities.id}
  - {name: target, from: visits.to_id, to: cities.id}
metrics: {visit_count: {expression: count(visits.id), description: Visits.}}
`).replace('uuid_as_text', 'string');
const url = new URL(
  await createDatabase(`create type mood as enum ('sad', 'Happy');
    create table cities(id int primary key, city text);
    insert into cities values (1, 'Rome'), (2, 'Oslo');
    create table visits(id uuid primary key, mood mood, from_id int, to_id int);
    insert into visits values ('aaaaaaaa-0000-4000-8000-000000000000', 'Happy', 1, 2),
      ('bbbbbbbb-0000-4000-8000-000000000000', 'sad', 2, 1)`),
);
const folder = await temporaryFolder();
const svc = await startTestApp({
  project: folder,
  files: {
    'svc.config.yaml': JSON.stringify({ connections: { wh: connectionTo(url) } }),
    'lenses/people/lens.yaml': LENS,
  },
});

describe('fields that are text in the lens but not in PostgreSQL', () => {
  it.each([
    ['mood', 'contains', 'app'],
    ['visits.id', 'starts_with', 'aaaa'],
  ])('can be filtered: %s with %s', async (field, op, value) => {
    const { status, body } = await svc.post('/v1/lenses/people/metrics', {
      metrics: ['visit_count'],
      filters: [{ field, op, values: [value] }],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'answered', confidence: 'verified', data: [{ visit_count: 1 }] });
  });
});

describe('GET /v1/lenses/{name}/values', () => {
  it('finds a field by its bare name when two roles lead to its dataset', async () => {
    const { body } = await svc.get('/v1/lenses/people/values?field=city');
    expect(body).toMatchObject({ field: 'cities.city', items: ['Oslo', 'Rome'] });
  });

  it('names the query parameter with an unknown field, and suggests the nearest name', async () => {
    const { status, body } = await svc.get('/v1/lenses/people/values?field=citty');
    expect(status).toBe(422);
    expect(body.error).toMatchObject({ param: 'field', details: [{ path: 'field' }] });
    expect(body.error.message).toContain('city');
  });
});
