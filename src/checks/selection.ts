import type { Check } from './check.ts';

/** A plan of a part only: what is left out may be needed to end where the configuration wants to. */
export const warnOfSelection: Check = ({ wishes }) => {
  const selection = wishes?.selection;
  if (!selection || selection.targets.length + selection.excludes.length === 0) return [];
  const { targets, excludes } = selection;
  const parts = [
    ...targets.map((address) => `--target ${address}`),
    ...excludes.map((address) => `--exclude ${address}`),
  ];
  return [
    {
      severity: 'warning',
      code: 'partial-plan',
      summary: 'This plan is of a part of the configuration only',
      detail: `It was asked for with ${parts.join(' ')}, so the account may not match the configuration afterwards.`,
      hint: 'Plan once more without these flags to see what is left.',
    },
  ];
};
