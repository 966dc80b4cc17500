// npm run docs:screenshots takes the screenshots in docs/, which show the sample project.
import { defineConfig } from '@playwright/test';
import config from './playwright.config.ts';

export default defineConfig({
  ...config,
  testDir: 'e2e',
  testMatch: 'screenshots.ts',
  projects: [{ name: 'screenshots' }],
});
