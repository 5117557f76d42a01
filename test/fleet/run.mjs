// Bundles the day of the fleet, and runs it: `npm run fleet`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { importBundled, root } from '../support/bundle.mjs';

if (existsSync(join(root, 'dist/main.js'))) {
  const main = join(import.meta.dirname, 'main.ts');
  const { loaded, close } = await importBundled('fleet', { main });
  // It loads more as it goes.
  process.exitCode = await loaded.runFleet(root, process.argv.slice(2)).finally(close);
} else {
  console.error('There is no dist/main.js yet. Run "npm ci" or "npm run build" first.');
  process.exitCode = 1;
}
