import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { malformedRequests, operationsOf } from '../support/malformed-requests.ts';

const svc = await startTestApp();

it('returns no 5xx status to 5,000 malformed requests generated from the OpenAPI document', {
  timeout: 600_000,
}, async () => {
  const document = (await svc.get('/docs/json', null)).body;
  const failures: string[] = [];
  for (const request of malformedRequests(operationsOf(document), 5_000, 20_260_101)) {
    const reply = await svc.send({ ...request, method: request.method as 'GET', token: svc.adminToken });
    if (reply.status >= 500)
      failures.push(
        `${reply.status} ${request.method} ${request.url.slice(0, 80)} ${request.payload?.slice(0, 300)} -> ${reply.text.slice(0, 200)}`,
      );
  }
  expect(failures).toEqual([]);
});
