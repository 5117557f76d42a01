import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

/**
 * Which folder may import which, one row a layer. A row may name one folder of a layer: `api/contract`.
 * test/unit/architecture.test.ts reads this very table, so lint and test cannot disagree.
 */
export const layers = {
  model: [],
  expressions: ['model'],
  kinds: ['model', 'api/contract'],
  plan: ['model', 'kinds', 'expressions'],
  checks: ['model', 'kinds', 'expressions'],
  render: ['model', 'kinds'],
  config: ['model', 'kinds', 'expressions', 'api/contract'],
  live: ['model', 'kinds', 'api'],
  api: ['model'],
  state: ['model'],
  modules: ['model', 'config/modules', 'state/backends'],
  execute: ['model', 'kinds', 'expressions', 'plan/deferred', 'plan/values', 'api', 'state'],
  engine: ['model', 'kinds', 'expressions', 'plan', 'checks', 'live', 'api', 'state', 'execute'],
  sandbox: ['model', 'api/contract'],
  binding: ['model', 'api/contract'],
  commands: [
    'model',
    'expressions',
    'kinds',
    'plan',
    'checks',
    'render',
    'config',
    'live',
    'api',
    'state',
    'modules',
    'execute',
    'engine',
    'sandbox',
    'binding',
  ],
  server: ['commands', 'render', 'state', 'model', 'modules'],
  cli: ['commands', 'render', 'model', 'server'],
};

/** Folders that take values and return values: no clock, no randomness, no I/O. */
export const pureLayers = ['model', 'expressions', 'kinds', 'plan', 'checks', 'render', 'binding'];

const pureGlobals = [
  'process',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'performance',
  'crypto',
  'console',
].map((name) => ({ name, message: 'This layer is pure: take it as a value.' }));

/** How deep a folder of a layer may lie: an import is written the way it leaves its own. */
const depths = [1, 2, 3];

/** The import rules of one layer, as eslint blocks: one for each depth of its folders. */
function layerBlocks([layer, allowed]) {
  return depths.map((depth) => layerBlock(layer, allowed, depth));
}

function layerBlock(layer, allowed, depth) {
  const reachable = [layer, ...allowed];
  const up = '\\.\\./'.repeat(depth);
  const forbidden = Object.keys(layers)
    .filter((other) => !reachable.includes(other))
    .map((other) => {
      const open = reachable.filter((one) => one.startsWith(`${other}/`));
      const except = open.map((one) => `(?!${one.slice(other.length + 1)}/)`).join('');
      return {
        regex: `^${up}${other}/${except}`,
        message: `${layer} may import ${allowed.join(', ') || 'nothing'} only.`,
      };
    });
  const isPure = pureLayers.includes(layer);
  // A hash is a function of its text; the architecture test refuses the rest of that module.
  if (isPure) {
    forbidden.push({ regex: '^node:(?!util$|crypto$)', message: `${layer} is pure: no I/O.` });
  }
  return {
    files: [`src/${layer}/${'*/'.repeat(depth - 1)}*.ts`],
    rules: {
      'no-restricted-imports': ['error', { patterns: forbidden }],
      ...(isPure && {
        'no-restricted-globals': ['error', ...pureGlobals],
        'no-restricted-properties': [
          'error',
          {
            object: 'Date',
            property: 'now',
            message: 'This layer is pure: take the time as a value.',
          },
          { object: 'Math', property: 'random', message: 'This layer is pure.' },
        ],
      }),
    },
  };
}

export default tseslint.config(
  {
    ignores: [
      'dist',
      'coverage',
      'gallery',
      'node_modules',
      'src/api/contract/schema.ts',
      'src/server/contract.ts',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  ...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    languageOptions: {
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', fetch: 'readonly' },
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ObjectExpression > SpreadElement > ObjectExpression',
          message: 'A literal that is spread is not checked for excess members: write them out.',
        },
      ],
    },
  },
  { files: ['test/**/*.ts'], rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
  ...Object.entries(layers).flatMap(layerBlocks),
);
