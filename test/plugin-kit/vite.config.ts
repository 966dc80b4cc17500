// Builds the kit into dist/plugin-kit. The build imports svc's own modules from dist.
import { defineConfig } from 'vite';

const SOURCE = /^.*\/src\/(.*)\.ts$/;

export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist/plugin-kit',
    rolldownOptions: {
      input: ['plugin-checks', 'plugin-command'].map((name) => `${import.meta.dirname}/${name}.ts`),
      external: (id) => SOURCE.test(id),
      output: { entryFileNames: '[name].js', paths: (id) => id.replace(SOURCE, '../$1.js') },
    },
  },
});
