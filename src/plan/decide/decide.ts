import { substituteRequestedValues } from '../../kinds/asked-shown.ts';
import { readAttributesAsWritten } from '../../kinds/read-attributes.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { getLiveStatus, type LiveResource } from '../../model/account/live.ts';
import { listSensitiveAfterChange, type Action, type Change } from '../../model/plan/plan.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import { isEqual, type Attributes, type Value } from '../../model/value.ts';
import { parseKnownAddress } from '../account-index.ts';
import {
  computeAttributesAfterChange,
  listDerivedAttributes,
  omitNullAttributes,
} from './afterwards.ts';
import type { ChangeDecision, DecisionContext } from './decision.ts';
import {
  readConfiguredChangeMembers,
  listDeferredFields,
  keepWaitingFieldsConfigured,
} from './describe-desired.ts';
import { diffAttributes, findStrongestEffect } from './diff.ts';
import { findDueBackup } from './due-backup.ts';
import { findDriftedFields } from './drift.ts';
import { isRemovedByOthers, findUnderwayOperation } from '../reconcile/follow-sent.ts';
import {
  findRealAddress,
  recordReferencedAddresses,
  readAttributesWithReferences,
} from './held.ts';
import { listResourceLosses } from './losses.ts';
import { listSensitiveAttributes } from './mark-sensitive.ts';
import { isRecreatedResource, listReplacedResourceKeys, createPlanIdTranslator } from './names.ts';
import { findResourceProtection } from './protection.ts';
import { keepIgnoredFields } from '../values/keep-ignored.ts';
import { findFailedRebuild, omitRebuildingFields, omitRebuildTarget } from './failed-rebuild.ts';
import { withholdRebuildFields } from './wait-for-rebuild.ts';
import {
  decideRetiredResource,
  refuseRetirement,
  findRetirementMs,
  buildRetirement,
  restoreDesiredAttributes,
  warnOfRestoredResource,
} from './retire.ts';
import { isReplacementCreatedFirst, findDeleteReason, findReplaceReason } from './reasons.ts';
import { resolveDeferredFields } from '../values/resolve-fields.ts';

