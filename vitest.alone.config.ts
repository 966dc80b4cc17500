// npm run test:alone: what looks at the clock, so that nothing else may run meanwhile; one file after another.
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
