// npm run engines runs tests of engines that aren't dependencies of svc. test/engines/run.ts installs the engines.
import { defineConfig } from 'vitest/config';
import { builtSource } from './test/support/built-source.ts';

export default defineConfig({
  plugins: [builtSource],
  test: {
    server: { deps: { external: [/\/dist\//] } },
    include: ['test/engines/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/after-file.ts', 'test/support/all-dialects.ts'],
    testTimeout: 60_000,
    hookTimeout: 300_000,
    maxWorkers: 1,
  },
});
