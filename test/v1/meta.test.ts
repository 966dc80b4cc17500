import { describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

const svc = await startTestApp();

describe('the server', () => {
  it('reports liveness, and readiness with five checks and its info', async () => {
    expect((await svc.get('/health', null)).body).toEqual({ status: 'ok' });
    const ready = await svc.get('/ready', null);
    expect([ready.status, ready.body.status]).toEqual([200, 'ready']);
    expect(Object.keys(ready.body.checks).sort()).toEqual([
      'database',
      'mcp',
      'schema',
      'trace_writes',
      'typed_decisions',
    ]);
    expect(ready.body.checks.typed_decisions.status).toBe('off');
    expect(Object.keys(ready.body.info).sort()).toEqual([
      'certified_matching',
      'embeddings',
      'experimental',
      'models',
      'plugins',
      'secrets',
      'stuck_statements',
    ]);
  });

  it('serves a front page without scripts that names the instance, its three interfaces and /docs', async () => {
    const page = await svc.get('/', null);
    expect(page.headers['content-type']).toContain('text/html');
    for (const text of ['Corner shop', '/v1', '/mcp', '/mgmt', 'href="/docs"', 'lang="en"'])
      expect(page.text).toContain(text);
    expect(page.text).not.toContain('<script');
    expect((await svc.get('/style.css', null)).headers['content-type']).toContain('text/css');
  });

  it('serves the JSON Schema of every kind of project file', async () => {
    for (const kind of ['config', 'lens', 'certified', 'evals', 'definitions', 'entities'])
      expect((await svc.get(`/schemas/${kind}.json`, null)).body.$schema).toContain('2020-12');
    expect((await svc.get('/schemas/lense.json', null)).status).toBe(404);
  });

  it('serves an interactive page at /docs without resources of other sites or inline scripts', async () => {
    const page = await svc.get('/docs', null);
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(/(src|href)="https?:/);
    expect(page.text).not.toMatch(/<script(?![^>]*src=)[^>]*>\s*\S/);
  });
});

describe('the OpenAPI document', () => {
  it('describes every route with a summary, a description, an operation id, and examples of bodies and failures', async () => {
    const document = (await svc.get('/docs/json', null)).body;
    const missingParts: string[] = [];
    for (const [path, methods] of Object.entries<Record<string, Record<string, never>>>(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const at = `${method} ${path}`;
        for (const part of ['summary', 'description', 'operationId', 'tags', 'responses'])
          if (!operation[part]) missingParts.push(`${at}: ${part}`);
        for (const [status, response] of Object.entries<{
          content?: Record<string, { example?: unknown; schema: object }>;
        }>(operation['responses'] ?? {})) {
          const media = response.content?.['application/json'];
          if (Number(status) >= 400 && media && JSON.stringify(media.schema).includes('Problem') && !media.example)
            missingParts.push(`${at}: example of ${status}`);
        }
      }
    }
    expect(missingParts).toEqual([]);
    expect(JSON.stringify(document)).not.toContain('"$ref":"#"');
  });
});
