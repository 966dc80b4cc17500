// npm run engines: runs tests that need an engine that isn't a dependency of svc. test/engines/run.ts selects and installs
// the engines.
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
