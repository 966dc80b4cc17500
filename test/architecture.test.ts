// The code follows ARCHITECTURE.md: paths exist, and each dangerous operation has one place. `npm run deps:check` checks
// the import rules.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const sources = (folder = 'src'): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : path.endsWith('.ts') && !path.endsWith('.test.ts') ? [path] : [];
  });
const filesContaining = (pattern: RegExp): string[] =>
  sources().filter((path) => pattern.test(readFileSync(path, 'utf8')));

describe('the source tree', () => {
  it('reads the environment in two files only', () => {
    expect(filesContaining(/process\.env\b/).filter((path) => !path.includes('embedded-postgres'))).toEqual([
      'src/cli/client-environment.ts',
      'src/config.ts',
    ]);
  });

  it('creates guarded SQL only in src/guard', () => {
    const makers = filesContaining(/as (unknown as )?GuardedSql\b/);
    const outside = makers.filter((path) => !path.startsWith('src/guard/'));
    expect(outside).toEqual([]);
    expect(makers.length).toBeGreaterThan(0);
  });

  it('names no engine in the modules that check, compile and answer statements', () => {
    const names = /['"`](duckdb|postgres|mysql|mariadb)['"`]|\b(duckdb|postgres|mysql): [{(]/i;
    const allowed = /^src\/(dialects|engines|adapters|contract)\/|^src\/config\.ts$/;
    expect(filesContaining(names).filter((path) => !allowed.test(path))).toEqual([]);
    expect(filesContaining(names).filter((path) => /^src\/(dialects|engines)\//.test(path)).length).toBeGreaterThan(2);
  });

  it('RLS-04 opens tenant transactions in one module', () => {
    expect(filesContaining(/svc\.org_id/)).toEqual(['src/platform/tenancy/tenant.ts']);
  });

  it('lets no surface access the control database directly', () => {
    const directUsers = filesContaining(/\.(inTenant|global)\(|deps\.(lenses|traces)\.\w+\(/);
    expect(directUsers.filter((path) => path.startsWith('src/surfaces/'))).toEqual([]);
    expect(directUsers.length).toBeGreaterThan(20);
  });

  it('gives each surface only the dependencies that it uses', () => {
    const whole = filesContaining(/: Deps\b|<Deps>/).filter((path) => path.startsWith('src/surfaces/'));
    expect(whole).toEqual([]);
    expect(filesContaining(/Pick<\s*Deps,/).length).toBeGreaterThan(10);
  });

  it('has no utils, helpers, common or types module', () => {
    expect(sources().filter((path) => /(^|\/)(utils?|helpers?|common|types)(\/|\.ts$)/.test(path))).toEqual([]);
  });

  it('has at most 25 files in a folder', () => {
    const files = readdirSync('src', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const byFolder = new Map<string, number>();
    for (const { parentPath } of files) byFolder.set(parentPath, (byFolder.get(parentPath) ?? 0) + 1);
    expect([...byFolder].filter(([, count]) => count > 25)).toEqual([]);
    expect(byFolder.size).toBeGreaterThan(50);
  });
});

describe('ARCHITECTURE.md', () => {
  it('names only paths that exist', () => {
    const namedPaths = [
      ...readFileSync('ARCHITECTURE.md', 'utf8').matchAll(/`((?:src|test|migrations)\/[\w./-]*|\.[\w-]+\.cjs)`/g),
    ].map((match) => match[1]!);
    expect(namedPaths.length).toBeGreaterThan(20);
    expect(namedPaths.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('X6 names the MCP SDK package that svc uses, in its second major version', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const [used] = Object.keys(dependencies).filter((name) => name.startsWith('@modelcontextprotocol/'));
    expect(readFileSync('ARCHITECTURE.md', 'utf8')).toMatch(
      new RegExp(`second major version of the official SDK\\s\\(\`${used}\`\\)`),
    );
  });

  it('names every folder of src/domain', () => {
    const text = readFileSync('ARCHITECTURE.md', 'utf8');
    const domainFolders = readdirSync('src/domain', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const nouns = domainFolders.map(({ name }) => name).filter((name) => readdirSync(`src/domain/${name}`).length > 0);
    expect(nouns.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
