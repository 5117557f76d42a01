// Bundles what a script runs as the program itself is bundled, but as a module: scripts wait at their top.
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'tsdown';

export const root = resolve(import.meta.dirname, '../..');

/**
 * Bundles entries (names to files) and imports the first one. `close` removes the bundle.
 * @param {string} name of the bundle, for its folder
 * @param {Readonly<Record<string, string>>} entry
 * @param {object} [more] options of the bundler
 */
export async function importBundled(name, entry, more = {}) {
  // Below node_modules, so that packages are found from there.
  const outDir = join(root, 'node_modules', '.cache', `hostwright-${name}-${process.pid}`);
  await build({
    cwd: root,
    config: join(root, 'tsdown.config.ts'),
    ...{ entry, outDir, format: 'esm', logLevel: 'silent' },
    ...more,
  });
  const [first] = Object.keys(entry);
  const loaded = await import(pathToFileURL(join(outDir, `${first}.js`)).href);
  return { loaded, close: () => rm(outDir, { recursive: true, force: true }) };
}
