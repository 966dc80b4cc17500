// npm run test:alone runs tests that measure time, so nothing else may run on the machine meanwhile.
import { defineConfig } from 'vitest/config';
import { builtSource } from './test/support/built-source.ts';

export default defineConfig({
  plugins: [builtSource],
  test: {
    server: { deps: { external: [/\/dist\//] } },
    include: ['test/alone/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/after-file.ts', 'test/support/all-dialects.ts'],
    testTimeout: 600_000,
    hookTimeout: 240_000,
    maxWorkers: 1,
  },
});
