// The server of the API also serves the app. Its content security policy allows no inline code, and no code from other
// hosts.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [react()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
    reportCompressedSize: false,
  },
  // The server refuses writes from another origin, so start it with SVC_PUBLIC_BASE_URL=http://localhost:5173.
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(
      ['/v1', '/mgmt', '/auth', '/schemas', '/verify-signature', '/style.css'].map((path) => [
        path,
        'http://127.0.0.1:8080',
      ]),
    ),
  },
});
