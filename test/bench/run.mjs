// Bundles one benchmark as the program itself is bundled, and runs it: `npm run bench -- sandbox`.
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'tsdown';

const root = resolve(import.meta.dirname, '../..');
const known = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -'.ts'.length));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  process.exit(1);
}
for (const name of wanted.length > 0 ? wanted : known) {
  // Below node_modules, so that packages are found from there.
  const outDir = join(root, 'node_modules', '.cache', `hostwright-bench-${process.pid}`);
  await build({
    cwd: root,
    config: join(root, 'tsdown.config.ts'),
    entry: { [name]: join(import.meta.dirname, `${name}.ts`) },
    outDir,
    // It looks for its own files where it was installed.
    deps: { neverBundle: ['playwright-core'] },
    logLevel: 'silent',
  });
  await import(pathToFileURL(join(outDir, `${name}.js`)).href);
  await rm(outDir, { recursive: true, force: true });
}
