import { kindRegistry } from '../../kinds/registry.ts';
import {
  removeInstanceKey,
  listEnclosingAddresses,
  parseResourceAddress,
  parseDeposedAddress,
  type ResourceAddress,
  type InstanceKey,
} from '../../model/address.ts';
import type { KindName } from '../../model/kind-places.ts';
import { projectKind } from '../../model/kind-table.ts';
import type { Change, DueBackup, Plan } from '../../model/plan/plan.ts';
import { isBeingDeleted } from '../../model/plan/underway.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { formatLifetime } from '../../model/text/lifetime.ts';
import { readAttributeText } from '../../model/value.ts';
import { formatElapsed } from '../format/elapsed.ts';
import { formatKindLabel } from './labels.ts';
import { splitResourceName } from './resource-name.ts';

/** Reasons of a change, by the names that Terraform's JSON has for them. */
export type ActionReason =
  | 'replace_because_cannot_update'
  | 'replace_because_tainted'
  | 'replace_by_request'
  | 'replace_by_triggers'
  | 'delete_because_no_resource_config'
  | 'delete_because_enabled_false'
  | 'delete_because_wrong_repetition'
  | 'delete_because_count_index'
  | 'delete_because_each_key';

/**
 * Lists the addresses that the configuration still declares: those of all changes that do not delete, each with and
 * without its instance key.
 */
export function listDeclaredAddresses({
  changes,
  emptyGroups = [],
}: Pick<Plan, 'changes' | 'emptyGroups'>): ReadonlySet<ResourceAddress> {
  const declared = new Set<ResourceAddress>();
  const add = (base: ResourceAddress, index?: InstanceKey) => {
    // The bare base must mean "declared without count", so declarations with instances are told apart by a star.
    declared.add(`${base}[*]`).add(markInstances(base, index));
  };
  for (const { address, reads } of emptyGroups) {
    if (reads === 'null') declared.add(markDisabled(address));
    else add(address, reads === 'list' ? 0 : '');
  }
  for (const change of changes) {
    if (change.action === 'delete' || change.action === 'forget') continue;
    if (parseDeposedAddress(change.address)) continue;
    if (change.action === 'no-op' && isBeingDeleted(change)) continue;
    declared.add(change.address);
    const { base, index } = splitResourceName(change.address);
    add(base, index);
  }
  return declared;
}

/** Key of a declaration with `count`, with `forEach`, or with neither, by the type of its instances' keys. */
function markInstances(base: ResourceAddress, index?: InstanceKey): ResourceAddress {
  return index === undefined ? base : `${base}[${typeof index}]`;
}

/** Address that marks a block whose `enabled` is false. */
function markDisabled(base: ResourceAddress): ResourceAddress {
  return `${base}[disabled]`;
}

/** The declaration that is not enabled: the resource's own, or that of a block or a module around it. */
function findDisabled(
  { address }: Change,
  declared: ReadonlySet<ResourceAddress>,
): ResourceAddress | undefined {
  return listEnclosingAddresses(address)
    .map(removeInstanceKey)
    .find((base) => declared.has(markDisabled(base)));
}

/**
 * Finds Terraform's name for the reason of a change, or OpenTofu's where Terraform has none; undefined where neither
 * has a name.
 */
export function findActionReason(
  change: Change,
  declared: ReadonlySet<ResourceAddress>,
): ActionReason | undefined {
  if (change.action === 'replace') {
    if (change.reason === 'creation-failed') return 'replace_because_tainted';
    if (change.reason === 'requested') return 'replace_by_request';
    if (change.reason === 'triggered') return 'replace_by_triggers';
    return 'replace_because_cannot_update';
  }
  if (change.action !== 'delete' || change.reason !== 'not-configured') return undefined;
  if (findDisabled(change, declared) !== undefined) return 'delete_because_enabled_false';
  const { base, index } = splitResourceName(change.address);
  if (!declared.has(`${base}[*]`)) return 'delete_because_no_resource_config';
  if (!declared.has(markInstances(base, index))) return 'delete_because_wrong_repetition';
  return typeof index === 'number' ? 'delete_because_count_index' : 'delete_because_each_key';
}

