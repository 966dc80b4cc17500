// npm test runs the tests that call svc in their own process. npm run test:processes runs those that start processes, such
// as commands, servers and builds.
import { defineConfig } from 'vitest/config';
import { builtSource } from './test/support/built-source.ts';

const project = (name: string, { include, exclude }: Record<'include' | 'exclude', string[]>) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude: [...exclude, 'test/long/**', 'test/alone/**', 'test/engines/**', '**/node_modules/**'],
  },
});

export default defineConfig({
  plugins: [builtSource],
  test: {
    server: { deps: { external: [/\/dist\//] } },
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/after-file.ts', 'test/support/all-dialects.ts', 'test/support/cheap-passwords.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two more than the processors of the smallest machine, because tests wait for processes and databases.
    maxWorkers: 4,
    // Loads the service once for each worker instead of once for each of two hundred files.
    isolate: false,
    projects: [
      project('svc', { include: ['src/**/*.test.ts', 'test/**/*.test.ts'], exclude: ['**/*.process.test.ts'] }),
      project('processes', { include: ['test/**/*.process.test.ts'], exclude: [] }),
    ],
  },
});
