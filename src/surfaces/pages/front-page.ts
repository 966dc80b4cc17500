import type { FastifyReply } from 'fastify';
import type { InstanceDetails } from '../../domain/cockpit/surface.ts';
import { escapeHtml, sendPage } from './html-page.ts';

export function sendFrontPage(reply: FastifyReply, baseUrl: string, { name, tagline }: InstanceDetails): FastifyReply {
  const base = escapeHtml(baseUrl);
  return sendPage(reply, {
    title: name,
    isWide: true,
    main: `<h1>${escapeHtml(name)}</h1>
<p class="tagline">${escapeHtml(tagline ?? 'Governed answers about warehouse data, with their evidence.')}</p>
<p><a class="button" href="/app">Open the app</a></p>
<ul>
<li><h2>Ask</h2><p>Questions, governed terms, certified answers and receipts for apps and people: <code>${base}/v1</code></p></li>
<li><h2>Connect an agent</h2><p>The same, as tools over MCP: <code>${base}/mcp</code></p></li>
<li><h2>Manage</h2><p>Lenses, connections, callers, reviews and observability for admins: <code>${base}/mgmt</code></p></li>
</ul>
<p><a href="/guide/">Guide</a> · <a href="/docs">API reference</a> · <a href="/ready">Readiness</a></p>`,
  });
}
