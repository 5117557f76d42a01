// Bundles one benchmark, and runs it: `npm run bench -- sandbox`.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { importBundled } from '../support/bundle.mjs';

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
  const entry = { [name]: join(import.meta.dirname, `${name}.ts`) };
  // It looks for its own files where it was installed.
  const { close } = await importBundled('bench', entry, {
    deps: { neverBundle: ['playwright-core'] },
  });
  await close();
}
