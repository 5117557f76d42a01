import type { Address } from '../model/address.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { PlanMode } from '../model/plan.ts';
import { placeOf, type Check } from './check.ts';

/** Changes that would destroy what `preventDestroy` protects, also after its block was deleted. */
export const checkProtected: Check = ({ plan, desired }) => {
  const findings: Finding[] = [];
  for (const { address, action, isProtected, protectedAt, fields } of plan.changes) {
    if (!isProtected || (action !== 'delete' && action !== 'replace')) continue;
    const because = fields.filter(({ effect }) => effect === 'replace').map(({ name }) => name);
    const resource = desired.get(address);
    findings.push({
      severity: 'error',
      code: 'prevent-destroy',
      summary: `${address} is protected, and this plan would ${action === 'delete' ? 'destroy' : 'replace'} it`,
      detail:
        because.length > 0
          ? `Replaced because of: ${because.join(', ')}.`
          : 'Its lifecycle has preventDestroy: true, or had it when it was last applied.',
      hint: hintAt(plan.mode, address, resource !== undefined),
      address,
      ...placeOf(resource),
      ...(protectedAt && { source: protectedAt }),
    });
  }
  return findings;
};

function hintAt(mode: PlanMode, address: Address, isConfigured: boolean): string {
  if (mode === 'destroy') {
    return `Keep it, with --exclude '${address}'; or apply once with preventDestroy: false in its block, then destroy.`;
  }
  return isConfigured
    ? 'Take the change back, or apply once with preventDestroy: false before it.'
    : 'Put its block back; apply once with preventDestroy: false, then remove the block.';
}
