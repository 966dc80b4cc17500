// The page at / for visitors who aren't signed in: the instance, its three interfaces and links. The page loads no
// script and nothing from other servers.
import type { Deps } from '../../deps.ts';
import type { Instance } from '../../domain/cockpit/surface.ts';

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);

export const STYLE = `:root { color-scheme: light dark; --ink: #1c2430; --paper: #fbfaf7; --quiet: #586273; --line: #d9d6cd; --accent: #14532d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e7e1; --paper: #14171c; --quiet: #a3adbb; --line: #343b46; --accent: #86efac; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 4rem 1.5rem; }
h1 { font-size: 2.25rem; line-height: 1.2; margin: 0 0 .5rem; letter-spacing: -.01em; }
.tagline { color: var(--quiet); margin: 0 0 2.5rem; font-size: 1.1875rem; }
ul { list-style: none; padding: 0; margin: 0 0 2.5rem; }
li { border-top: 1px solid var(--line); padding: 1rem 0; }
li:last-child { border-bottom: 1px solid var(--line); }
h2 { font-size: 1.0625rem; margin: 0; }
p { margin: .25rem 0 0; }
code { font: .9375rem ui-monospace, monospace; overflow-wrap: anywhere; }
a { color: var(--accent); }
.open { display: inline-block; margin: 0 0 2.5rem; padding: .625rem 1.25rem; border-radius: .5rem; background: var(--accent); color: var(--paper); font-weight: 600; text-decoration: none; }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

export function frontPageHtml(deps: Pick<Deps, 'baseUrl'>, instance: Instance): string {
  const name = escapeHtml(instance.name);
  const tagline = escapeHtml(instance.tagline ?? 'Governed answers about warehouse data, with their evidence.');
  const base = escapeHtml(deps.baseUrl());
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<main>
<h1>${name}</h1>
<p class="tagline">${tagline}</p>
<a class="open" href="/app">Open the app</a>
<ul>
<li><h2>Ask</h2><p>Questions, governed terms, certified answers and receipts for apps and people: <code>${base}/v1</code></p></li>
<li><h2>Connect an agent</h2><p>The same, as tools over MCP: <code>${base}/mcp</code></p></li>
<li><h2>Manage</h2><p>Lenses, connections, callers, reviews and observability for admins: <code>${base}/mgmt</code></p></li>
</ul>
<p><a href="/guide/">Guide</a> · <a href="/docs">API reference</a> · <a href="/ready">Readiness</a></p>
</main>
</body>
</html>
`;
}
