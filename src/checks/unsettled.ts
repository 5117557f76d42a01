import { describeBusyResource, isResourceBusy } from '../kinds/outcome.ts';
import { kindRegistry } from '../kinds/registry.ts';
import { describeUnderwayCommand } from '../kinds/words/describe-underway.ts';
import type { ResourceAddress } from '../model/address.ts';
import type { Finding } from '../model/diagnostic.ts';
import { indexById, getLiveName, getLiveStatus, type LiveResource } from '../model/account/live.ts';
import { groupBy } from '../model/group-by.ts';
import type { Change } from '../model/plan/plan.ts';
import type { DesiredResource } from '../model/resource.ts';
import type { LiveOperation } from '../model/account/operation.ts';
import { locateFinding } from '../model/place-of.ts';
import type { PlanCheck } from './check.ts';

/**
 * Notes the resources that the service is still working on, since apply waits for them. They name the commands of an
 * earlier run, and the operation that locks one that changes.
 */
export const noteBusyResources: PlanCheck = ({ plan, desired, live, state, operations = [] }) => {
  const byId = indexById(live.resources);
  const running = new Map<string | null, LiveOperation>();
  for (const record of operations) {
    // Records come newest first, so that only the latest operation on a resource counts.
    if (!running.has(record.resourceId)) running.set(record.resourceId, record);
  }
  const others = plan.changes.flatMap(({ address, action, underway }): Finding[] => {
    if (underway) return [];
    const resource = byId.get(state.resources.get(address)?.id ?? '');
    if (!resource) return [];
    const place = { address, ...locateFinding(desired.get(address)) };
    const { lock } = kindRegistry[resource.kind].traits;
    if (lock && action !== 'no-op' && action !== 'forget' && isResourceBusy(resource)) {
      return [{ ...describeLock(resource, lock.lockCode, running.get(resource.id)), ...place }];
    }
    const status = getLiveStatus(resource);
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
  return [...noteUnderway(plan.changes, desired), ...others];
};

/** Number of commands of one minute from which they share a note instead of one each. */
const leastJoined = 4;
/** The most commands that a note names. */
const maxNamed = 10;

/** Notes the commands of an earlier run whose end nobody has seen. */
function noteUnderway(
  changes: readonly Change[],
  desired: ReadonlyMap<ResourceAddress, DesiredResource>,
): Finding[] {
  const told = changes.flatMap(({ address, underway }) =>
    underway ? [{ address, words: describeUnderwayCommand(underway) }] : [],
  );
  const groups = [...groupBy(told, ({ words }) => words)];
  return groups.flatMap(([words, group]): Finding[] => {
    const addresses = group.map(({ address }) => address);
    const base = { severity: 'note', code: 'in-progress' } as const;
    const detail =
      'An earlier run started this. Apply waits for it to finish, and sends nothing twice.';
    if (addresses.length < leastJoined) {
      return addresses.map((address) => ({
        ...base,
        summary: words,
        detail,
        address,
        ...locateFinding(desired.get(address)),
      }));
    }
    const rest = addresses.length - maxNamed;
    const named = addresses.slice(0, maxNamed).join(', ');
    return [
      {
        ...base,
        summary: `${addresses.length} resources: ${words}`,
        detail: `Affected: ${named}${rest > 0 ? ` and ${rest} more` : ''}. ${detail}`,
      },
    ];
  });
}

function describeLock(
  live: LiveResource,
  code: string,
  record: LiveOperation | undefined,
): Finding {
  const isRunning = record?.completedAt === null;
  const what = isRunning ? `${record.type} ${record.status}` : describeBusyResource(live);
  const since =
    isRunning && record.createdAt !== null
      ? `, since ${new Date(record.createdAt).toISOString().slice(0, 19).replace('T', ' ')} UTC`
      : '';
  return {
    severity: 'note',
    code,
    summary: `${kindRegistry[live.kind].label} "${getLiveName(live) ?? live.id}" is busy (${what}${since})`,
    detail: 'The service refuses other work on it until then. Apply waits for it.',
  };
}
