// The deployment examples match the behavior of the service. Their schemas were checked by hand.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from './support/own-process.ts';

const read = (path: string) => readFile(join(ROOT, path), 'utf8');
const DRAIN_S = 30; // SECURITY F20

interface Container {
  env: { name: string; value: string }[];
  readinessProbe: { httpGet: { path: string } };
  livenessProbe: { httpGet: { path: string } };
  lifecycle: { preStop: { exec: { command: [string, string] } } };
}

it('Kubernetes: has two replicas, the right probes, and enough time to drain after the pause', async () => {
  const [deployment, service, budget] = parseAllDocuments(await read('docs/deploy/kubernetes.yaml')).map(
    (parseAllDocument) => {
      expect(parseAllDocument.errors).toEqual([]);
      return parseAllDocument.toJS();
    },
  );
  expect([deployment.kind, service.kind, budget.kind]).toEqual(['Deployment', 'Service', 'PodDisruptionBudget']);
  expect(deployment.spec.replicas).toBe(2);
  const { enableServiceLinks, terminationGracePeriodSeconds, containers } = deployment.spec.template.spec;
  // For a Service named svc, Kubernetes would set SVC_PORT to tcp://…, and svc would refuse to start.
  expect([service.metadata.name, enableServiceLinks]).toEqual(['svc', false]);
  const [svc] = containers as [Container];
  expect(svc.readinessProbe.httpGet.path).toBe('/ready');
  expect(svc.livenessProbe.httpGet.path).toBe('/health');
  const pause = Number(svc.lifecycle.preStop.exec.command[1]);
  expect(terminationGracePeriodSeconds).toBeGreaterThan(pause + DRAIN_S);
  const labels = deployment.spec.template.metadata.labels;
  for (const selector of [
    deployment.spec.selector.matchLabels,
    service.spec.selector,
    budget.spec.selector.matchLabels,
  ])
    expect(labels).toMatchObject(selector);
  const configSource = await read('src/config.ts');
  for (const { name } of svc.env) expect(configSource).toContain(`${name}:`);
});

it('Compose: has two replicas behind a balancer that checks /ready, and enough time to drain', async () => {
  const { services } = parse(await read('docs/deploy/docker-compose.replicas.yml'), { merge: true });
  const balancer = await read('docs/deploy/haproxy.cfg');
  const replicas = [...balancer.matchAll(/server \w+ ([\w-]+):(\d+)/g)];
  expect(replicas.map(([, name]) => name)).toEqual(['svc-a', 'svc-b']);
  for (const [, name] of replicas) {
    expect(Number.parseInt(services[name!].stop_grace_period, 10)).toBeGreaterThan(DRAIN_S);
    expect(services[name!].depends_on.migrate.condition).toBe('service_completed_successfully');
  }
  expect(balancer).toContain('option httpchk GET /ready');
  expect(services.balancer.ports[0]).toMatch(/^127\.0\.0\.1:/);
});

it.each(['docker-compose.yml', 'docs/deploy/docker-compose.replicas.yml'])(
  'Z19 %s: migrates when PostgreSQL is healthy over TCP, and retries after a failure',
  async (path) => {
    const { services } = parse(await read(path), { merge: true });
    expect(services.postgres.healthcheck.test.join(' ')).toContain('pg_isready -h 127.0.0.1 ');
    expect(services.migrate.depends_on.postgres.condition).toBe('service_healthy');
    expect(services.migrate.restart).toMatch(/^on-failure/);
  },
);

it('X7 depends only on packages that run on the oldest Node.js version in package.json', async () => {
  const { engines } = JSON.parse(await read('package.json'));
  const strict = ['ci', '--dry-run', '--engine-strict', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status, stdout, stderr } = spawnSync('npm', strict, { cwd: ROOT, encoding: 'utf8' });
  expect({ status, said: /EBADENGINE|Not compatible/.exec(stdout + stderr) }).toEqual({ status: 0, said: null });
  // npm compares the versions in the lock file. On a newer Node, the dry run proves less.
  const oldest = Number(/^>=(\d+)$/.exec(engines.node)![1]);
  const { packages } = JSON.parse(await read('package-lock.json')) as {
    packages: Record<string, { version: string; optional?: boolean; engines?: { node?: string } }>;
  };
  const newer = Object.entries(packages).filter(
    ([, { optional, engines: requiredNode }]) =>
      !optional && Number(/^>=\s*(\d+)[\d.]*$/.exec(requiredNode?.node ?? '')?.[1]) > oldest,
  );
  expect(newer.map(([path, { version }]) => `${path}@${version}`)).toEqual([]);
});

it('lists every package with install scripts in allowScripts, so that npm ci prints no warning', async () => {
  const { allowScripts } = JSON.parse(await read('package.json')) as { allowScripts: Record<string, boolean> };
  const { packages } = JSON.parse(await read('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const withScripts = Object.keys(packages).filter((path) => packages[path]!.hasInstallScript);
  const names = withScripts.map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(names)].sort());
});
