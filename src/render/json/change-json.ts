import { parseResourceAddress, type ResourceAddress } from '../../model/address.ts';
import type { Action, Change, Drift, DueBackup } from '../../model/plan/plan.ts';
import type { ResourceRetirement } from '../../model/state/state.ts';
import type { Attributes } from '../../model/value.ts';
import { findActionReason } from '../view/change-reason.ts';
import { completeChangeSides, replaceCatalogIdsByNames } from '../view/change-sides.ts';
import type { ChangeSides } from '../view/change-sides.ts';
import {
  describeTerraformResource,
  identifyTerraformResource,
  markAttributeNames,
  sortAttributeKeys,
} from './resource-json.ts';

/** A rebuild keeps the resource and its id: to tools that know Terraform alone it is an update. */
const terraformActions: Readonly<Record<Action, readonly string[]>> = {
  create: ['create'],
  update: ['update'],
  rebuild: ['update'],
  replace: ['delete', 'create'],
  delete: ['delete'],
  expire: ['delete'],
  due: ['no-op'],
  forget: ['forget'],
  'no-op': ['no-op'],
};

/**
 * Lists the actions of a change in Terraform's words. For a replacement that is created first, `create` comes before
 * `delete`.
 */
export function listTerraformActions({
  action,
  isCreatedFirst,
}: Pick<Change, 'action' | 'isCreatedFirst'>): readonly string[] {
  const actions = terraformActions[action];
  return action === 'replace' && isCreatedFirst ? [...actions].reverse() : actions;
}

/** Both sides of a change with the names of entries: policies of other tools are written with them. */
function nameSides(change: Change): ChangeSides {
  const { before, after, unknown } = completeChangeSides(change);
  const { entryNames } = change;
  return {
    before: replaceCatalogIdsByNames(before, entryNames),
    after: replaceCatalogIdsByNames(after, entryNames),
    unknown,
  };
}

/** A resource with the module that it stands in, as only entries of changes name it. */
function identifyChange({ address, kind }: Pick<Change, 'address' | 'kind'>) {
  const identity = identifyTerraformResource(address, kind);
  const module = parseResourceAddress(identity.address)?.module;
  return { ...identity, ...(module !== undefined && { module_address: module }) };
}

/** An entry of `resource_changes` in Terraform's JSON format of plans. */
export type ResourceChangeJson = ReturnType<typeof describeResourceChange>;

/** Describes a change as an entry of `resource_changes`. */
export function describeResourceChange(change: Change, declared: ReadonlySet<ResourceAddress>) {
  const { before, after, unknown } = nameSides(change);
  const { sensitive } = change;
  const hidden = new Set(sensitive);
  const markSensitive = (attributes: Attributes | null, later?: ReadonlySet<string>) =>
    attributes !== null &&
    markAttributeNames(sensitive.filter((name) => name in attributes || later?.has(name) === true));
  const paths = change.fields
    .filter((field) => field.effect === 'replace')
    .map(({ name }) => [name]);
  const reason = findActionReason(change, declared);
  return {
    ...identifyChange(change),
    ...(change.movedFrom !== undefined && { previous_address: change.movedFrom }),
    change: {
      actions: listTerraformActions(change),
      before: before && sortAttributeKeys(before, hidden),
      after: after && sortAttributeKeys(after, hidden),
      after_unknown: markAttributeNames(unknown),
      before_sensitive: markSensitive(before),
      after_sensitive: markSensitive(after, unknown),
      ...(change.action === 'replace' && paths.length > 0 && { replace_paths: paths }),
      ...(change.isImported && { importing: { id: change.id } }),
    },
    ...(reason && { action_reason: reason }),
    // Our own action, since the words of Terraform do not tell a rebuild from an update.
    hostwright: {
      action: change.action,
      losses: change.losses,
      ...(change.retirement && { retirement: describeRetirement(change.retirement) }),
      ...(change.dueBackup && { backup: describeDueBackup(change, change.dueBackup) }),
      ...(change.restoring !== undefined && { restores: change.restoring }),
      ...(change.isTriedBefore && { triedBefore: true }),
    },
  };
}

function describeRetirement({ name, forMs, until }: ResourceRetirement) {
  return {
    name,
    seconds: forMs / 1_000,
    ...(until !== undefined && { until: new Date(until).toISOString() }),
  };
}

function describeDueBackup({ displacedBackup }: Change, { maxAgeMs, newestAt }: DueBackup) {
  return {
    maxAgeSeconds: maxAgeMs / 1_000,
    newestAt: newestAt === null ? null : new Date(newestAt).toISOString(),
    ...(displacedBackup !== undefined && { displaces: displacedBackup }),
  };
}

/** Describes the resource of a change before it (`prior_state`) or after it (`planned_values`). */
export function describePriorOrPlannedResource(change: Change, side: 'prior' | 'planned') {
  const { before, after } = nameSides(change);
  return describeTerraformResource(
    change,
    (side === 'prior' ? before : after) ?? {},
    change.sensitive,
  );
}

/**
 * Describes an entry of `resource_drift`: a resource that was changed or deleted outside of Hostwright, as last applied
 * and as it is live.
 */
export function describeResourceDrift(drift: Drift) {
  const { address, kind, id, before, after, entryNames, sensitive } = drift;
  const hidden = new Set(sensitive);
  const marks = markAttributeNames(sensitive);
  return {
    ...identifyChange({ address, kind }),
    change: {
      actions: [after === null ? 'delete' : 'update'],
      before: sortAttributeKeys({ id, ...replaceCatalogIdsByNames(before, entryNames) }, hidden),
      after:
        after && sortAttributeKeys({ id, ...replaceCatalogIdsByNames(after, entryNames) }, hidden),
      after_unknown: {},
      before_sensitive: marks,
      after_sensitive: after !== null && marks,
    },
  };
}
