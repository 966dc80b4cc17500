// npm run test:alone: runs tests that measure time. Nothing else may run on the machine meanwhile.
import { defineConfig } from 'vitest/config';
import { builtSource } from './test/support/built-source.ts';

/** These files measure processor time, or wait for timeouts of seconds, so they can run at the same time. */
const TOGETHER = ['long-questions', 'wide-projects', 'outages'].map((name) => `test/alone/${name}.test.ts`);

export default defineConfig({
  plugins: [builtSource],
  test: {
    server: { deps: { external: [/\/dist\//] } },
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/after-file.ts', 'test/support/all-dialects.ts'],
    testTimeout: 600_000,
    hookTimeout: 240_000,
    projects: [
      {
        extends: true,
        test: { name: 'together', include: TOGETHER, maxWorkers: TOGETHER.length, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          name: 'one by one',
          include: ['test/alone/**/*.test.ts'],
          exclude: TOGETHER,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
