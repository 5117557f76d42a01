import type { Finding } from '../model/diagnostic.ts';
import type { QuotaName } from '../model/live.ts';
import type { QuotaUse } from '../model/plan.ts';
import type { Check } from './check.ts';

/** How a quota is called, and in what it is counted. */
const wording: Record<QuotaName, { name: string; unit: string }> = {
  projects: { name: 'projects', unit: '' },
  accessTokens: { name: 'access tokens', unit: '' },
  networks: { name: 'networks', unit: '' },
  publicIps: { name: 'public ips', unit: '' },
  vmCpu: { name: 'vm cpu', unit: ' cores' },
  vmRam: { name: 'vm ram', unit: ' GB' },
  vmDisk: { name: 'vm disk', unit: ' GB' },
};

function describeOverrun({ name, limit, used, after, ours }: QuotaUse): Finding {
  const { name: called, unit } = wording[name];
  const others = Math.max(0, used - ours);
  const notOurs = others > 0 ? ` (of which ${others} not ours)` : '';
  return {
    severity: 'error',
    code: 'quota-exceeded',
    summary: `quota "${called}" needs ${after}${unit}, limit ${limit}, used ${used}${notOurs}`,
    detail: `The account may hold ${limit}${unit}; after this plan it would hold ${after}${unit}, ${after - limit}${unit} too many. The service would refuse the last creates.`,
    hint: 'Plan fewer or smaller resources, remove what is not needed, or have the quota raised by the service.',
  };
}

/** A plan that ends above a quota. What already stands above its limit and does not grow passes. */
export const checkQuotas: Check = ({ plan }) =>
  plan.quotas
    .filter(({ limit, used, after }) => after > limit && after > used)
    .map(describeOverrun);
