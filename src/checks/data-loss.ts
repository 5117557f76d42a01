import { describeLosses } from '../kinds/words/describe-losses.ts';
import { elementAt } from '../model/group-by.ts';
import type { Change } from '../model/plan/plan.ts';
import type { PlanCheck } from './check.ts';
import { formatCountWithNoun } from '../model/text/count-noun.ts';

/** Losses of the plan for good, counted: one finding over all, beside the lines on each change. */
export const checkDataLoss: PlanCheck = ({ plan, guards, planOptions }) => {
  const losing = plan.changes.filter(({ losses }) => losses.length > 0);
  const lost = describeLosses(losing);
  if (!lost) return [];
  const isDenied = guards?.dataLoss === 'deny' && planOptions?.allowsDataLoss !== true;
  const shown = losing.slice(0, 5).map(({ address }) => address);
  const rest = losing.length > shown.length ? ` and ${losing.length - shown.length} more` : '';
  const finding = {
    code: 'data-loss',
    summary: `This plan loses ${lost.whole}`,
    detail: `Affected: ${shown.join(', ')}${rest}.${describeUncounted(losing)}`,
  };
  if (!isDenied) {
    return [{ severity: 'warning', ...finding, hint: 'Save what is needed before you apply.' }];
  }
  return [
    {
      severity: 'error',
      ...finding,
      summary: `${finding.summary}, and guards.dataLoss is deny`,
      hint: 'Save what is needed, then add --allow-data-loss.',
      source: guards.source,
    },
  ];
};

/** Sentence on VMs whose backups are lost in a number that the service does not tell. */
function describeUncounted(losing: readonly Change[]): string {
  const uncounted = losing.filter(({ lostBackups }) => lostBackups === null).length;
  if (uncounted === 0) return '';
  if (uncounted < losing.length) {
    return ` The backups of ${formatCountWithNoun('VM', uncounted)} go with ${uncounted === 1 ? 'it' : 'them'}.`;
  }
  return uncounted === 1 ? ' Its backups go with it.' : ' Their backups go with them.';
}

/** Backups that make room for the one that is made before a rebuild, or is due. */
export const warnOfDisplacedBackups: PlanCheck = ({ plan, desired }) =>
  plan.changes
    .filter(({ displacedBackup }) => displacedBackup !== undefined)
    .map(({ address, losses, dueBackup }) => {
      const source = desired.get(address)?.source;
      return {
        severity: 'warning',
        code: 'backup-displaced',
        summary:
          dueBackup === undefined
            ? `The backup before the rebuild of ${address} pushes out its oldest one`
            : `The backup of ${address} that is due pushes out its oldest one`,
        ...(losses.length > 0 && { detail: elementAt(losses, losses.length - 1) }),
        hint: 'To keep it, restore or copy what it holds first, or delete another one yourself.',
        address,
        ...(source && { source }),
      };
    });
