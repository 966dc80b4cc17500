import { copyFile, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { FILES_KIND } from '../contract/files/config-file.ts';
import { Failure } from './terminal/failure.ts';

const PACKAGE_FOLDER = fileURLToPath(new URL('../..', import.meta.url));
const SAMPLE_LENS = 'superstore';
const SAMPLE_DATA = 'data/orders.parquet';

const WORKFLOW_TEXT = `# A pull request shows its changes, and a merge deploys them.
on: {pull_request: {}, push: {branches: [main]}}
jobs:
  svc:
    runs-on: ubuntu-latest
    env: {SVC_BASE_URL: "\${{ vars.SVC_BASE_URL }}", SVC_TOKEN: "\${{ secrets.SVC_TOKEN }}"}
    steps:
      - {uses: actions/checkout@v4}
      - {uses: actions/setup-node@v4, with: {node-version: 20}}
      - {run: npx svc plan .}
      - {run: npx svc apply . -m "$GITHUB_SHA", if: github.event_name == 'push'}
`;
const ENVIRONMENT_TEXT = `# svc does not read this file by itself: load it with "set -a; . ./.env". All variables: docs/configuration.md.
# SVC_PORT=8080
# DATABASE_URL=postgres://svc_owner:…@db/svc
# SVC_SECRET_KEY=
`;

export async function runInitCommand(folder: string): Promise<void> {
  const target = resolve(folder);
  await mkdir(target, { recursive: true });
  const existingNames = (await readdir(target)).filter((name) => !name.startsWith('.') && !IGNORED_FILES.has(name));
  if (existingNames.length > 0)
    throw new Failure(
      `${target} is not empty: it contains ${existingNames.slice(0, 3).join(', ')}. Choose an empty folder.`,
    );
  for (const path of ['data', '.github/workflows']) await mkdir(join(target, path), { recursive: true });
  await copyFile(join(PACKAGE_FOLDER, 'data/superstore.parquet'), join(target, SAMPLE_DATA));
  await cp(join(PACKAGE_FOLDER, 'lenses', SAMPLE_LENS), join(target, 'lenses', SAMPLE_LENS), { recursive: true });
  await writeFile(join(target, 'svc.config.yaml'), await buildSampleSettings());
  await writeFile(join(target, '.github/workflows/svc.yml'), WORKFLOW_TEXT);
  await writeFile(join(target, '.env'), ENVIRONMENT_TEXT, { mode: 0o600 });
  await writeFile(join(target, '.gitignore'), '.env\n.svc/\nnode_modules/\n');
  console.log(`Created a project with sample data in ${target}.

  Start the server there:  npx svc start
  Ask:                     npx svc ask ${SAMPLE_LENS} "What was revenue by region in 2016?"
  Add your own data:       npx svc introspect <URL or path> --out .`);
}

/** npm creates these files when it installs svc. `svc init` treats a folder with only these files as empty. */
const IGNORED_FILES = new Set(['node_modules', 'package.json', 'package-lock.json']);

async function buildSampleSettings(): Promise<string> {
  const { connections, groups } = parse(await readFile(join(PACKAGE_FOLDER, 'svc.config.yaml'), 'utf8')) as {
    connections: { shop: { kind: string; files: { orders: { select: string } } } };
    groups: Record<string, { lenses: string[] }>;
  };
  const orders = { ...connections.shop.files.orders, path: `./${SAMPLE_DATA}` };
  const sampleGroups = Object.entries(groups).filter(([, { lenses }]) => lenses.includes(SAMPLE_LENS));
  return stringify({
    instance: { name: 'svc', tagline: 'Governed answers about our data' },
    connections: { shop: { kind: FILES_KIND, files: { orders } } },
    groups: Object.fromEntries(sampleGroups),
  });
}