/** Explains the reason of a change for the line below its headline; undefined where the changed fields explain enough. */
export function explainChangeReason(
  change: Change,
  declared: ReadonlySet<ResourceAddress>,
  isDestroy: boolean,
): string | undefined {
  switch (change.reason) {
    case 'deleted-outside':
      return '(deleted outside of Hostwright)';
    case 'creation-failed':
      return '(its creation failed)';
    case 'being-deleted':
      return '(it is already being deleted)';
    case 'parent-replaced':
      return `(because ${findParent(change)} is replaced)`;
    case 'parent-changed':
      return `(because ${describeKind(change.kind)} cannot move to another ${formatKindLabel(findParentKind(change))})`;
    case 'requested':
      return '(as requested by --replace)';
    case 'triggered':
      return '(because of a resource that replaceTriggeredBy names)';
    case 'expired':
      return `(expired on ${dateOf(change)})`;
    case 'rotation-due':
      return `(expires on ${dateOf(change)}, rotated ${wordLifetime(readAttributeText(change.after ?? {}, 'rotateBefore'))} before)`;
    case 'value-lost':
      return '(an earlier run ended before its value was kept: nobody can use it)';
    case 'leftover':
      return '(left over from an earlier run)';
    case 'rebuild-failed':
      return `(its rebuild failed in an earlier run: the backup ${change.restoring ?? ''} is restored)`;
    case 'retired':
      return '(retired by an earlier run)';
    case 'permanent':
      return '(it cannot be destroyed: its settings stay)';
    case 'not-exclusive':
      return '(nobody configured it, and its project is exclusive)';
    case 'not-configured':
      // A plan that destroys everything is asked for on the command line: the configuration is not the reason.
      return isDestroy ? undefined : explainDeletion(change, declared);
    default:
      return change.action === 'forget'
        ? '(destroy: false is set in the configuration)'
        : undefined;
  }
}

/** Explains in words that a resource is retired instead of being destroyed. */
export function explainRetirement({ retirement }: Change): string {
  if (!retirement) return '';
  const { name, forMs } = retirement;
  return `stopped, renamed to "${name}" and kept for ${wordPeriod(forMs)}: what is lost is lost at the end of that`;
}

/** Explains in words why a backup is due. */
export function explainDueBackup({ maxAgeMs, newestAt }: DueBackup): string {
  const newest =
    newestAt === null
      ? 'it has none'
      : `the newest was made at ${new Date(newestAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `a backup is due: ${newest}, and it may be ${formatLifetime(maxAgeMs)} old`;
}

/** `24h`, `1h30m`. */
function wordPeriod(ms: number): string {
  return formatElapsed(ms).replace(/(?<=\D)0[ms]/g, '');
}

/** Writes a lifetime of the configuration in words: `14d` as `14 days`. */
function wordLifetime(text: string): string {
  const words: Readonly<Record<string, string>> = { d: 'day', h: 'hour', m: 'minute' };
  return [...text.matchAll(/(\d+)([dhm])/g)]
    .filter(([, count]) => Number(count) > 0)
    .map(([, count, unit = '']) => formatCountWithNoun(words[unit] ?? unit, Number(count)))
    .join(' ');
}

function dateOf({ before }: Change): string {
  return readAttributeText(before ?? {}, 'expiresAt').slice(0, 10);
}

function findParent(change: Change): ResourceAddress {
  return parseResourceAddress(change.address)?.parent ?? change.project;
}

function findParentKind(change: Change): KindName {
  return parseResourceAddress(findParent(change))?.kind ?? projectKind;
}

function describeKind(kind: KindName): string {
  return `${kindRegistry[kind].article} ${formatKindLabel(kind)}`;
}

function explainDeletion(change: Change, declared: ReadonlySet<ResourceAddress>): string {
  const { base, index } = splitResourceName(change.address);
  const key = JSON.stringify(index);
  switch (findActionReason(change, declared)) {
    case 'delete_because_enabled_false': {
      const disabled = findDisabled(change, declared) ?? base;
      return disabled === base
        ? '(because enabled is false)'
        : `(because ${disabled} is not enabled)`;
    }
    case 'delete_because_wrong_repetition':
      if (index === undefined) return '(because resource uses count or forEach)';
      return `(because resource does not use ${typeof index === 'number' ? 'count' : 'forEach'})`;
    case 'delete_because_count_index':
      return `(because index [${key}] is out of range for count)`;
    case 'delete_because_each_key':
      return `(because key [${key}] is not in forEach map)`;
    default:
      return `(because ${base} is not in configuration)`;
  }
}
