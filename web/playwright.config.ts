// Tests the app in a real browser, against one embedded server with the sample project. The first project uses the
// sign-in link and saves the session for the other projects. The last one stops the server.
import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

process.env['SVC_WEB_TEST_PORT'] ??= String(20_000 + (process.pid % 20_000));

/** Debian's packages. The headless shell takes a quarter less time than the whole browser. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/start-server.ts',
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    baseURL: `http://127.0.0.1:${process.env['SVC_WEB_TEST_PORT']}`,
    viewport: { width: 1280, height: 850 },
    permissions: ['clipboard-read', 'clipboard-write'],
    launchOptions: { executablePath: process.env['CHROMIUM'] ?? BROWSERS.find(existsSync), args: ['--no-sandbox'] },
  },
  projects: [
    { name: 'entering', testMatch: 'entering.spec.ts' },
    {
      name: 'signed in',
      testIgnore: ['entering.spec.ts', 'restart.spec.ts'],
      dependencies: ['entering'],
      use: { storageState: 'web/test-results/admin.json' },
    },
    {
      name: 'at the end',
      testMatch: 'restart.spec.ts',
      dependencies: ['signed in'],
      use: { storageState: 'web/test-results/admin.json' },
    },
  ],
});
