// Bundles the counting as the program itself is bundled, and runs it: `npm run counts`.
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'tsdown';

const root = resolve(import.meta.dirname, '../..');
// Below node_modules, so that packages are found from there.
const outDir = join(root, 'node_modules', '.cache', `hostwright-counts-${process.pid}`);
await build({
  cwd: root,
  config: join(root, 'tsdown.config.ts'),
  entry: { main: join(import.meta.dirname, 'print-counts.ts') },
  outDir,
  deps: { neverBundle: ['typescript'] },
  logLevel: 'silent',
});
await import(pathToFileURL(join(outDir, 'main.js')).href);
