import { describeBusy, isBusy } from '../kinds/outcome.ts';
import type { Finding } from '../model/diagnostic.ts';
import { statusOf, type LiveVm } from '../model/live.ts';
import type { OperationRecord } from '../model/vm-work.ts';
import { placeOf, type Check } from './check.ts';

/** Resources that the service is still working on: apply waits for them. A VM that is to change says with what. */
export const noteUnsettled: Check = ({ plan, desired, live, state, operations = [] }) => {
  const byId = new Map(live.resources.map((resource) => [resource.id, resource]));
  const running = new Map<string | null, OperationRecord>();
  for (const record of operations) {
    // Newest first: what an earlier one does is over.
    if (!running.has(record.resourceId)) running.set(record.resourceId, record);
  }
  return plan.changes.flatMap(({ address, action }): Finding[] => {
    const resource = byId.get(state.resources.get(address)?.id ?? '');
    if (!resource) return [];
    const place = { address, ...placeOf(desired.get(address)) };
    if (resource.kind === 'vm' && action !== 'no-op' && action !== 'forget' && isBusy(resource)) {
      return [{ ...describeLock(resource, running.get(resource.id)), ...place }];
    }
    const status = statusOf(resource);
    if (action === 'replace' || (status !== 'creating' && status !== 'updating')) return [];
    return [
      {
        severity: 'note',
        code: 'not-settled',
        summary: `${address} is ${status} at the moment`,
        detail: 'Apply waits until the service is done with it.',
        ...place,
      },
    ];
  });
};

function describeLock(vm: LiveVm, record: OperationRecord | undefined): Finding {
  const isRunning = record?.completedAt === null;
  const what = isRunning ? `${record.type} ${record.status}` : describeBusy(vm);
  const since =
    isRunning && record.createdAt !== null
      ? `, since ${new Date(record.createdAt).toISOString().slice(0, 19).replace('T', ' ')} UTC`
      : '';
  return {
    severity: 'note',
    code: 'vm-busy',
    summary: `VM "${vm.name}" is busy (${what}${since})`,
    detail: 'The service refuses other work on it until then. Apply waits for it.',
  };
}
