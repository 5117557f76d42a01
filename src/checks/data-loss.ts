import type { Check } from './check.ts';

/** Disks and backups that the plan loses, counted: one warning over all, beside the lines on each change. */
export const warnOfDataLoss: Check = ({ plan }) => {
  const losing = plan.changes.filter(({ losses }) => losses.length > 0);
  if (losing.length === 0) return [];
  const gigabytes = losing.reduce((sum, { before }) => sum + Number(before?.disk ?? 0), 0);
  const withBackups = losing.filter(({ losses }) => losses.some((loss) => loss.includes('backup')));
  const shown = losing.slice(0, 5).map(({ address }) => address);
  const rest = losing.length > shown.length ? ` and ${losing.length - shown.length} more` : '';
  const backups =
    withBackups.length > 0 ? ` The backups of ${withBackups.length} of them go with them.` : '';
  return [
    {
      severity: 'warning',
      code: 'data-loss',
      summary: `This plan loses the disks of ${losing.length} VM${losing.length === 1 ? '' : 's'} (${gigabytes} GB)`,
      detail: `They are: ${shown.join(', ')}${rest}.${backups}`,
      hint: 'Save what is needed before you apply.',
    },
  ];
};
