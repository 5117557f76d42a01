import { readAsRecorded } from '../../kinds/asked-shown.ts';
import { readAsWritten } from '../../kinds/read-attributes.ts';
import { kinds } from '../../kinds/registry.ts';
import type { Address } from '../../model/address.ts';
import { statusOf, type LiveResource } from '../../model/account/live.ts';
import { sensitiveAfter, type Action, type Change } from '../../model/plan/plan.ts';
import type { DesiredResource } from '../../model/resource.ts';
import { isEqual } from '../../model/value.ts';
import { parseKnown } from '../account-index.ts';
import { attributesAfterChange, listSettledAttributes, withoutNull } from './afterwards.ts';
import type { Decision, DecisionContext } from './decision.ts';
import { describeDesired, deferredNames, keepWaitingConfigured } from './describe-desired.ts';
import { diffAttributes, strongestEffect } from './diff.ts';
import { findDueBackup } from './due-backup.ts';
import { findDrift } from './drift.ts';
import { isGoneByOthers, underwayAt } from '../reconcile/follow-sent.ts';
import { findRealAddress, noteReferredNames, readHeldAttributes } from './held.ts';
import { lossesOf } from './losses.ts';
import { sensitiveAttributesOf } from './mark-sensitive.ts';
import { isMadeAnew, listReplacedKeys, namesFor } from './names.ts';
import { protectionOf } from './protection.ts';
import { keepIgnored } from '../values/keep-ignored.ts';
import { findFailedRebuild, withoutRebuild, withoutTarget } from './failed-rebuild.ts';
import { waitForRebuild } from './wait-for-rebuild.ts';
import {
  decideRetired,
  refuseRetirement,
  retireMsOf,
  retirementOf,
  restoreDesiredAttributes,
  warnOfReturn,
} from './retire.ts';
import { mayDestroyLast, reasonToDelete, reasonToReplace } from './reasons.ts';
import { resolveFields } from '../values/resolve-fields.ts';

/** Decides the change of one address; undefined when it is neither configured nor live. */
export function decideAddressChange(
  address: Address,
  desired: DesiredResource | undefined,
  context: DecisionContext,
): Decision | undefined {
  const live = context.index.liveAt(address);
  if (!desired) {
    if (!live) return decideLeftover(address, context);
    return decideRetired(address, live, context) ?? decideDelete(address, live, context);
  }
  const {
    desired: resolved,
    reads,
    findings,
  } = resolveFields(desired, context.scope, context.book, (read) => {
    const decided = context.decided.get(read);
    return decided ? sensitiveAfter(decided.change) : [];
  });
  const { retired } = context.index.managed.get(address) ?? {};
  const kept = context.rearranged.asLive.has(address) ? leaveAsLive(resolved) : resolved;
  const wanted = live ? restoreDesiredAttributes(kept, retired) : kept;
  const decision = live ? decideChange(wanted, live, context) : decideCreate(wanted, context);
  if (!desired.deferred) return decision;
  return { ...decision, reads, findings: [...findings, ...(decision.findings ?? [])] };
}

/** A resource that is imported as it is: the next plan compares it with the configuration. */
function leaveAsLive(desired: DesiredResource): DesiredResource {
  const ignoreChanges = Object.keys(kinds[desired.kind].fields);
  const none = { preventDestroy: false, createBeforeDestroy: false, replaceTriggeredBy: [] };
  return { ...desired, lifecycle: { ...none, ...desired.lifecycle, ignoreChanges } };
}

function decideCreate(desired: DesiredResource, context: DecisionContext): Decision {
  const kind = kinds[desired.kind];
  const derived = kind.derive(desired.attributes, context.catalog);
  return {
    ...leftBehind(desired.address, context),
    kind,
    live: undefined,
    desired,
    held: null,
    isSettled: true,
    change: {
      ...describeDesired(desired),
      ...protectionOf(desired.address, context),
      ...keptFor(desired.address, context),
      action: 'create',
      ...(isGoneByOthers(desired.address, context) && { reason: 'deleted-outside' as const }),
      id: null,
      before: null,
      after: withoutNull({ ...desired.attributes, ...derived }),
      unknown: [
        ...deferredNames(desired),
        ...new Set(
          [...kind.computed, ...listSettledAttributes(kind)].filter((name) => !(name in derived)),
        ),
      ],
      fields: [],
      losses: [],
    },
  };
}

