// Retirement: what would be destroyed is kept out of service for a while, and returns where somebody asks for it. Its beginning is
// the destruction that everybody judges; its end was approved with that.
import { kindRegistry } from '../../kinds/registry.ts';
import { findCompanionResourceId } from '../../kinds/relations/brought.ts';
import {
  findBlockAddress,
  isAtOrBelowAddress,
  parseDeposedAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import { getLiveStatus, type LiveResource } from '../../model/account/live.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { Action, Change, FieldChange } from '../../model/plan/plan.ts';
import type { DesiredGraph, DesiredResource } from '../../model/resource.ts';
import { clearRetirementEnd, type ResourceRetirement } from '../../model/state/state.ts';
import type { ChangeDecision, DecisionContext, RetirementRules } from './decision.ts';
import { readAttributesWithReferences } from './held.ts';
import { omitNullAttributes } from './afterwards.ts';
import { parseKnownAddress } from '../account-index.ts';

type RetireContext = Pick<DecisionContext, 'decided' | 'index' | 'retiring'>;

/** Reads the settings of the configuration about retirements. */
export function readRetirementRules(
  { resources, removed = [] }: DesiredGraph,
  given: Pick<RetirementRules, 'isDestroy' | 'endsBy'>,
): RetirementRules {
  return {
    ...given,
    blocks: new Map(
      resources.map(({ address, lifecycle }) => [findBlockAddress(address), lifecycle?.retireMs]),
    ),
    dropped: removed.flatMap(({ from, destroy }) => (destroy ? [from] : [])),
  };
}

/**
 * Time that a resource is kept instead of being destroyed. A block decides for its resources from the moment it is written;
 * where the whole block is gone, the time that was last applied holds, unless `removed` names the resource.
 */
export function findRetirementMs(
  address: ResourceAddress,
  { index, retiring: { blocks, dropped } }: Pick<RetireContext, 'index' | 'retiring'>,
): number | undefined {
  const owner = parseDeposedAddress(address)?.base ?? address;
  const block = findBlockAddress(owner);
  if (blocks.has(block)) return blocks.get(block);
  if (dropped.some((from) => isAtOrBelowAddress(owner, from))) return undefined;
  return index.managed.get(address)?.retireMs;
}

/** Retirement of a resource that a change would destroy: it is kept out of service first. The name that it then has is found last. */
export function buildRetirement(
  address: ResourceAddress,
  live: LiveResource,
  context: RetireContext,
): Pick<Change, 'retireMs' | 'retirement'> {
  const managed = context.index.managed.get(address);
  const forMs = findRetirementMs(address, context);
  if (forMs === undefined || !kindRegistry[live.kind].traits.retire) return {};
  if (context.retiring.isDestroy) return { retireMs: forMs };
  const status = getLiveStatus(live);
  // Nothing was ever written to what could not be made, and nothing keeps what is on its way out.
  if (status === 'failed' || status === 'deleting') return { retireMs: forMs };
  const begun = managed?.id === live.id ? managed.retired : undefined;
  const rest = begun ? clearRetirementEnd(begun) : { name: '' };
  return { retireMs: forMs, retirement: { ...rest, forMs } };
}

/** The reasons why a resource cannot be kept in retirement; none where it can. */
export function refuseRetirement(
  { address, kind: kindName, action, retirement, source }: Change,
  live: LiveResource,
  {
    heldReferences,
    context,
  }: {
    readonly heldReferences: readonly ResourceAddress[];
    readonly context: RetireContext;
  },
): readonly Finding[] {
  if (!retirement || (action !== 'delete' && action !== 'replace')) return [];
  const { index, decided } = context;
  const kind = kindRegistry[kindName];
  const isGoing = (of: ResourceAddress) =>
    ['delete', 'replace'].includes(decided.get(of)?.change.action ?? '');
  const brought = findCompanionResourceId(index.managed.get(address), live);
  const held = kind.traits.retire?.listFast(live).find((id) => id !== brought);
  const above = [parseKnownAddress(address).project, index.addressOf(live.projectId)];
  const needed = heldReferences.filter(
    (of) => kindRegistry[parseKnownAddress(of).kind].traits.inUse?.isByReferences,
  );
  const going = [...above, ...needed].find((of) => of !== undefined && isGoing(of));
  if (held === undefined && going === undefined) return [];
  return [
    {
      severity: 'error',
      code: 'cannot-retire',
      summary: `The ${kind.label} cannot be retired`,
      detail:
        held === undefined
          ? `The same plan destroys ${going}, and without that there is no way back.`
          : `It holds the public IP ${index.addressOf(held) ?? held}, and the service takes that off no VM.`,
      hint:
        held === undefined
          ? 'Keep what it needs until the retirement has ended, or destroy it at once: by a removed entry with destroy: true, or without lifecycle.retire.'
          : 'Remove lifecycle.retire from its block: then it is destroyed at once.',
      address,
      ...(source && { source }),
    },
  ];
}

/**
 * Decision about a retired resource: it stays until its end. Together with everything else, or with its project, it goes
 * before that, which is a destruction like any other; undefined for those.
 */
export function decideRetiredResource(
  address: ResourceAddress,
  live: LiveResource,
  context: DecisionContext,
): ChangeDecision | undefined {
  const { index, decided } = context;
  const { isDestroy, endsBy } = context.retiring;
  const managed = index.managed.get(address);
  const until = managed?.retired?.until;
  const { project } = parseKnownAddress(address);
  const above = decided.get(index.addressOf(live.projectId) ?? project)?.change.action;
  if (!managed || until === undefined || isDestroy) return undefined;
  if (above === 'delete' || above === 'replace') return undefined;
  const { held, heldReferences } = readAttributesWithReferences(address, live, context);
  const before = omitNullAttributes(held);
  const action: Action = endsBy !== undefined && endsBy >= until ? 'expire' : 'no-op';
  return {
    kind: kindRegistry[live.kind],
    live,
    desired: undefined,
    held,
    heldReferences,
    isSettled: true,
    change: {
      address,
      kind: live.kind,
      project,
      action,
      id: live.id,
      before,
      after: action === 'expire' ? null : before,
      unknown: [],
      sensitive: managed.sensitive ?? [],
      fields: [],
      losses: [],
      configured: managed.configured,
      ...(managed.retired && { retirement: managed.retired }),
    },
  };
}

/** True for what is on its way back: until it has arrived, nothing that would lose its data is changed of it. */
function isReturning(address: ResourceAddress, retired: ResourceRetirement | undefined): boolean {
  return retired?.until !== undefined && !parseDeposedAddress(address);
}

/**
 * Desired attributes of a resource that this run or an earlier one brings back from its retirement, or whose retirement an
 * earlier run began and nobody wants any more: attributes without a configured value become as they were.
 */
export function restoreDesiredAttributes(
  desired: DesiredResource,
  retired: ResourceRetirement | undefined,
): DesiredResource {
  const { retire } = kindRegistry[desired.kind].traits;
  if (!retired || !retire) return desired;
  const { attributes } = desired;
  const returned = { ...desired, attributes: { ...retire.wanted(retired), ...attributes } };
  if (!isReturning(desired.address, retired)) return returned;
  const { fields } = kindRegistry[desired.kind];
  const lost = Object.keys(fields).filter((name) => fields[name]?.effect !== 'update');
  const { lifecycle } = desired;
  const none = { preventDestroy: false, createBeforeDestroy: false };
  return {
    ...returned,
    lifecycle: {
      ...none,
      ...lifecycle,
      ignoreChanges: [...new Set([...(lifecycle?.ignoreChanges ?? []), ...lost])],
      replaceTriggeredBy: [],
    },
  };
}

/** Warns of what the next plan does to a resource that comes back, since the configuration is of another one. */
export function warnOfRestoredResource(
  { address, kind, source }: DesiredResource,
  fields: readonly FieldChange[],
  retired: ResourceRetirement | undefined,
): readonly Finding[] {
  const lost = fields
    .map(({ name }) => name)
    .filter((name) => kindRegistry[kind].fields[name]?.effect !== 'update');
  if (!isReturning(address, retired) || lost.length === 0) return [];
  return [
    {
      severity: 'warning',
      code: 'restored-otherwise',
      summary: `The configuration asks for another ${kindRegistry[kind].label} than the one that comes back`,
      detail: `It differs in ${lost.join(', ')}. This plan leaves that as it is; the next one rebuilds or replaces it.`,
      hint: 'Set these fields back to what they were before the next apply.',
      address,
      source,
    },
  ];
}
