import type { FastifyReply } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import { KEY_PLACEHOLDER, writeAgentInstruction } from './connect-snippets.ts';
import { escapeHtml, sendPage } from './html-page.ts';

type DemoPageDeps = Pick<Deps, 'config' | 'baseUrl' | 'instance' | 'visitors'>;

export async function sendDemoPage(
  deps: DemoPageDeps,
  reply: FastifyReply,
  visitor: Principal | null,
  page: string,
): Promise<FastifyReply> {
  const { demo } = deps.config.operator;
  const { name, tagline: ownTagline } = await deps.instance();
  const endpoint = { baseUrl: deps.baseUrl(), instance: name };
  const tagline = demo?.tagline ?? ownTagline ?? 'Ask questions about real data and get numbers that you can quote.';
  const conversation = (demo?.example_conversation ?? []).map(
    ({ question, answer }) =>
      `<blockquote><p class="q">${escapeHtml(question)}</p><p>${escapeHtml(answer)}</p></blockquote>`,
  );
  const privacy = parseHttpUrl(demo?.privacy_url);
  return sendPage(reply, {
    title: `Try ${name}`,
    isWide: true,
    script: '/demo.js',
    main: `<h1>Try ${escapeHtml(name)}</h1>
<p class="tagline">${escapeHtml(tagline)}</p>
<h2 id="line-label">Paste this line into your AI assistant</h2>
<pre id="line" tabindex="0" aria-labelledby="line-label">${escapeHtml(writeAgentInstruction(endpoint, visitor ? 'that you get below' : KEY_PLACEHOLDER))}</pre>
<div class="row">${visitor ? renderSignedInPage(visitor) : renderSignInLink(deps, page)}</div>
<p id="status" class="quiet" role="status" aria-live="polite"></p>
<section id="result" hidden aria-label="Your key">
<h2>Your key</h2>
<p class="quiet" id="expiry"></p>
<pre id="key" tabindex="0"></pre>
<h2>Ask it</h2>
<ul id="examples"></ul>
<h2>Set up by hand</h2>
<div id="snippets"></div>
</section>
${conversation.length > 0 ? `<section aria-label="Example"><h2>What a conversation looks like</h2>${conversation.join('\n')}</section>` : ''}
<p class="quiet">${privacy ? `<a href="${escapeHtml(privacy)}" rel="noopener noreferrer">Privacy</a> · ` : ''}<a href="/SKILL.md">What your AI reads</a> · <a href="/docs">API reference</a></p>`,
  });
}

const renderSignedInPage = (visitor: Principal): string =>
  `<button id="mint" type="button">Get my key</button><span class="quiet">Signed in as ${escapeHtml(visitor.name)}</span>`;

const renderSignInLink = (deps: DemoPageDeps, page: string): string =>
  deps.visitors.demo?.provider
    ? `<a class="button" id="sign-in" href="/auth/start?provider=demo&amp;return_to=${encodeURIComponent(page)}">Sign in to get your key</a>`
    : `<p class="note warning">No identity provider is configured, so sign-in is not possible. The operator of this server sets it as <code>demo.identity_provider</code> (<code>issuer</code> and <code>client_id</code>) in its <code>svc.config.yaml</code>, registers <code>${escapeHtml(deps.baseUrl())}/auth/callback</code> there as the redirect URL, and restarts the server.</p>`;

const parseHttpUrl = (url: string | undefined): string | null =>
  url && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : null;

export const DEMO_SCRIPT = `// Creates the visitor's key and shows it. The page inserts everything as text, never as HTML.
const $ = (id) => document.getElementById(id);

function copyButton(text, label) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'plain copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy ' + label);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      $('status').textContent = 'Copied: ' + label;
    } catch {
      $('status').textContent = 'Select the text and copy it by hand.';
    }
  });
  return button;
}

function showSnippet({ label, auth, code }) {
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = label + (auth === 'oauth' ? ' (signs in, no key)' : '');
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  pre.textContent = code;
  const row = document.createElement('div');
  row.className = 'row';
  row.append(copyButton(code, label));
  details.append(summary, pre, row);
  return details;
}

function show(demoKey) {
  $('line').textContent = demoKey.agent_line;
  $('key').textContent = demoKey.key;
  $('expiry').textContent = 'Key of ' + demoKey.caller + ', valid for ' + demoKey.expires_in_days + ' days. svc shows the key only once. If you create another key, svc revokes this key.';
  $('examples').replaceChildren(...demoKey.examples.map((question) => {
    const item = document.createElement('li');
    item.textContent = question;
    return item;
  }));
  $('snippets').replaceChildren(...[...demoKey.connect, ...demoKey.other].map(showSnippet));
  $('line').after(copyButton(demoKey.agent_line, 'the line for your AI'));
  $('key').after(copyButton(demoKey.key, 'the key'));
  $('result').hidden = false;
  $('status').textContent = 'Your key is ready. Paste the line above into your AI.';
}

const mint = $('mint');
if (mint) mint.addEventListener('click', async () => {
  mint.disabled = true;
  $('status').textContent = 'Creating your key…';
  try {
    const reply = await fetch('/auth/demo-key', { method: 'POST', credentials: 'same-origin' });
    const body = await reply.json();
    if (!reply.ok) throw new Error(body.error.message);
    show(body);
    mint.remove();
  } catch (error) {
    $('status').textContent = error.message;
    mint.disabled = false;
  }
});
`;
