// Bundles the programs that svc starts as processes. Node.js loads a few files in half the time of a thousand.
import { relative } from 'node:path';
import { defineConfig } from 'vite';

const SOURCE = `${import.meta.dirname}/src/`;
/** These packages consist of many files, and are plain JavaScript modules. */
const BUNDLED =
  /^(@fastify\/error|@modelcontextprotocol|commander|diff|fastest-levenshtein|fastify-type-provider-zod|ipaddr\.js|jose|lru-cache|yaml|zod)(\/|$)/;

export default defineConfig({
  publicDir: false,
  ssr: { noExternal: BUNDLED },
  plugins: [
    {
      name: 'svc:paths-of-dist',
      // Paths relative to a module are relative to its file in dist.
      transform(code, id) {
        if (!id.startsWith(SOURCE) || !code.includes('import.meta.url')) return;
        const file = `../${relative(SOURCE, id).replace(/ts$/, 'js')}`;
        return { code: code.replaceAll('import.meta.url', `new URL('${file}', import.meta.url).href`), map: null };
      },
    },
  ],
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist/bundle',
    emptyOutDir: false, // a running server still loads its files
    rolldownOptions: {
      input: [
        'src/cli.ts',
        'src/engines/duckdb/warehouse/duckdb-process.ts',
        'src/guard/guard-process.ts',
        'src/domain/project/files/files-process.ts',
        'src/domain/semantic/draft/draft-process.ts',
        'test/plugin-kit/plugin-checks.ts',
        'test/plugin-kit/plugin-command.ts',
      ],
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
});
