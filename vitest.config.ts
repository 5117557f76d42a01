import { execFileSync } from 'node:child_process';
import { configDefaults, defineConfig } from 'vitest/config';
import { budgetVariables, readBudget } from './test/support/budget/budget.ts';

/** The commit that is checked out; none where there is no git, as in an archive. */
function readCommit(): string {
  try {
    const options = { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' } as const;
    return execFileSync('git', ['rev-parse', 'HEAD'], options).slice(0, 8);
  } catch {
    return 'none';
  }
}

const { tier } = readBudget();

/** Files that only a higher tier runs: `*.ci.test.ts` from `.ci/run` on, `*.full.test.ts` in the full tier alone. */
const higherTiers = { short: ['**/*.{ci,full}.test.ts'], ci: ['**/*.full.test.ts'], full: [] }[
  tier
];
const draw = process.env[budgetVariables.draw] ?? readCommit();

/** The pure core: what plans are made of. Its branches are covered to 95 % or the unit suite fails. */
const pureCore = ['model', 'expressions', 'kinds', 'plan', 'checks', 'render'].map(
  (layer) => `src/${layer}/**/*.ts`,
);

/** Where one test tries all that there is, it takes as many times longer as it has more to try. */
const longer = tier === 'full' ? 10 : 1;

const suite = (name: string, include: string[], timeoutMs: number) => ({
  extends: true as const,
  test: { name, include, testTimeout: longer * timeoutMs, hookTimeout: timeoutMs },
});

const units = suite(
  'unit',
  ['test/unit/**/*.test.ts', 'test/golden/**/*.test.ts', 'test/property/**/*.test.ts'],
  60_000,
);

/** They wait for nothing, and come before all others. */
const unit = {
  ...units,
  test: { ...units.test, sequence: { groupOrder: 0 } },
};

const kinds = suite('ninth-kind', ['test/ninth-kind/**/*.test.ts'], 60_000);

/** The program with a kind more: what it loads, no other file may share. */
const ninthKind = {
  ...kinds,
  test: { ...kinds.test, isolate: true, setupFiles: ['test/support/firewall/register.ts'] },
};

const scenario = suite('scenario', ['test/scenario/**/*.test.ts'], 120_000);

const cli = suite('cli', ['test/cli/**/*.test.ts'], 120_000);

export default defineConfig({
  test: {
    environment: 'node',
    maxWorkers: 2,
    sequence: { groupOrder: 1 },
    // Times of day are those of the reader's clock.
    env: { TZ: 'UTC', [budgetVariables.tier]: tier, [budgetVariables.draw]: draw },
    globalSetup: ['test/support/budget/announce.ts'],
    setupFiles: ['test/support/budget/register.ts'],
    // Files share what they load, since loading it anew for each costs most.
    isolate: false,
    exclude: [...configDefaults.exclude, ...higherTiers],
    coverage: {
      provider: 'v8',
      include: pureCore,
      reporter: ['text-summary', 'json-summary'],
      thresholds: { branches: 95 },
    },
    projects: [
      unit,
      ninthKind,
      suite('contract', ['test/contract/**/*.test.ts'], 60_000),
      {
        ...scenario,
        test: { ...scenario.test, setupFiles: ['test/scenario/close-worlds.ts'] },
      },
      // What a stranger who writes YAML, names, answers or artifacts must not get.
      suite('attack', ['test/attack/**/*.test.ts', 'test/fuzz/**/*.test.ts'], 60_000),
      {
        ...cli,
        // The parser of workflows imports JSON as bundlers do; its source maps lead nowhere, which nobody need read.
        logLevel: 'error' as const,
        test: {
          ...cli.test,
          server: { deps: { inline: ['@actions/workflow-parser'] } },
        },
      },
    ],
  },
});
