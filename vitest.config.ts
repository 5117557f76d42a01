import { defineConfig } from 'vitest/config';

/** The pure core: what plans are made of. Its branches are covered to 95 % or the unit suite fails. */
const pureCore = ['model', 'kinds', 'plan', 'checks', 'render'].map(
  (layer) => `src/${layer}/**/*.ts`,
);

const suite = (name: string, include: string[], timeoutMs = 20_000) => ({
  extends: true as const,
  test: { name, include, testTimeout: timeoutMs, hookTimeout: timeoutMs },
});

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
      suite('unit', [
        'test/unit/**/*.test.ts',
        'test/golden/**/*.test.ts',
        'test/property/**/*.test.ts',
      ]),
      suite('contract', ['test/contract/**/*.test.ts'], 60_000),
      suite('scenario', ['test/scenario/**/*.test.ts'], 120_000),
      suite('cli', ['test/cli/**/*.test.ts'], 120_000),
    ],
  },
});
