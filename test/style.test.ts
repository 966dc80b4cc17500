// The documentation and the strings in the code follow docs/style.md: they contain no words to avoid, and their links
// and paths exist.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const AVOIDED: [RegExp, string][] = [
  [/\b(nobody|somebody|anybody)\b/i, 'name the actor, or write "no one", "someone", "anyone"'],
  [/\bstands\b/i, 'write "is", "applies" or "appears"'],
  [/\bbesides?\b/i, 'write "next to", "with", "in addition to" or "compared with"'],
  [/\b(of whose|of which|whereof)\b/i, 'write "whose", or two sentences'],
  [/\b(it is said|(is|are|be|was) (said|told))\b/i, 'name who says it'],
  [/\baskers?\b/i, 'write "caller"'],
  [/\b(tells|told)\b/i, 'write "shows", "says" or "states"'],
  [/(^|[.:;]\s|\|\s|\*\*)What (?![^.?|]*\?)[^|]*[.;]/, 'name the subject instead of "what …"'],
  [/[;:,]\s+what [^,.;?|]+ (is|are|has|was|were|gets|goes|comes|runs)\b/, 'name the subject instead of "what …"'],
  [/\b(whoever|whomever)\b/i, 'write "anyone who" or "the caller that"'],
  [/\banew\b/i, 'write "again"'],
  [/\b(thereby|therein|thereof|hereby)\b/i, 'leave it out'],
  [/\bthe very\b/i, 'write "the same" or "exactly"'],
  [/\b(in order to|utili[sz]e)\b/i, 'write "to" or "use"'],
  [/\b(please|simply|obviously)\b/i, 'leave it out'],
  [
    /\b(colour|behaviour|favour|honour|neighbour|(un)?labelled|catalogues?|centre|defence|licence|grey|(organ|recogn|normal|material|author|summar)is(e|ed|es|ing|ation)s?)\b/i,
    'use the American spelling',
  ],
];

const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path, ending) : ending.test(path) ? [path] : [];
  });
const pages = (folder: string): string[] => filesIn(folder, /\.md$/);
const ALL = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', ...pages('docs')];

/** The lines of a page, with code and quoted examples blanked. */
const prose = (path: string): string[] => {
  let fenced = false;
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => {
      if (/^\s*```/.test(line)) fenced = !fenced;
      const code = fenced || /^(```| {4})/.test(line);
      return code ? '' : line.replace(/`[^`]*`/g, '``');
    });
};

/** The anchors that GitHub generates for headings. */
const anchors = (path: string): Set<string> => {
  const foundAnchors = new Set<string>();
  let fenced = false;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line.startsWith('```')) fenced = !fenced;
    const heading = fenced ? null : /^#+ (.*)/.exec(line)?.[1];
    if (!heading) continue;
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    let anchor = slug;
    for (let n = 1; foundAnchors.has(anchor); n++) anchor = `${slug}-${n}`;
    foundAnchors.add(anchor);
  }
  return foundAnchors;
};

function brokenLink(from: string, link: string): string | null {
  const [target, anchor] = link.split('#') as [string, string | undefined];
  const path = target === '' ? from : normalize(join(dirname(from), decodeURIComponent(target)));
  if (!existsSync(path)) return `${link} leads to no file`;
  if (anchor !== undefined && statSync(path).isFile() && !anchors(path).has(anchor))
    return `${link} leads to no heading`;
  return null;
}

/** The strings in the code that people read: literals of four words or more, and the text of elements. */
function textsOf(path: string): { line: number; text: string }[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const foundTexts: { line: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (
      ts.isStringLiteralLike(node) ||
      ts.isJsxText(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node)
    ) {
      if (PROSE.test(node.text))
        foundTexts.push({ line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return foundTexts;
}
const PROSE = /[a-z’']+[,:;]? [a-z’']+[,:;]? [a-z’']+/i;
/** Words in questions, in SQL, and in external formats. */
const NOT_OURS =
  /src\/reader\/|planner|dialect|functions\.ts|grammar|(semantic|measure)-?words|-words\.ts|number-words|read-numbers|\.test\.tsx?$/;

it('finds no avoided words in the strings of the code', () => {
  const avoidedWords = ['src', 'web/src']
    .flatMap((folder) => filesIn(folder, /\.tsx?$/))
    .filter((path) => !NOT_OURS.test(path))
    .flatMap((path) =>
      textsOf(path).flatMap(({ line, text }) =>
        AVOIDED.flatMap(([pattern, advice]) => {
          const word = pattern.exec(text)?.[0].trim();
          return word ? [`${path}:${line} "${word}" in "${text.slice(0, 80)}": ${advice}`] : [];
        }),
      ),
    );
  expect(avoidedWords).toEqual([]);
});

it('finds no words in the pages that docs/style.md says to avoid', () => {
  const kept = /^docs.measurements/; // logs keep the words of their time
  const avoidedWords = ALL.filter((path) => !kept.test(path)).flatMap((path) =>
    prose(path).flatMap((line, index) =>
      line.startsWith('#')
        ? []
        : AVOIDED.flatMap(([pattern, advice]) => {
            const word = pattern.exec(line.replace(/\]\([^)]*\)/g, ']'))?.[0].trim();
            return word ? [`${path}:${index + 1} "${word}": ${advice}`] : [];
          }),
    ),
  );
  expect(avoidedWords).toEqual([]);
});

it('names only existing paths of the code in the pages', () => {
  const namedPaths = ALL.filter((path) => !/^docs.measurements/.test(path)).flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/`((?:src|test|web|migrations)\/[\w./-]+)`/g)].map(
      ([, file]) => [path, file!] as const,
    ),
  );
  expect(namedPaths.length).toBeGreaterThan(20);
  expect(namedPaths.filter(([, file]) => !existsSync(file) && !/^web.test-results/.test(file))).toEqual([]);
});

it('links only to existing files and headings in the pages', () => {
  const brokenLinks = ALL.flatMap((path) =>
    prose(path).flatMap((line, index) =>
      [...line.matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, link]) => link!)
        .filter((link) => !/^[a-z]+:/.test(link))
        .flatMap((link) => {
          const fault = brokenLink(path, link);
          return fault ? [`${path}:${index + 1} ${fault}`] : [];
        }),
    ),
  );
  expect(brokenLinks).toEqual([]);
});
