// A page loads nothing from other servers, and a script only if it specifies one.
import type { FastifyReply } from 'fastify';

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const PAGE_STYLE = `:root { color-scheme: light dark; --ink: #1c2430; --paper: #fbfaf7; --quiet: #586273; --line: #d9d6cd; --accent: #14532d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e7e1; --paper: #14171c; --quiet: #a3adbb; --line: #343b46; --accent: #86efac; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; }
main { max-width: 34rem; margin: 0 auto; padding: 3rem 1.25rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; letter-spacing: -.01em; overflow-wrap: anywhere; }
.tagline { color: var(--quiet); margin: 0 0 1.75rem; font-size: 1.1875rem; }
ul { list-style: none; padding: 0; margin: 0 0 2.5rem; }
li { border-top: 1px solid var(--line); padding: 1rem 0; }
li:last-child { border-bottom: 1px solid var(--line); }
h2 { font-size: 1.0625rem; margin: 2rem 0 .25rem; }
li h2 { margin: 0; }
p { margin: .25rem 0 0; }
code { font: .9375rem ui-monospace, monospace; overflow-wrap: anywhere; }
a { color: var(--accent); }
main.wide { max-width: 46rem; }
form { margin: 0; }
label { display: block; font-weight: 600; margin: 1rem 0 .25rem; }
input { width: 100%; font: inherit; color: inherit; background: transparent; border: 1px solid var(--quiet); border-radius: .5rem; padding: .625rem .75rem; }
button, .button { display: inline-block; font: inherit; font-weight: 600; border-radius: .5rem; padding: .625rem 1.25rem; border: 1px solid var(--accent); background: var(--accent); color: var(--paper); cursor: pointer; text-decoration: none; }
button.plain { background: transparent; color: var(--ink); border-color: var(--quiet); }
button[disabled] { opacity: .55; cursor: default; }
a:focus-visible, button:focus-visible, input:focus-visible, pre:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.row { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin-top: 1.75rem; }
.note { border-left: 3px solid var(--accent); padding: .25rem 0 .25rem .875rem; margin: 1.25rem 0; }
.warning { border-left-color: #b45309; }
pre + button { margin-top: .625rem; }
details .row { margin-top: .625rem; }
button.copy { padding: .375rem .875rem; font-size: .9375rem; }
.quiet { color: var(--quiet); font-size: .9375rem; }
dl { margin: 1.25rem 0; border-top: 1px solid var(--line); }
dl div { display: grid; grid-template-columns: 9rem 1fr; gap: .5rem; padding: .625rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
pre { margin: .5rem 0 0; padding: .875rem 1rem; border: 1px solid var(--line); border-radius: .5rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; font: .9rem/1.5 ui-monospace, monospace; }
details { border-top: 1px solid var(--line); padding: .75rem 0; }
details:last-of-type { border-bottom: 1px solid var(--line); }
summary { cursor: pointer; font-weight: 600; }
blockquote { margin: 1rem 0; padding: 0; }
blockquote .q { font-weight: 600; }
[hidden] { display: none; }
@media (max-width: 30rem) { dl div { grid-template-columns: 1fr; gap: 0; } main { padding-top: 2rem; } }
@media (prefers-color-scheme: dark) { .warning { border-left-color: #f59e0b; } }
`;

export interface HtmlPage {
  title: string;
  /** The main content as HTML. Escape everything in it that isn't a constant. */
  main: string;
  isWide?: boolean;
  script?: string;
  /** Browsers also apply the content security policy to redirects of a form, so the policy allows this target. */
  formAction?: string;
}

export function sendPage(reply: FastifyReply, page: HtmlPage): FastifyReply {
  const { script } = page;
  const csp = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    script ? "script-src 'self'" : "script-src 'none'",
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action 'self'${page.formAction ? ` ${page.formAction}` : ''}`,
    "frame-ancestors 'none'",
  ];
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': csp.join(';'),
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    .serializer((html: unknown) => String(html))
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
<link rel="stylesheet" href="/style.css">${script ? `\n<script src="${script}" defer></script>` : ''}
</head>
<body>
<main${page.isWide ? ' class="wide"' : ''}>
${page.main}
</main>
</body>
</html>
`);
}
