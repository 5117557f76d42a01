import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import standalone from 'ajv/dist/standalone/index.js';
import { defineConfig } from 'tsdown';
import { parse } from 'yaml';
import { lightenDependencies } from './dependencies.config.ts';
import {
  nameFieldValidator,
  createSchemaCompiler,
  findRepeatedItemIndex,
  schemaValidatorNames,
} from './src/config/schema/schema-validators.ts';

/** `schema-validators.ts` with its functions written out: to compile them takes longer than all else at a start. */
function writeValidators(): string {
  const ids = schemaValidatorNames.map((name, index) => [`validate${index}Of`, name] as const);
  const code = standalone.default(
    createSchemaCompiler({ source: true, esm: true }),
    Object.fromEntries(ids),
  );
  return `${findRepeatedItemIndex.toString()}
${code}
const validators = { ${ids.map(([id, name]) => `${JSON.stringify(name)}: ${id}`).join(', ')} };
export const nameFieldValidator = ${nameFieldValidator.toString()};
export const findValidator = (name) => validators[name];`;
}

/** The module of a contract's reader with the contract in it, so that no YAML is read when a sandbox or a server opens. */
function writeContract(name: string, reader: string): string {
  const file = resolve(import.meta.dirname, 'schemas', name);
  const text = JSON.stringify(parse(readFileSync(file, 'utf8')));
  return `export const ${reader} = async () => JSON.parse(${JSON.stringify(text)});`;
}

/** Modules of `src`, by their paths there without `.ts`. */
const among = (...paths: readonly string[]) => {
  const files = new Set(paths.map((path) => resolve(import.meta.dirname, `src/${path}.ts`)));
  return (id: string) => files.has(id);
};

/** What commands that plan nothing use, too. */
const commonPlaces = [
  /\/src\/(api\/(contract|errors)|cli\/flags|model|render\/format|state\/(encryption|lock))\//,
  /\/src\/(sandbox\/data-file|state\/backends\/[a-z-]+)\.ts$/,
  /\/node_modules\/ajv\/dist\/runtime\//,
];

/**
 * One file is read faster than a hundred: each chunk here is what it names with all that these import, less what the chunks
 * before it have.
 */
const chunks = [
  {
    // What every start loads, and what `version` loads besides.
    name: 'start',
    test: among(
      ...['clock', 'execute-command', 'program', 'watch-ends', 'commands/version-command'].map(
        (name) => `cli/${name}`,
      ),
      ...['cli/network/open-network', 'cli/output/output-sink', 'model/version'],
    ),
  },
  { name: 'common', test: (id: string) => commonPlaces.some((place) => place.test(id)) },
  { name: 'configuration', test: among('config/load-configuration') },
  { name: 'contract', test: among('config/contract/read-contract-file') },
  { name: 'plan', test: among('commands/lifecycle/plan', 'engine/make-plan') },
  { name: 'apply', test: among('commands/lifecycle/apply') },
  { name: 'network', test: among('cli/network/dispatcher', 'cli/network/exchange') },
  {
    name: 'postgres',
    test: (id: string) => /\/state\/backends\/postgres\/[a-z-]+\.ts$|\/node_modules\/pg\//.test(id),
  },
];

export default defineConfig({
  entry: { main: 'src/main.ts', thread: 'src/cli/thread.ts' },
  outDir: 'dist',
  // Node begins a CommonJS module a seventh of its own start sooner.
  format: 'cjs',
  // Nobody imports it. And what is loaded late in the source may be in a chunk that is loaded anyway.
  checks: { legacyCjs: false, ineffectiveDynamicImport: false },
  platform: 'node',
  target: 'node20.19',
  clean: true,
  sourcemap: false,
  dts: false,
  deps: {
    alwaysBundle: [
      /^(@marcbachmann\/cel-js|@noble\/hashes|canonicalize|ajv|ajv-formats|commander|diff|p-queue|pg|re2js|string-width|undici|yaml|hono\/html)(\/|$)/,
    ],
  },
  // Keep dynamic imports as chunks: each command loads only what it uses.
  outputOptions: {
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups: chunks },
    strict: true,
    // A third of what is read at a start would be for nobody: the source has it.
    comments: { jsdoc: false },
  },
  plugins: [
    ...lightenDependencies(import.meta.dirname),
    {
      name: 'mark-commonjs',
      generateBundle({ format }) {
        if (format !== 'cjs') return;
        const source = '{ "type": "commonjs" }\n';
        this.emitFile({ type: 'asset', fileName: 'package.json', source });
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
        filter: { id: /\/src\/sandbox\/contract\/read-contract\.ts$/ },
        handler: () => ({
          code: writeContract('openapi.yaml', 'readServiceContract'),
          moduleType: 'js',
        }),
      },
    },
    {
      name: 'write-server-contract',
      load: {
        filter: { id: /\/src\/server\/api\/read-server-contract\.ts$/ },
        handler: () => ({
          code: writeContract('server.yaml', 'readServerContract'),
          moduleType: 'js',
        }),
      },
    },
  ],
});
