import { readAskedName } from '../kinds/kept-name.ts';
import { kinds } from '../kinds/registry.ts';
import type { Address } from '../model/address.ts';
import { statusOf, type LiveResource } from '../model/live.ts';
import { sensitiveAfter, type Action, type Change } from '../model/plan.ts';
import type { DesiredResource } from '../model/resource.ts';
import { parseKnown } from './account-index.ts';
import { afterwards, settledBy, withoutNull } from './afterwards.ts';
import type { Decision, Surroundings } from './decision.ts';
import { diffAttributes, strongestEffect } from './diff.ts';
import { findDrift } from './drift.ts';
import { lossesOf } from './losses.ts';
import { secrecyOf } from './mark-sensitive.ts';
import { listReplacedKeys, namesFor } from './names.ts';
import { protectionOf } from './protection.ts';
import { mayGoLast, reasonToDelete, reasonToReplace } from './reasons.ts';
import { resolveDeferred } from './resolve-deferred.ts';

/** Decides what happens to one address; undefined when there is neither a wish nor a live resource. */
export function decide(
  address: Address,
  desired: DesiredResource | undefined,
  around: Surroundings,
): Decision | undefined {
  const live = around.index.liveAt(address);
  if (!desired) {
    return live ? decideDelete(address, live, around) : decideLeftover(address, around);
  }
  const {
    desired: resolved,
    reads,
    findings,
  } = resolveDeferred(desired, around.scope, around.book, (read) => {
    const decided = around.decided.get(read);
    return decided ? sensitiveAfter(decided.change) : [];
  });
  const decision = live ? decideChange(resolved, live, around) : decideCreate(resolved, around);
  return desired.deferred ? { ...decision, reads, findings } : decision;
}

function decideCreate(desired: DesiredResource, around: Surroundings): Decision {
  const kind = kinds[desired.kind];
  const derived = kind.derive(desired.attributes, around.catalog);
  return {
    ...leftBehind(desired.address, around),
    kind,
    live: undefined,
    desired,
    held: null,
    isSettled: true,
    change: {
      ...describe(desired),
      ...protectionOf(desired),
      action: 'create',
      ...(isGoneByOthers(desired.address, around) && { reason: 'deleted-outside' as const }),
      id: null,
      before: null,
      after: withoutNull({ ...desired.attributes, ...derived }),
      unknown: [
        ...lateNames(desired),
        ...[...settledBy(kind, lateNames(desired)), ...kind.computed].filter(
          (name) => !(name in derived),
        ),
      ],
      fields: [],
      losses: [],
    },
  };
}

/** True for what the state has, and somebody else has removed. */
function isGoneByOthers(address: Address, { index, removed }: Surroundings): boolean {
  const managed = index.managed.get(address);
  return managed !== undefined && !removed.has(managed.id);
}

/** What the service still works on for an earlier run. */
function underwayAt(id: string | undefined, { underway }: Surroundings): Pick<Change, 'underway'> {
  const found = underway.get(id ?? '');
  return found ? { underway: found } : {};
}

/** What is gone itself, and has left something of ours standing. */
function leftBehind(
  address: Address,
  { index }: Surroundings,
): Pick<Decision, 'leftPublicIpId' | 'deposed'> {
  const leftPublicIpId = index.leftPublicIp(address);
  const deposed = index.deposedAt(address);
  return {
    ...(leftPublicIpId !== undefined && { leftPublicIpId }),
    ...(deposed.length > 0 && { deposed }),
  };
}

/** Nobody wants it and it is gone; the address that came with a VM, or what stood there before, may be left. */
function decideLeftover(address: Address, around: Surroundings): Decision | undefined {
  const managed = around.index.managed.get(address);
  const left = leftBehind(address, around);
  if (!managed || Object.keys(left).length === 0) return undefined;
  return {
    ...left,
    kind: kinds[managed.kind],
    live: undefined,
    desired: undefined,
    held: null,
    isSettled: true,
    change: {
      address,
      kind: managed.kind,
      project: parseKnown(address).project,
      action: 'delete',
      reason: left.deposed || !isGoneByOthers(address, around) ? 'leftover' : 'deleted-outside',
      ...underwayAt(left.leftPublicIpId, around),
      id: managed.id,
      before: withoutNull(managed.attributes),
      after: null,
      unknown: [],
      sensitive: managed.sensitive ?? [],
      fields: [],
      losses: [],
      configured: managed.configured,
    },
  };
}

