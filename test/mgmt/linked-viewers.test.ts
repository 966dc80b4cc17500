// A viewer with a caller can read only that caller's lenses in the control plane. The list names routes that are open
// to any viewer. This viewer can't read any other route.
import { expect, it } from 'vitest';
import { controlPlaneOperations } from '../../src/surfaces/mgmt/index.ts';
import { startTestApp } from '../support/app.ts';

const app = await startTestApp();
const [email, password] = ['confined@example.com', 'a long enough pass phrase'];
const viewerBody = { email, password, role: 'viewer', caller: 'quickstart' };
expect((await app.admin('POST', '/users', viewerBody)).status).toBe(201);
const token = (await app.post('/auth/login', { email, password }, null)).body.token;

const reads = controlPlaneOperations.filter(({ method }) => method === 'GET');
const urlOf = (path: string): string => `/mgmt${path.replace('/*', '/lens.yaml').replaceAll(/:\w+/g, 'nothing')}`;
const fetchCodes = async (paths: readonly { path: string }[]): Promise<[string, string][]> => {
  const statusCodes: [string, string][] = [];
  for (const { path } of paths) {
    const { status, body } = await app.get(urlOf(path), token);
    statusCodes.push([path, status === 403 ? body.error.message.slice(0, 26) : String(status)]);
  }
  return statusCodes;
};

it('refuses routes that show asks of others or every lens to a viewer with a caller', async () => {
  const closedRoutes = reads.filter(({ access }) => access !== 'any viewer');
  expect(closedRoutes.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/audit', '/observe/requests', '/lenses/:name/grants', '/semantic/entities', '/gap-map']),
  );
  const otherRefusals = (await fetchCodes(closedRoutes)).filter(([, code]) => code !== 'A viewer with a linked cal');
  expect(otherRefusals).toEqual([]);
});

it('allows the routes that any viewer may read', async () => {
  const open = reads.filter(({ access }) => access === 'any viewer');
  expect(open.length).toBeGreaterThan(8);
  const refusedRoutes = (await fetchCodes(open)).filter(([, code]) => !['200', '404', '422'].includes(code));
  expect(refusedRoutes).toEqual([]);
});
