import { isOutOfService } from '../../kinds/relations/serving.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { CelDouble, NameTree, type ScopeValue } from '../../expressions/values/scope.ts';
import {
  findBlockAddress,
  parseResourceAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import type { Downtime, OutageSum } from '../../model/plan/downtime.ts';
import type { PlanCheckInput } from '../check.ts';

/** Parts of a check's input that name blocks, forwards and their outages. */
export type PolicyDowntimeInput = Pick<PlanCheckInput, 'desired' | 'live' | 'state'> & {
  readonly plan: { readonly downtime?: Downtime };
};

/**
 * Builds the value `plan.downtime` of policy conditions, by the addresses of blocks and forwards. An address that stays in
 * service has a downtime of 0 seconds, so that a condition needs no test for its presence.
 */
export function buildDowntimeNames(input: PolicyDowntimeInput): NameTree {
  const trees = listPolicyOutages(input.plan);
  const nameServing = (address: ResourceAddress): NameTree | undefined => {
    const kind = parseResourceAddress(address)?.kind;
    const traits = kind && kindRegistry[kind].traits;
    if (!traits?.isRunning && !traits?.leadsTo) return undefined;
    const members = listMembers(address, input);
    if (members.length === 0 && !isConfigured(address, input)) return undefined;
    const running = members.length - countDown(members, input);
    const none = { startMs: 0, forMs: 0 };
    return name(address, none, traits.isRunning ? { running, minRunning: running } : {});
  };
  return new NameTree(
    'plan.downtime',
    () => [...trees.keys()],
    (address) => trees.get(address) ?? nameServing(address),
  );
}

/** Outages of the plan as names, by the addresses of blocks and forwards. */
export function listPolicyOutages({
  downtime,
}: PolicyDowntimeInput['plan']): ReadonlyMap<ResourceAddress, NameTree> {
  const { blocks = [], forwards = [] } = downtime ?? {};
  return new Map([
    ...blocks.map(({ address, out, running, minRunning }) => {
      return [address, name(address, out, { running, minRunning })] as const;
    }),
    ...forwards.map(({ address, out }) => [address, name(address, out, {})] as const),
  ]);
}

function name(
  address: ResourceAddress,
  { forMs }: OutageSum,
  more: Readonly<Record<string, ScopeValue>>,
) {
  const label = `plan.downtime[${JSON.stringify(address)}]`;
  return NameTree.of(label, { seconds: toSeconds(forMs), ...more });
}

/** Whole seconds, as they are shown; an outage without an end is longer than any duration. */
const toSeconds = (ms: number | null) =>
  new CelDouble(ms === null ? Number.POSITIVE_INFINITY : Math.round(ms / 1_000));

/** The live ids of what is managed at an address. */
const listMembers = (address: ResourceAddress, { state }: PolicyDowntimeInput): readonly string[] =>
  [...state.resources.values()].flatMap((one) =>
    findBlockAddress(one.address) === address ? [one.id] : [],
  );

const isConfigured = (address: ResourceAddress, { desired }: PolicyDowntimeInput): boolean =>
  [...desired.keys()].some((one) => findBlockAddress(one) === address);

/** Number of VMs that are absent from the account, or already out of service. */
function countDown(ids: readonly string[], { live }: PolicyDowntimeInput): number {
  const wanted = new Set(ids);
  const up = live.resources.filter((one) => wanted.has(one.id) && !isOutOfService(one));
  return ids.length - up.length;
}
