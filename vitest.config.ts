import { defineConfig } from 'vitest/config';
import { builtSource } from './test/support/built-source.ts';

export default defineConfig({
  plugins: [builtSource],
  test: {
    server: { deps: { external: [/\/dist\//] } },
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/after-file.ts', 'test/support/all-dialects.ts', 'test/support/cheap-passwords.ts'],
    exclude: ['test/long/**', 'test/alone/**', 'test/engines/**', '**/node_modules/**'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two more than the processors of the smallest machine, because tests wait for processes and databases.
    maxWorkers: 4,
    // Loads the service once for each worker instead of once for each of two hundred files.
    isolate: false,
  },
});
