import { defineConfig } from 'vitest/config';

/** The pure core: what plans are made of. Its branches are covered to 95 % or the unit suite fails. */
const pureCore = ['model', 'expressions', 'kinds', 'plan', 'checks', 'render'].map(
  (layer) => `src/${layer}/**/*.ts`,
);

const suite = (name: string, include: string[], timeoutMs: number) => ({
  extends: true as const,
  test: { name, include, testTimeout: timeoutMs, hookTimeout: timeoutMs },
});

/** Tests of values in, values out: they share their modules, since loading those anew for each file costs most. */
const unit = suite(
  'unit',
  ['test/unit/**/*.test.ts', 'test/golden/**/*.test.ts', 'test/property/**/*.test.ts'],
  60_000,
);

const cli = suite('cli', ['test/cli/**/*.test.ts'], 120_000);

export default defineConfig({
  test: {
    environment: 'node',
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: pureCore,
      reporter: ['text-summary', 'json-summary'],
      thresholds: { branches: 95 },
    },
    projects: [
      { ...unit, test: { ...unit.test, isolate: false } },
      suite('contract', ['test/contract/**/*.test.ts'], 60_000),
      suite('scenario', ['test/scenario/**/*.test.ts'], 120_000),
      {
        ...cli,
        // The parser of workflows imports JSON as bundlers do; its source maps lead nowhere, which nobody need read.
        logLevel: 'error' as const,
        test: { ...cli.test, server: { deps: { inline: ['@actions/workflow-parser'] } } },
      },
    ],
  },
});
