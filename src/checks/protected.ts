import type { Finding } from '../model/diagnostic.ts';
import type { Action, Change, PlanMode } from '../model/plan/plan.ts';
import { formatSourcePlace } from '../model/source.ts';
import type { PlanCheck } from './check.ts';

/** Actions that lose the data of a resource, with the words for each. */
const losing: Readonly<Partial<Record<Action, readonly [verb: string, done: string]>>> = {
  delete: ['destroy', 'Destroyed'],
  replace: ['replace', 'Replaced'],
  rebuild: ['rebuild', 'Rebuilt'],
};

/** Refuses changes that would lose the data of a resource that `preventDestroy` protects, also after its block was deleted. */
export const checkPreventDestroy: PlanCheck = ({ plan }) =>
  plan.changes.flatMap((change): Finding[] => {
    const { address, action, isProtected, source, protectedAt } = change;
    const words = losing[action];
    if (!isProtected || !words) return [];
    const place = source ?? protectedAt;
    return [
      {
        severity: 'error',
        code: 'prevent-destroy',
        summary: `${address} is protected, and this plan would ${words[0]} it`,
        detail: explain(change, words[1]),
        hint: hintAt(plan.mode, change, protectedAt !== undefined),
        address,
        ...(place && { source: place }),
      },
    ];
  });

function explain({ action, fields, protectedAt }: Change, done: string): string {
  const because = fields.filter(({ effect }) => effect === action).map(({ name }) => name);
  const why = because.length > 0 ? `${done} because of: ${because.join(', ')}. ` : '';
  return protectedAt
    ? `${why}Its lifecycle has preventDestroy: true (${formatSourcePlace(protectedAt)}).`
    : `${why}It is no longer configured, and had preventDestroy: true when it was last applied.`;
}

function hintAt(
  mode: PlanMode,
  { address, movedFrom = address }: Change,
  isConfigured: boolean,
): string {
  const lift = 'set preventDestroy: false in its block, which takes effect in the same plan';
  if (mode === 'destroy') {
    const keep = `Keep it with --exclude '${address}'`;
    return isConfigured
      ? `${keep}, or ${lift}.`
      : `${keep}, or leave it running and unmanaged: hostwright state rm '${movedFrom}'.`;
  }
  return isConfigured
    ? `Take the change back, or ${lift}.`
    : `Put its block back. To destroy it all the same, name ${address} in an entry of removed; with destroy: false it stays in the account, unmanaged.`;
}

/** The most addresses that the message lists. */
const maxShown = 10;

/** One finding over all that was protected until now, and is no longer. */
export const reportLiftedProtection: PlanCheck = ({ plan }) => {
  const lifted = plan.changes.filter(({ isProtectionLifted }) => isProtectionLifted);
  const [only] = lifted;
  if (!only) return [];
  const shown = lifted.slice(0, maxShown).map(({ address }) => address);
  const rest = lifted.length > shown.length ? ` and ${lifted.length - shown.length} more` : '';
  const isOne = lifted.length === 1;
  return [
    {
      severity: lifted.some(({ action }) => losing[action]) ? 'warning' : 'note',
      code: 'protection-lifted',
      summary: isOne
        ? `The protection of ${only.address} is lifted`
        : `The protection of ${lifted.length} resources is lifted`,
      detail: `The configuration no longer has preventDestroy: true for ${isOne ? 'it' : `them: ${shown.join(', ')}${rest}`}.`,
      hint: `Set it again to keep what ${isOne ? 'it holds' : 'they hold'}.`,
      ...(isOne && { address: only.address, ...(only.source && { source: only.source }) }),
    },
  ];
};
