// Bundles the demo of the server, and runs it: `npm run demo:server`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { importBundled, root } from '../support/bundle.mjs';

if (existsSync(join(root, 'dist/main.js'))) {
  const main = join(import.meta.dirname, 'main.ts');
  const { loaded, close } = await importBundled('demo', { main });
  // It loads more as it goes.
  process.exitCode = await loaded.runDemo(root).finally(close);
} else {
  console.error('There is no dist/main.js yet. Run "npm ci" or "npm run build" first.');
  process.exitCode = 1;
}
