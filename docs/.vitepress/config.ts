// The pages of docs/ as a site, for /guide of every server. The server's Content-Security-Policy allows no inline script and
// no inline style, so scripts and colors of code go to files of their own.
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { defineConfig, type MarkdownOptions } from 'vitepress';

const ROOT = join(import.meta.dirname, '../..');
const BASE = '/guide/';
const ICON = readFileSync(join(ROOT, 'web/src/icon.svg'), 'utf8');

/** The address of a Markdown file: `docs/plans.md` is `plans.md`, and README.md is the first page. */
const pageOf = (file: string): string =>
  ({ 'README.md': 'index.md', 'docs/README.md': 'contents.md' })[file] ??
  file
    .replace(/^docs\//, '')
    .replace(/README\.md$/, 'index.md')
    .replace(/^[A-Z]+\.md$/, (name) => name.toLowerCase());

/** The groups and pages in the table of docs/README.md. */
function sidebar() {
  const groups: { text: string; items: { text: string; link: string }[] }[] = [];
  for (const line of readFileSync(join(ROOT, 'docs/README.md'), 'utf8').split('\n')) {
    const [, group, text, file] = /^\| (?:\*\*(.+?)\*\*|\[(.+?)\]\((.+?)\)) \|/.exec(line) ?? [];
    if (group) groups.push({ text: group, items: [] });
    if (text && file) groups.at(-1)!.items.push({ text, link: linkTo(posix.join('docs', file)) });
  }
  return groups;
}
const linkTo = (file: string): string =>
  `/${pageOf(file)
    .replace(/(^|\/)index\.md$/, '$1')
    .replace(/\.md$/, '')}`;

/** Links lead from file to file in the repository, and from page to page here. */
const relink: MarkdownOptions['config'] = (md) => {
  md.core.ruler.push('relink', ({ tokens, env }) => {
    const file = posix.relative(ROOT, env.realPath ?? env.path);
    for (const token of tokens.flatMap((one) => [one, ...(one.children ?? [])])) {
      const [, path, anchor = ''] = /^([^:#]+)(#.*)?$/.exec(token.attrGet('href') ?? '') ?? [];
      const target = path && posix.join(posix.dirname(file), path);
      if (target?.endsWith('.md')) token.attrSet('href', linkTo(target) + anchor);
      else if (target)
        token.attrs = [
          ['href', BASE + pageOf(target)],
          ['target', '_self'],
        ]; // a file, not a page
      const aligned = /^text-align:(\w+)$/.exec(token.attrGet('style') ?? '')?.[1];
      if (aligned) token.attrs = [['class', aligned]];
    }
  });
};

/** As GitHub makes the anchors of headings. */
const slugify = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const colors = new Map<string, string>();
function classOf(style: string): string {
  const name = `c${createHash('sha256').update(style).digest('hex').slice(0, 6)}`;
  colors.set(name, style);
  return name;
}

const scripts = new Map<string, string>();

export default defineConfig({
  base: BASE,
  title: 'svc',
  description: 'Governed answers about warehouse data: every number with its SQL, its grade and a signed receipt.',
  srcDir: ROOT,
  srcExclude: ['!(docs)/**/*.md'],
  outDir: join(ROOT, 'dist/guide'),
  cacheDir: join(ROOT, 'node_modules/.cache/vitepress'),
  rewrites: pageOf,
  cleanUrls: true,
  metaChunk: true,
  router: { prefetchLinks: false },
  appearance: { disableTransition: false }, // it would add a style element
  head: [
    ['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }],
    ['link', { rel: 'stylesheet', href: `${BASE}code.css` }],
  ],
  markdown: {
    config: relink,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify },
    codeTransformers: [
      {
        span(node) {
          const { style, ...rest } = node.properties;
          if (typeof style === 'string') node.properties = { ...rest, class: classOf(style) };
        },
      },
    ],
  },
  transformHtml(html) {
    return html
      .replace(/<script id="([\w-]+)">(.*?)<\/script>/gs, (_, id: string, script: string) => {
        scripts.set(`${id}.js`, script);
        return `<script src="${BASE}${id}.js"></script>`;
      })
      .replace(/ style="[^"]*"/g, '');
  },
  buildEnd({ outDir }) {
    for (const [name, script] of scripts) writeFileSync(join(outDir, name), script);
    const rules = [...colors].map(([name, style]) => `.${name}{${style}}`);
    writeFileSync(join(outDir, 'code.css'), rules.sort().join('\n'));
    cpSync(join(ROOT, 'docs/deploy'), join(outDir, 'deploy'), { recursive: true });
  },
  themeConfig: {
    sidebar: sidebar(),
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        _render: (text, env, md) => (/^(measurements|changelog)/.test(env.relativePath) ? '' : md.render(text, env)),
      },
    },
    socialLinks: [
      {
        icon: { svg: '<svg viewBox="0 0 24 24"><path d="M3 4h18v12h-7l-5 4v-4H3z"/></svg>' },
        link: '/app',
        ariaLabel: 'Open the app',
      },
    ],
  },
});
