import type { Check } from './check.ts';

/** Disks and backups that the plan loses, counted: one warning over all, beside the lines on each change. */
export const warnOfDataLoss: Check = ({ plan }) => {
  const losing = plan.changes.filter(({ losses }) => losses.length > 0);
  if (losing.length === 0) return [];
  const isOne = losing.length === 1;
  const gigabytes = losing.reduce((sum, { before }) => sum + Number(before?.disk ?? 0), 0);
  const withBackups = losing.filter(({ losses }) => losses.some((loss) => loss.includes('backup')));
  const shown = losing.slice(0, 5).map(({ address }) => address);
  const rest = losing.length > shown.length ? ` and ${losing.length - shown.length} more` : '';
  return [
    {
      severity: 'warning',
      code: 'data-loss',
      summary: `This plan loses the disk${isOne ? '' : 's'} of ${losing.length} VM${isOne ? '' : 's'} (${gigabytes} GB)`,
      detail: `${isOne ? 'It is' : 'They are'}: ${shown.join(', ')}${rest}.${describeBackups(withBackups.length, losing.length)}`,
      hint: 'Save what is needed before you apply.',
    },
  ];
};

function describeBackups(count: number, ofAll: number): string {
  if (count === 0) return '';
  if (count < ofAll) return ` The backups of ${count} of them go with them.`;
  return count === 1 ? ' Its backups go with it.' : ' Their backups go with them.';
}