/** Decides the change of one address; undefined when it is neither configured nor live. */
export function decideAddressChange(
  address: ResourceAddress,
  desired: DesiredResource | undefined,
  context: DecisionContext,
): ChangeDecision | undefined {
  const live = context.index.liveAt(address);
  if (!desired) {
    if (!live) return decideLeftover(address, context);
    return decideRetiredResource(address, live, context) ?? decideDelete(address, live, context);
  }
  const {
    desired: resolved,
    reads,
    findings,
  } = resolveDeferredFields(desired, context.scope, context.book, (read) => {
    const decided = context.decided.get(read);
    return decided ? listSensitiveAfterChange(decided.change) : [];
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
  const ignoreChanges = Object.keys(kindRegistry[desired.kind].fields);
  const none = { preventDestroy: false, createBeforeDestroy: false, replaceTriggeredBy: [] };
  return { ...desired, lifecycle: { ...none, ...desired.lifecycle, ignoreChanges } };
}

function decideCreate(desired: DesiredResource, context: DecisionContext): ChangeDecision {
  const kind = kindRegistry[desired.kind];
  const derived = kind.derive(desired.attributes, context.catalog);
  return {
    ...leftBehind(desired.address, context),
    kind,
    live: undefined,
    desired,
    held: null,
    isSettled: true,
    change: {
      ...readConfiguredChangeMembers(desired),
      ...findResourceProtection(desired.address, context),
      ...keptFor(desired.address, context),
      action: 'create',
      ...(isRemovedByOthers(desired.address, context) && { reason: 'deleted-outside' as const }),
      id: null,
      before: null,
      after: omitNullAttributes({ ...desired.attributes, ...derived }),
      unknown: [
        ...listDeferredFields(desired),
        ...new Set(
          [...kind.computed, ...listDerivedAttributes(kind)].filter((name) => !(name in derived)),
        ),
      ],
      fields: [],
      losses: [],
    },
  };
}

/** The decision about a resource that is gone, and has left something managed behind. */
function leftBehind(
  address: ResourceAddress,
  { index }: DecisionContext,
): Pick<ChangeDecision, 'leftPublicIpId' | 'deposed'> {
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
function decideLeftover(
  address: ResourceAddress,
  context: DecisionContext,
): ChangeDecision | undefined {
  const managed = context.index.managed.get(address);
  const left = leftBehind(address, context);
  if (!managed || Object.keys(left).length === 0) return undefined;
  return {
    ...left,
    kind: kindRegistry[managed.kind],
    live: undefined,
    desired: undefined,
    held: null,
    isSettled: true,
    change: {
      address,
      kind: managed.kind,
      project: parseKnownAddress(address).project,
      action: 'delete',
      reason: left.deposed || !isRemovedByOthers(address, context) ? 'leftover' : 'deleted-outside',
      ...findUnderwayOperation(left.leftPublicIpId, context),
      // The public IP that came with a protected resource is protected, too; a resource that was replaced before is not.
      ...(left.leftPublicIpId !== undefined && findResourceProtection(address, context)),
      ...history(address, context),
      id: managed.id,
      before: omitNullAttributes(managed.attributes),
      after: null,
      unknown: [],
      sensitive: managed.sensitive ?? [],
      fields: [],
      losses: [],
      configured: managed.configured,
    },
  };
}

function decideDelete(
  address: ResourceAddress,
  live: LiveResource,
  context: DecisionContext,
): ChangeDecision {
  const kind = kindRegistry[live.kind];
  const managed = context.index.managed.get(address);
  const configured = context.configured.get(address);
  const { held: before, heldReferences } = readAttributesWithReferences(address, live, context);
  const change: Change = {
    address,
    kind: live.kind,
    project: parseKnownAddress(address).project,
    action: 'delete',
    reason: findDeleteReason(address, context),
    ...(configured && { source: configured.source }),
    ...findResourceProtection(address, context),
    ...(managed?.retired?.until === undefined && buildRetirement(address, live, context)),
    ...history(address, context),
    id: live.id,
    before: omitNullAttributes(before),
    after: null,
    unknown: [],
    sensitive: configured?.sensitive ?? managed?.sensitive ?? [],
    fields: [],
    ...listResourceLosses(kind, 'delete', { live, before }),
    ...findUnderwayOperation(live.id, context),
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
  const kind = kindRegistry[desired.kind];
  const managed = context.index.managed.get(desired.address);
  const { names, referred } = recordReferencedAddresses(
    createPlanIdTranslator(desired.address, live, context, false),
    context.index,
  );
  const written = readAttributesAsWritten(live, names, managed, desired.attributes);
  const failed = findFailedRebuild(desired, managed, live, context.retriesFailed);
  const wanted = managed ? omitRebuildTarget(desired.attributes, managed) : desired.attributes;
  const read = substituteRequestedValues(written, managed, wanted, context.catalog);
  const shown = managed ? listShownOtherwise(desired, managed, { written, read }) : [];
  const ignored = desired.lifecycle?.ignoreChanges ?? [];
  const whole = diffAttributes(
    kind,
    read,
    desired.attributes,
    (managed?.configured ?? []).filter((name) => !ignored.includes(name)),
    listDeferredFields(desired),
  );
  const reason = findReplaceReason(desired, live, read, context);
  const waited = withholdRebuildFields(
    kind,
    omitRebuildingFields(desired, failed),
    whole,
    reason !== undefined,
  );
  // The resource was read in its present terms already, unless one that it refers to is made anew.
  const standing = [...referred].some((of) => isRecreatedResource(of, context.decided))
    ? readAttributesWithReferences(desired.address, live, context, desired.attributes)
    : { held: read, heldReferences: [...referred] };
  const returning = warnOfRestoredResource(desired, whole.fields, managed?.retired);
  const diff = { ...whole, ...waited };
  return { read, shown, ...standing, reason, waited, failed, returning, diff };
}

/** Live values in place of which a comparison has the requested ones: as shown once, or of what was adopted. */
function listShownOtherwise(
  { sensitive = [] }: DesiredResource,
  { shown = {}, attributes }: ManagedResource,
  { written, read }: Readonly<Record<'written' | 'read', Attributes>>,
): readonly [string, Value][] {
  if (written === read) return [];
  const isNew = (name: string) => !(name in attributes) && !sensitive.includes(name);
  return Object.entries(written).filter(
    ([name, value]) => !isEqual(value, read[name]) && (name in shown || isNew(name)),
  );
}

function decideChange(
  desired: DesiredResource,
  live: LiveResource,
  context: DecisionContext,
): ChangeDecision {
  const kind = kindRegistry[desired.kind];
  const managed = context.index.managed.get(desired.address);
  const { read, shown, held, heldReferences, reason, waited, failed, returning, diff } =
    compareWithLive(desired, live, context);
  // Values that an earlier run has set for a retirement are no drift.
  const drift =
    managed && !managed.retired && findDriftedFields(diff.fields, managed, live, context);
  const effect = reason ? 'replace' : findStrongestEffect(diff.fields);
  const { deposed } = leftBehind(desired.address, context);
  const isLeftover = effect === undefined && deposed !== undefined;
  const isRestoring = effect !== 'replace' && failed.restoring !== undefined;
  const action: Action = effect ?? (isLeftover || isRestoring ? 'update' : 'no-op');
  const status = getLiveStatus(live);
  const underway = findUnderwayOperation(live.id, context);
  const isDone = status === undefined || status === 'active' || live.isAtRest === true;
  const isIdle = isDone && !underway.underway;
  const isSettled = isIdle || action === 'replace';
  const isCreatedFirst = action === 'replace' && isReplacementCreatedFirst(desired, reason);
  const before = omitNullAttributes(diff.before);
  const isAsItWas = action === 'no-op' && isSettled && diff.fields.length === 0;
  const afterIt = isAsItWas
    ? { after: before, unknown: [] }
    : computeAttributesAfterChange(kind, diff, action, isSettled, context.catalog);
  const { sensitive, noLongerSensitive } = listSensitiveAttributes(desired, managed);
  // Thousands of changes are made, and most have none of the members below: each is set where it is needed, without spreads.
  const change: { -readonly [Key in keyof Change]: Change[Key] } = {
    ...readConfiguredChangeMembers(desired),
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
    Object.assign(change, listResourceLosses(kind, action, { live, before: read, desired }));
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
    findResourceProtection(desired.address, context),
    action === 'replace'
      ? buildRetirement(desired.address, live, context)
      : keptFor(desired.address, context),
    history(desired.address, context),
    underway,
    read === held ? undefined : listReplacedResourceKeys(read, held),
    keepWaitingFieldsConfigured(desired, waited),
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
    desired: action === 'replace' ? desired : keepIgnoredFields(desired, diff.after),
    held,
    heldReferences,
    isSettled,
    change,
  };
}

/** Time that a resource is kept once its destruction is asked for. */
function keptFor(address: ResourceAddress, context: DecisionContext): Pick<Change, 'retireMs'> {
  const retireMs = findRetirementMs(address, context);
  return retireMs === undefined ? {} : { retireMs };
}

/** Marks a resource that this plan imports, or that was moved to its address. */
function history(
  address: ResourceAddress,
  { rearranged }: DecisionContext,
): Pick<Change, 'isImported' | 'movedFrom'> {
  const movedFrom = rearranged.movedFrom.get(address);
  return {
    ...(rearranged.imported.has(address) && { isImported: true }),
    ...(movedFrom !== undefined && { movedFrom }),
  };
}
