import { statusOf } from '../model/live.ts';
import type { Check } from './check.ts';

/** Resources that the service is still making or changing: apply waits for them. */
export const noteUnsettled: Check = ({ plan, desired, live, state }) => {
  const byId = new Map(live.resources.map((resource) => [resource.id, resource]));
  return plan.changes.flatMap(({ address, action }) => {
    const resource = byId.get(state.resources.get(address)?.id ?? '');
    const status = resource && statusOf(resource);
    if (action === 'replace' || (status !== 'creating' && status !== 'updating')) return [];
    const configured = desired.get(address);
    return [
      {
        severity: 'note' as const,
        code: 'not-settled',
        summary: `${address} is ${status} at the moment`,
        detail: 'Apply waits until the service is done with it.',
        address,
        ...(configured && { source: configured.source }),
      },
    ];
  });
};
