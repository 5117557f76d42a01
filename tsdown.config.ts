import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import standalone from 'ajv/dist/standalone/index.js';
import { defineConfig } from 'tsdown';
import { parse } from 'yaml';
import { nameField, openCompiler, validatorNames } from './src/config/schema/schema-validators.ts';

/** `schema-validators.ts` with its functions written out: to compile them takes longer than all else at a start. */
function writeValidators(): string {
  const ids = validatorNames.map((name, index) => [`validate${index}Of`, name] as const);
  const code = standalone.default(
    openCompiler({ source: true, esm: true }),
    Object.fromEntries(ids),
  );
  return `import { findTwin } from './find-twin.ts';
${code}
const validators = { ${ids.map(([id, name]) => `${JSON.stringify(name)}: ${id}`).join(', ')} };
export const nameField = ${nameField.toString()};
export const findValidator = (name) => validators[name];`;
}

/** `read-contract.ts` with the contract in it, so that no YAML is read when a sandbox or a server is opened. */
function writeContract(name: string): string {
  const file = resolve(import.meta.dirname, 'schemas', name);
  const text = JSON.stringify(parse(readFileSync(file, 'utf8')));
  return `export const readContract = async () => JSON.parse(${JSON.stringify(text)});`;
}

/** What every start loads, and what `version` loads besides. Not `main.ts`, which waits for what it imports on its way. */
const startFiles = [
  ...['clock', 'execute-command', 'program', 'watch-ends', 'commands/version-command'].map(
    (name) => `cli/${name}`,
  ),
  ...['cli/network/open-network', 'cli/output/output-sink', 'commands/session/version'],
].map((name) => resolve(import.meta.dirname, `src/${name}.ts`));

export default defineConfig({
  entry: { main: 'src/main.ts', thread: 'src/cli/thread.ts' },
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  clean: true,
  sourcemap: false,
  dts: false,
  // What every start loads is read faster from one file.
  deps: { alwaysBundle: [/^(@marcbachmann\/cel-js|commander|js-yaml|string-width|yaml)(\/|$)/] },
  // Keep dynamic imports as chunks: each command loads only what it uses.
  outputOptions: {
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // With what they import; one file is read faster than many.
    codeSplitting: { groups: [{ name: 'start', test: (id) => startFiles.includes(id) }] },
    // A third of what is read at a start would be for nobody: the source has it.
    comments: { jsdoc: false },
  },
  plugins: [
    {
      // It would load processes for subcommands that are programs of their own, of which there are none here.
      name: 'no-executable-subcommands',
      resolveId: {
        filter: { id: /^node:child_process$/ },
        handler: (_, importer) =>
          importer?.includes('/commander/') ? '\0no-child-process' : undefined,
      },
      load: {
        filter: { id: /^\0no-child-process$/ },
        handler: () => ({ code: 'export {};', moduleType: 'js' }),
      },
    },
    {
      name: 'write-validators',
      load: {
        filter: { id: /\/src\/config\/schema\/schema-validators\.ts$/ },
        handler: () => ({ code: writeValidators(), moduleType: 'js' }),
      },
    },
    {
      name: 'write-contract',
      load: {
        filter: { id: /\/src\/sandbox\/server\/read-contract\.ts$/ },
        handler: () => ({ code: writeContract('openapi.yaml'), moduleType: 'js' }),
      },
    },
    {
      name: 'write-server-contract',
      load: {
        filter: { id: /\/src\/server\/api\/read-server-contract\.ts$/ },
        handler: () => ({ code: writeContract('server.yaml'), moduleType: 'js' }),
      },
    },
  ],
});
