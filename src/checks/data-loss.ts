import type { Change } from '../model/plan.ts';
import type { Check } from './check.ts';

/** Disks and backups that the plan loses, counted: one warning over all, beside the lines on each change. */
export const warnOfDataLoss: Check = ({ plan }) => {
  const losing = plan.changes.filter(({ losses }) => losses.length > 0);
  if (losing.length === 0) return [];
  const isOne = losing.length === 1;
  const gigabytes = losing.reduce((sum, { before }) => sum + Number(before?.disk ?? 0), 0);
  const shown = losing.slice(0, 5).map(({ address }) => address);
  const rest = losing.length > shown.length ? ` and ${losing.length - shown.length} more` : '';
  return [
    {
      severity: 'warning',
      code: 'data-loss',
      summary: `This plan loses the disk${isOne ? '' : 's'} of ${losing.length} VM${isOne ? '' : 's'} (${gigabytes} GB)${countBackups(losing)}`,
      detail: `${isOne ? 'It is' : 'They are'}: ${shown.join(', ')}${rest}.${describeUncounted(losing)}`,
      hint: 'Save what is needed before you apply.',
    },
  ];
};

function countBackups(losing: readonly Change[]): string {
  const count = losing.reduce((sum, { lostBackups }) => sum + (lostBackups ?? 0), 0);
  return count === 0 ? '' : ` and ${count} backup${count === 1 ? '' : 's'}`;
}

/** Of some VMs it is known that their backups go, and not how many they are. */
function describeUncounted(losing: readonly Change[]): string {
  const count = losing.filter(({ lostBackups }) => lostBackups === null).length;
  if (count === 0) return '';
  if (count < losing.length) return ` The backups of ${count} of them go with them.`;
  return count === 1 ? ' Its backups go with it.' : ' Their backups go with them.';
}

/** Backups that make room for the one that is made before a rebuild. */
export const warnOfDisplacedBackups: Check = ({ plan, desired }) =>
  plan.changes
    .filter(({ isBackedUpFirst, lostBackups }) => isBackedUpFirst === true && lostBackups === 1)
    .map(({ address, losses }) => {
      const source = desired.get(address)?.source;
      return {
        severity: 'warning',
        code: 'backup-displaced',
        summary: `The backup before the rebuild of ${address} pushes out its oldest one`,
        ...(losses.length > 0 && { detail: losses.at(-1) as string }),
        hint: 'To keep it, restore or copy what it holds first, or delete another one yourself.',
        address,
        ...(source && { source }),
      };
    });
