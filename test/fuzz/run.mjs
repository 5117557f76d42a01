// Bundles the fuzzer as the program itself is bundled, and runs it: `npm run fuzz -- --minutes 5`.
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'tsdown';

const root = resolve(import.meta.dirname, '../..');
// Below node_modules, so that packages are found from there.
const outDir = join(root, 'node_modules', '.cache', `hostwright-fuzz-${process.pid}`);
await build({
  cwd: root,
  config: join(root, 'tsdown.config.ts'),
  entry: {
    main: join(import.meta.dirname, 'main.ts'),
    worker: join(import.meta.dirname, 'worker.ts'),
  },
  outDir,
  logLevel: 'silent',
});
process.chdir(root);
await import(pathToFileURL(join(outDir, 'main.js')).href);
