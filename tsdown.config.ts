import standalone from 'ajv/dist/standalone/index.js';
import { defineConfig } from 'tsdown';
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

export default defineConfig({
  entry: { main: 'src/main.ts' },
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  clean: true,
  sourcemap: false,
  dts: false,
  // What every start loads is read faster from one file.
  deps: { alwaysBundle: [/^(@marcbachmann\/cel-js|commander|string-width|yaml)(\/|$)/] },
  // Keep dynamic imports as chunks: each command loads only what it uses.
  outputOptions: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
  plugins: [
    {
      name: 'write-validators',
      load: {
        filter: { id: /\/src\/config\/schema\/schema-validators\.ts$/ },
        handler: () => ({ code: writeValidators(), moduleType: 'js' }),
      },
    },
  ],
});