/** The decision about a resource that is gone, and has left something managed behind. */
function leftBehind(
  address: Address,
  { index }: DecisionContext,
): Pick<Decision, 'leftPublicIpId' | 'deposed'> {
  const leftPublicIpId = index.leftPublicIp(address);
  const deposed = index.deposedAt(address);
  return {
    ...(leftPublicIpId !== undefined && { leftPublicIpId }),
    ...(deposed.length > 0 && { deposed }),
  };
}

/**
 * The decision about an address that is neither configured nor live: the public IP that came with a VM, or a former resource,
 * may be left.
 */
function decideLeftover(address: Address, context: DecisionContext): Decision | undefined {
  const managed = context.index.managed.get(address);
  const left = leftBehind(address, context);
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
      reason: left.deposed || !isGoneByOthers(address, context) ? 'leftover' : 'deleted-outside',
      ...underwayAt(left.leftPublicIpId, context),
      // The public IP that came with a protected resource is protected, too; a resource that was replaced before is not.
      ...(left.leftPublicIpId !== undefined && protectionOf(address, context)),
      ...history(address, context),
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

function decideDelete(address: Address, live: LiveResource, context: DecisionContext): Decision {
  const kind = kinds[live.kind];
  const managed = context.index.managed.get(address);
  const configured = context.configured.get(address);
  const { held: before, heldReferences } = readHeldAttributes(address, live, context);
  const change: Change = {
    address,
    kind: live.kind,
    project: parseKnown(address).project,
    action: 'delete',
    reason: reasonToDelete(address, context),
    ...(configured && { source: configured.source }),
    ...protectionOf(address, context),
    ...(managed?.retired?.until === undefined && retirementOf(address, live, context)),
    ...history(address, context),
    id: live.id,
    before: withoutNull(before),
    after: null,
    unknown: [],
    sensitive: configured?.sensitive ?? managed?.sensitive ?? [],
    fields: [],
    ...lossesOf(kind, 'delete', { live, before }),
    ...underwayAt(live.id, context),
    configured: managed?.configured ?? [],
  };
  const findings = refuseRetirement(change, live, { heldReferences, context });
  return {
    ...leftBehind(address, context),
    kind,
    live,
    ...findRealAddress(address, live, context.index),
    desired: undefined,
    held: before,
    heldReferences,
    isSettled: true,
    ...(findings.length > 0 && { findings }),
    change,
  };
}

/** Differences between a live resource and the configuration, and the fields that stay as they are live. */
function compareWithLive(desired: DesiredResource, live: LiveResource, context: DecisionContext) {
  const kind = kinds[desired.kind];
  const managed = context.index.managed.get(desired.address);
  const { names, referred } = noteReferredNames(
    namesFor(desired.address, live, context, false),
    context.index,
  );
  const written = readAsWritten(live, names, managed, desired.attributes);
  const failed = findFailedRebuild(desired, managed, live, context.retriesFailed);
  const wanted = managed ? withoutTarget(desired.attributes, managed) : desired.attributes;
  const read = readAsRecorded(written, managed, wanted, context.catalog);
  const { shown: recorded } = managed ?? {};
  const shown = recorded
    ? Object.entries(written).filter(
        ([name, value]) => name in recorded && !isEqual(value, read[name]),
      )
    : [];
  const ignored = desired.lifecycle?.ignoreChanges ?? [];
  const whole = diffAttributes(
    kind,
    read,
    desired.attributes,
    (managed?.configured ?? []).filter((name) => !ignored.includes(name)),
    deferredNames(desired),
  );
  const reason = reasonToReplace(desired, live, read, context);
  const waited = waitForRebuild(kind, withoutRebuild(desired, failed), whole, reason !== undefined);
  // The resource was read in its present terms already, unless one that it refers to is made anew.
  const standing = [...referred].some((of) => isMadeAnew(of, context.decided))
    ? readHeldAttributes(desired.address, live, context, desired.attributes)
    : { held: read, heldReferences: [...referred] };
  const returning = warnOfReturn(desired, whole.fields, managed?.retired);
  const diff = { ...whole, ...waited };
  return { read, shown, ...standing, reason, waited, failed, returning, diff };
}

function decideChange(
  desired: DesiredResource,
  live: LiveResource,
  context: DecisionContext,
): Decision {
  const kind = kinds[desired.kind];
  const managed = context.index.managed.get(desired.address);
  const { read, shown, held, heldReferences, reason, waited, failed, returning, diff } =
    compareWithLive(desired, live, context);
  // Values that an earlier run has set for a retirement are no drift.
  const drift = managed && !managed.retired && findDrift(diff.fields, managed, live, context);
  const effect = reason ? 'replace' : strongestEffect(diff.fields);
  const { deposed } = leftBehind(desired.address, context);
  const isLeftover = effect === undefined && deposed !== undefined;
  const isRestoring = effect !== 'replace' && failed.restoring !== undefined;
  const action: Action = effect ?? (isLeftover || isRestoring ? 'update' : 'no-op');
  const status = statusOf(live);
  const underway = underwayAt(live.id, context);
  const isIdle = (status === undefined || status === 'active') && !underway.underway;
  const isSettled = isIdle || action === 'replace';
  const isCreatedFirst = action === 'replace' && mayDestroyLast(desired, reason);
  const before = withoutNull(diff.before);
  const isAsItWas = action === 'no-op' && isSettled && diff.fields.length === 0;
  const afterIt = isAsItWas
    ? { after: before, unknown: [] }
    : attributesAfterChange(kind, diff, action, isSettled, context.catalog);
  const { sensitive, noLongerSensitive } = sensitiveAttributesOf(desired, managed);
  // Thousands of changes are made, and most have none of the members below: each is set where it is needed, without spreads.
  const change: { -readonly [Key in keyof Change]: Change[Key] } = {
    ...describeDesired(desired),
    sensitive,
    action,
    id: live.id,
    before,
    after: afterIt.after,
    unknown: afterIt.unknown,
    fields: diff.fields,
    losses: [],
  };
  if (noLongerSensitive) change.noLongerSensitive = noLongerSensitive;
  if (action !== 'no-op') {
    Object.assign(change, lossesOf(kind, action, { live, before: read, desired }));
  }
  const due = findDueBackup(desired, live, action, context);
  if (due.dueBackup) {
    change.dueBackup = due.dueBackup;
    if (action === 'no-op') change.action = 'due';
  }
  if (drift && !underway.underway) change.drift = drift;
  if (live.asRecorded) change.asRecorded = live.asRecorded;
  if (diff.untold.length > 0) change.untold = diff.untold;
  if (shown.length > 0) change.shown = Object.fromEntries(shown);
  const { ignoreChanges = [] } = desired.lifecycle ?? {};
  if (ignoreChanges.length > 0) change.ignored = ignoreChanges;
  if (reason) change.reason = reason;
  if (isLeftover) change.reason = 'leftover';
  if (isRestoring) {
    change.reason = 'rebuild-failed';
    change.restoring = failed.restoring;
    change.after = { ...change.after, ...managed?.wayBack?.asked };
  }
  if (failed.isTriedBefore && waited.waiting) change.isTriedBefore = true;
  if (desired.restoresFailedRebuild) change.restoresOnFailure = true;
  if (isCreatedFirst) change.isCreatedFirst = true;
  Object.assign(
    change,
    protectionOf(desired.address, context),
    action === 'replace'
      ? retirementOf(desired.address, live, context)
      : keptFor(desired.address, context),
    history(desired.address, context),
    underway,
    read === held ? undefined : listReplacedKeys(read, held),
    keepWaitingConfigured(desired, waited),
  );
  const findings = [
    ...refuseRetirement(change, live, { heldReferences, context }),
    ...returning,
    ...due.findings,
  ];
  return {
    ...(deposed && { deposed }),
    ...(findings.length > 0 && { findings }),
    kind,
    live,
    ...findRealAddress(desired.address, live, context.index),
    desired: action === 'replace' ? desired : keepIgnored(desired, diff.after),
    held,
    heldReferences,
    isSettled,
    change,
  };
}

/** Time that a resource is kept once its destruction is asked for. */
function keptFor(address: Address, context: DecisionContext): Pick<Change, 'retireMs'> {
  const retireMs = retireMsOf(address, context);
  return retireMs === undefined ? {} : { retireMs };
}

/** Origin of the resource at its address: moved, imported, or left by an earlier plan. */
function history(
  address: Address,
  { rearranged }: DecisionContext,
): Pick<Change, 'isImported' | 'movedFrom'> {
  const movedFrom = rearranged.movedFrom.get(address);
  return {
    ...(rearranged.imported.has(address) && { isImported: true }),
    ...(movedFrom !== undefined && { movedFrom }),
  };
}
