// Bundles the demo of the server as the program itself is bundled, and runs it: `npm run demo:server`.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'tsdown';

const root = resolve(import.meta.dirname, '../..');
if (existsSync(join(root, 'dist/main.js'))) {
  // Below node_modules, so that packages are found from there.
  const outDir = join(root, 'node_modules', '.cache', `hostwright-demo-${process.pid}`);
  await build({
    cwd: root,
    config: join(root, 'tsdown.config.ts'),
    entry: { main: join(import.meta.dirname, 'main.ts') },
    outDir,
    logLevel: 'silent',
  });
  const { runDemo } = await import(pathToFileURL(join(outDir, 'main.js')).href);
  await rm(outDir, { recursive: true });
  process.exitCode = await runDemo(root);
} else {
  console.error('There is no dist/main.js yet. Run "npm ci" or "npm run build" first.');
  process.exitCode = 1;
}