function decideDelete(address: Address, live: LiveResource, around: Surroundings): Decision {
  const kind = kinds[live.kind];
  const managed = around.index.managed.get(address);
  const configured = around.configured.get(address);
  const before = readAskedName(
    kind.read(live, namesFor(address, live, around, true), managed?.attributes),
    managed,
  );
  return {
    ...leftBehind(address, around),
    kind,
    live,
    desired: undefined,
    held: before,
    isSettled: true,
    change: {
      address,
      kind: live.kind,
      project: parseKnown(address).project,
      action: 'delete',
      reason: reasonToDelete(address, around),
      ...protectionOf(configured, managed),
      id: live.id,
      before: withoutNull(before),
      after: null,
      unknown: [],
      sensitive: configured?.sensitive ?? managed?.sensitive ?? [],
      fields: [],
      ...lossesOf(kind, 'delete', { live, before }),
      ...underwayAt(live.id, around),
      configured: managed?.configured ?? [],
    },
  };
}

function decideChange(
  desired: DesiredResource,
  live: LiveResource,
  around: Surroundings,
): Decision {
  const kind = kinds[desired.kind];
  const managed = around.index.managed.get(desired.address);
  const readWith = (all: boolean) =>
    readAskedName(
      kind.read(live, namesFor(desired.address, live, around, all), desired.attributes),
      managed,
      desired.attributes,
    );
  const read = readWith(false);
  const ignored = new Set(desired.lifecycle?.ignoreChanges);
  const diff = diffAttributes(
    kind,
    read,
    Object.fromEntries(Object.entries(desired.attributes).filter(([name]) => !ignored.has(name))),
    (managed?.configured ?? []).filter((name) => !ignored.has(name)),
    lateNames(desired).filter((name) => !ignored.has(name)),
  );
  const held = readWith(true);
  const drift = managed && findDrift(kind, diff.fields, managed, live, around);
  const reason = reasonToReplace(desired, live, read, around);
  const effect = reason ? 'replace' : strongestEffect(diff.fields);
  const { deposed } = leftBehind(desired.address, around);
  const isLeftover = effect === undefined && deposed !== undefined;
  const action: Action = effect ?? (isLeftover ? 'update' : 'no-op');
  const status = statusOf(live);
  const underway = underwayAt(live.id, around);
  const isIdle = (status === undefined || status === 'active') && !underway.underway;
  const isSettled = isIdle || action === 'replace';
  const isCreatedFirst = action === 'replace' && mayGoLast(desired, reason);
  return {
    ...(deposed && { deposed }),
    kind,
    live,
    desired,
    held,
    isSettled,
    change: {
      ...describe(desired),
      ...secrecyOf(desired, managed),
      ...protectionOf(desired),
      ...history(desired.address, around),
      ...(drift && !underway.underway && { drift }),
      ...underway,
      action,
      ...(reason && { reason }),
      ...(isLeftover && { reason: 'leftover' as const }),
      ...(isCreatedFirst && { isCreatedFirst: true }),
      id: live.id,
      before: withoutNull(diff.before),
      ...listReplacedKeys(read, held),
      ...afterwards(kind, diff, action, isSettled, around.catalog),
      fields: diff.fields,
      ...lossesOf(kind, action, { live, before: read, desired }),
    },
  };
}

/** How it came to stand under its address. */
function history(
  address: Address,
  { rearranged }: Surroundings,
): Pick<Change, 'isImported' | 'movedFrom'> {
  const movedFrom = rearranged.movedFrom.get(address);
  return {
    ...(rearranged.imported.has(address) && { isImported: true }),
    ...(movedFrom !== undefined && { movedFrom }),
  };
}

/** The fields whose values are only known after apply. */
function lateNames({ deferred = {} }: DesiredResource): readonly string[] {
  return Object.keys(deferred);
}

function describe(desired: DesiredResource) {
  return {
    address: desired.address,
    kind: desired.kind,
    project: desired.project,
    sensitive: desired.sensitive ?? [],
    configured: listConfigured(desired),
    source: desired.source,
  };
}

/** The fields that the configuration gives, in one order whatever is known of them. */
function listConfigured({ kind, attributes, deferred }: DesiredResource): readonly string[] {
  if (!deferred) return Object.keys(attributes);
  const names = Object.keys(kinds[kind].fields);
  return names.filter((name) => name in attributes || name in deferred);
}
