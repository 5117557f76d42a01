import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { main: 'src/main.ts' },
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  clean: true,
  sourcemap: false,
  dts: false,
  // Keep dynamic imports as chunks: each command loads only what it uses.
  outputOptions: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
});
