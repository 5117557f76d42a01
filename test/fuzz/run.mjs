// Bundles the fuzzer, and runs it: `npm run fuzz -- --minutes 5`.
import { join } from 'node:path';
import { importBundled, root } from '../support/bundle.mjs';

process.chdir(root);
await importBundled('fuzz', {
  main: join(import.meta.dirname, 'main.ts'),
  worker: join(import.meta.dirname, 'worker.ts'),
});
