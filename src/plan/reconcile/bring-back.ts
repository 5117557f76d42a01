// The way back of what is retired: `hostwright restore ADDRESS`.
import { kindRegistry } from '../../kinds/registry.ts';
import { parseDeposedAddress, type ResourceAddress } from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { LiveSnapshot } from '../../model/account/live.ts';
import type { PlanOptions } from '../../model/plan/plan.ts';
import type { DesiredGraph } from '../../model/resource.ts';
import {
  deposeResource,
  clearRetirementEnd,
  type ManagedResource,
  type State,
} from '../../model/state/state.ts';

/** The state and the account in which a retired resource is brought back. */
interface BringBackInput {
  readonly state: State;
  readonly desired: DesiredGraph;
  readonly live: LiveSnapshot;
  /** Address of the resource, or of the retired one itself; undefined where nothing is to return. */
  readonly restore: ResourceAddress | undefined;
}

/**
 * Gives a retired resource its address again, and the resource that has it now a deposed one, to be destroyed or retired. It is on its
 * way from then on: the plan that begins there, or a later one, sets it as it was.
 */
export function bringBackRetiredResource({ state, desired, live, restore }: BringBackInput): {
  readonly state: State;
  readonly findings: readonly Finding[];
} {
  if (restore === undefined) return { state, findings: [] };
  const base = baseOfRetired(restore);
  const current = state.resources.get(base);
  // An earlier run has begun it, and this one goes on: what gave way has retired by now itself.
  const isBegun =
    restore === base
      ? current?.retired?.until !== undefined
      : current?.id === parseDeposedAddress(restore)?.id;
  if (isBegun) return { state, findings: [] };
  const ids = new Set(live.resources.map(({ id }) => id));
  const retired = [...state.resources.values()].filter(
    (one) => isRetired(one) && [one.address, baseOfRetired(one.address)].includes(restore),
  );
  // Asked for again, a restore that was killed at its end does not turn round.
  const isOver = ({ address, gaveWayTo }: ManagedResource) =>
    address !== restore && gaveWayTo !== undefined && gaveWayTo === current?.id;
  if (retired.some(isOver) && retired.every((one) => isOver(one) || !ids.has(one.id))) {
    return { state, findings: [] };
  }
  const standing = retired.filter((one) => ids.has(one.id) && !isOver(one));
  const [only, ...others] = standing;
  const refuse = (finding: Finding) => ({ state, findings: [{ ...finding, address: base }] });
  if (!only) return refuse(describeNone(base, retired.length));
  if (others.length > 0) return refuse(describeSeveral(base, standing));
  if (!desired.resources.some(({ address }) => address === base)) {
    return refuse(describeUnconfigured(base));
  }
  const resources = new Map(state.resources);
  resources.delete(only.address);
  if (current) {
    const { retired, ...gives } = deposeResource(current);
    resources.set(gives.address, {
      ...gives,
      gaveWayTo: only.id,
      // The protection stays, as nobody has asked to delete the resource that gives way.
      ...(current.isProtected && { isProtected: true }),
      ...(retired && { retired: clearRetirementEnd(retired) }),
    });
  }
  resources.set(base, { ...only, address: base });
  return { state: { ...state, resources }, findings: [] };
}

/**
 * Limits plan options to a restore: to the retired resource that returns, and the resources that lead to it, such as port
 * forwards. Options without a restore stay as they are.
 */
export function selectRestoreTargets(options: PlanOptions, desired: DesiredGraph): PlanOptions {
  if (options.restore === undefined) return options;
  const base = baseOfRetired(options.restore);
  const leading = desired.resources.filter(
    (one) =>
      kindRegistry[one.kind].traits.leadsTo &&
      kindRegistry[one.kind].references(one).some(({ address }) => address === base),
  );
  const targets = [base, ...leading.map(({ address }) => address)];
  return { ...options, selection: { targets, excludes: [] } };
}

const baseOfRetired = (address: ResourceAddress): ResourceAddress =>
  parseDeposedAddress(address)?.base ?? address;

function isRetired({ address, retired }: ManagedResource): boolean {
  return retired?.until !== undefined && parseDeposedAddress(address) !== undefined;
}

function describeNone(address: ResourceAddress, gone: number): Finding {
  return {
    severity: 'error',
    code: 'not-retired',
    summary: `Nothing of ${address} is retired`,
    detail:
      gone > 0
        ? 'What was retired was deleted outside of Hostwright.'
        : 'Only what lifecycle.retire has kept comes back. A rebuild keeps nothing but backups.',
    hint: 'List what is retired with "hostwright state list". Restore a backup with "hostwright vm restore".',
  };
}

function describeSeveral(address: ResourceAddress, retired: readonly ManagedResource[]): Finding {
  const lines = retired.map((one) => {
    const until = new Date(one.retired?.until ?? 0).toISOString();
    return `${one.address}: "${one.retired?.name ?? ''}", kept until ${until}`;
  });
  return {
    severity: 'error',
    code: 'restore-ambiguous',
    summary: `${retired.length} resources of ${address} are retired`,
    detail: lines.join('\n'),
    hint: 'Name one of them, in quotes, with the id in parentheses.',
  };
}

function describeUnconfigured(address: ResourceAddress): Finding {
  return {
    severity: 'error',
    code: 'restore-unconfigured',
    summary: `${address} is not configured, so the next plan would retire it again`,
    hint: 'Write its block back as it was, and restore it then.',
  };
}
