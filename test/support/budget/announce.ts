// Says once, at the start of a run, what of the tests it takes.
import type { TestProject } from 'vitest/node';
import { budgetVariables, readBudget } from './budget.ts';

const said = globalThis as { isBudgetSaid?: boolean };

/** Called for each project, which loads this file for itself. */
export function setup({ config }: TestProject): void {
  if (said.isBudgetSaid) return;
  said.isBudgetSaid = true;
  const { tier, draw } = readBudget({ ...process.env, ...config.env });
  const share =
    tier === 'full'
      ? 'all properties, kill points and seeds'
      : 'a part of properties, kill points and seeds';
  console.log(
    `Tier ${tier}: ${share}. Draw ${draw}: set ${budgetVariables.draw}=${draw} to repeat it on another commit.\n`,
  );
}
