import { execFileSync } from 'node:child_process';
import { configDefaults, defineConfig } from 'vitest/config';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { budgetVariables, readBudget } from './test/support/budget/budget.ts';
import { drawDialectRuns } from './test/support/budget/dialect-runs.ts';
import { findQuickFolder } from './test/support/quick-folder.ts';

/** The commit that is checked out; none where there is no git, as in an archive. */
function readCommit(): string {
  try {
    const options = { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' } as const;
    return execFileSync('git', ['rev-parse', 'HEAD'], options).slice(0, 8);
  } catch {
    return 'none';
  }
}

const { tier, dialect } = readBudget();

// Whoever names a folder of their own keeps it.
process.env.TMPDIR ??= findQuickFolder() ?? tmpdir();

// The tests remember nothing for whoever runs them; what they start, and what tears it down, goes by the same variable.
process.env.XDG_STATE_HOME = join(tmpdir(), `hostwright-home-${process.pid}`);
const { XDG_STATE_HOME } = process.env;

/** Files that only a higher tier runs: `*.ci.test.ts` from `.ci/run` on, `*.full.test.ts` in the full tier alone. */
const higherTiers = { short: ['**/*.{ci,full}.test.ts'], ci: ['**/*.full.test.ts'], full: [] }[
  tier
];
const draw = process.env[budgetVariables.draw] ?? readCommit();
// It is for the projects below that run the contract in a dialect, and for nothing else.
Reflect.deleteProperty(process.env, budgetVariables.dialect);

/** The pure core: what plans are made of. Its branches are covered to 95 % or the unit suite fails. */
const pureCore = ['model', 'expressions', 'kinds', 'plan', 'checks', 'render'].map(
  (layer) => `src/${layer}/**/*.ts`,
);

/** A test that tries all that there is takes as many times longer as it has more to try. */
const longestMs = (tier === 'full' ? 10 : 1) * 120_000;

export default defineConfig({
  test: {
    environment: 'node',
    // Real servers and browsers mostly wait for each other.
    maxWorkers: tier === 'short' ? 2 : 3,
    testTimeout: longestMs,
    hookTimeout: 120_000,
    // Times of day are those of the reader's clock.
    env: { TZ: 'UTC', XDG_STATE_HOME, [budgetVariables.tier]: tier, [budgetVariables.draw]: draw },
    globalSetup: ['test/support/budget/announce.ts', 'test/support/own-home.ts'],
    setupFiles: ['test/support/budget/register.ts'],
    // What was read of TypeScript once is kept by its content: by the next run, and by the projects that share a run.
    experimental: { fsModuleCache: true },
    exclude: [...configDefaults.exclude, ...higherTiers],
    coverage: {
      provider: 'v8',
      include: pureCore,
      reporter: ['text-summary', 'json-summary'],
      thresholds: { branches: 95 },
    },
    projects: [
      {
        extends: true,
        // The parser of workflows imports JSON as bundlers do; its source maps lead nowhere, which nobody need read.
        logLevel: 'error',
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts'],
          exclude: ['test/ninth-kind/**'],
          // Files share what they load, since loading it anew for each costs most.
          isolate: false,
          setupFiles: ['test/scenario/close-worlds.ts'],
          server: { deps: { inline: ['@actions/workflow-parser'] } },
        },
      },
      {
        extends: true,
        // The program with a kind more: what it loads, no other file may share.
        test: {
          name: 'ninth-kind',
          include: ['test/ninth-kind/**/*.test.ts'],
          isolate: true,
          setupFiles: ['test/support/firewall/register.ts'],
        },
      },
      // The tests of the contract once more, of a service that spells it otherwise.
      ...drawDialectRuns({ tier, draw, dialect }).map(({ name, include }) => ({
        extends: true as const,
        test: {
          ...{ name: `dialect ${name}`, include: [...include], isolate: false },
          env: { [budgetVariables.dialect]: name },
        },
      })),
    ],
  },
});
