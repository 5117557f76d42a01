import type { AvailabilityAspect } from '../../kinds/command-facts.ts';
import { findCommandFacts } from '../../kinds/find-facts.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { isOutOfService, findForwardTarget } from '../../kinds/relations/serving.ts';
import { commandNames, type Command } from '../../model/account/command.ts';
import type { LiveResource, LiveSnapshot } from '../../model/account/live.ts';
import {
  findBlockAddress,
  compareResourceAddresses,
  parseDeposedAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import { addToGroup, groupBy } from '../../model/group-by.ts';
import {
  compareOutageLengths,
  type BlockDowntime,
  type CommandTimeSpan,
  type Downtime,
  type ForwardDowntime,
  type MemberOutage,
  type OutagePeriod,
  type OutageSum,
} from '../../model/plan/downtime.ts';
import type { Change, Plan } from '../../model/plan/plan.ts';
import type { State } from '../../model/state/state.ts';
import { listRolloutWaves } from '../order/rollout.ts';

/** Input for the downtime of a plan: the plan, the account before it, and the managed resources in that. */
export interface DowntimeInput {
  readonly plan: Pick<Plan, 'changes' | 'tasks'>;
  readonly live: Pick<LiveSnapshot, 'resources'>;
  readonly known: Pick<State, 'resources'>;
}

/** The services that each command takes and gives back, for commands that do. */
const services = new Map(
  commandNames.flatMap((name) => {
    const { takes, gives } = findCommandFacts(name);
    return (takes ?? gives) ? [[name, { takes, gives }] as const] : [];
  }),
);

/** An outage of one resource during an apply. */
interface OwnOutage extends OutagePeriod {
  readonly address: ResourceAddress;
  readonly loses: AvailabilityAspect;
  /** Tells whether the length was assumed; false where it was learned from this account. */
  readonly isAssumed: boolean;
}

/** An outage while the spans of its resource are read. */
type UnfinishedOutage = { -readonly [Key in keyof OwnOutage]: OwnOutage[Key] };

/** Outages of a block's members. */
interface OutageGroup {
  readonly outages: MemberOutage[];
  /** Tells whether the length of one of them is assumed. */
  isAssumed: boolean;
}

/**
 * Downtime of running resources by a plan, by block and by forward; undefined where there is none.
 * @param listSpans the times of its commands, only called where some of them may take a service
 */
export function findPlanDowntime(
  { plan, live, known }: DowntimeInput,
  listSpans: () => readonly CommandTimeSpan[],
): Downtime | undefined {
  const taken = listTaken(plan);
  if (taken.size === 0) return undefined;
  const account = readServingAccount(live, known, taken);
  const { affected, heirs } = account;
  if (affected.size === 0) return undefined;
  // A restored VM takes over from the one that gives way to it; a forward leads elsewhere once its own change is over.
  for (const heir of heirs.values()) affected.set(heir, findBlockAddress(heir));
  for (const address of account.forwards.keys()) affected.set(address, undefined);
  const spans = groupBy(
    listSpans().filter(({ address }) => affected.has(address)),
    ({ address }) => address,
  );
  for (const [gone, heir] of heirs) {
    for (const span of spans.get(gone) ?? []) addToGroup(spans, heir, span);
  }
  const outages = [...spans].flatMap(([address, own]) =>
    listOutages(address, own.sort(compareStarts)),
  );
  const blocks = listBlocks(account, outages, listRolloutWaves(plan));
  const forwards = listForwards(account, plan, { spans, outages });
  return blocks.length + forwards.length === 0 ? undefined : sortDowntime({ blocks, forwards });
}

/** Addresses of resources that a plan takes a service of; what is replaced by something that is made first serves on. */
function listTaken({ changes, tasks }: DowntimeInput['plan']): ReadonlySet<ResourceAddress> {
  const taken = new Set<ResourceAddress>();
  let isDestroying = false;
  for (const { address, commands, phase } of tasks) {
    if (!commands.some(takesService)) continue;
    taken.add(address);
    isDestroying ||= phase === 'destroy';
  }
  // Only what is destroyed as well was made first.
  if (!isDestroying) return taken;
  for (const { action, address, isCreatedFirst } of changes) {
    if (action === 'replace' && isCreatedFirst === true) taken.delete(address);
  }
  return taken;
}

const takesService = ({ kind }: Command) => services.get(kind)?.takes !== undefined;

/** Sorts expected downtime, the worst first. */
export function sortDowntime({ blocks, forwards, ...rest }: Downtime): Downtime {
  const isLeft = ({ minRunning }: BlockDowntime) => (minRunning === 0 ? 0 : 1);
  const compare = (a: BlockDowntime | ForwardDowntime, b: BlockDowntime | ForwardDowntime) =>
    compareOutageLengths(b.out, a.out) || compareResourceAddresses(a.address, b.address);
  return {
    blocks: [...blocks].sort((a, b) => isLeft(a) - isLeft(b) || compare(a, b)),
    forwards: [...forwards].sort(compare),
    ...rest,
  };
}

/** Managed resources that are in service before the plan. */
interface ServingAccount {
  /** The numbers of running VMs, by block. */
  readonly running: ReadonlyMap<ResourceAddress, number>;
  /** The forwards, each with the id of the VM behind it. */
  readonly forwards: ReadonlyMap<ResourceAddress, string | undefined>;
  /** Those that the plan takes a service of, each with its block; undefined for one whose outages are not those of a block. */
  readonly affected: Map<ResourceAddress, ResourceAddress | undefined>;
  /** Addresses of restored VMs, by those of the affected ones that give way to them. */
  readonly heirs: ReadonlyMap<ResourceAddress, ResourceAddress>;
  readonly managed: State['resources'];
}

function readServingAccount(
  { resources }: DowntimeInput['live'],
  { resources: managed }: DowntimeInput['known'],
  taken: ReadonlySet<ResourceAddress>,
): ServingAccount {
  const up = new Map<string, LiveResource>();
  const down = new Set<string>();
  for (const one of resources) {
    const { traits } = kindRegistry[one.kind];
    if (!traits.isRunning && !traits.leadsTo) continue;
    if (isOutOfService(one)) down.add(one.id);
    else up.set(one.id, one);
  }
  const running = new Map<ResourceAddress, number>();
  const forwards = new Map<ResourceAddress, string | undefined>();
  const affected = new Map<ResourceAddress, ResourceAddress | undefined>();
  const heirs = new Map<ResourceAddress, ResourceAddress>();
  for (const { address, id, gaveWayTo, retired } of managed.values()) {
    const live = up.get(id);
    if (!live) continue;
    const heir = parseDeposedAddress(address)?.base;
    // The VM that gives way to a restored one serves until then.
    const isGivingWay = gaveWayTo !== undefined && retired?.until === undefined;
    if (heir !== undefined && !isGivingWay) continue;
    const isTaken = taken.has(address);
    if (kindRegistry[live.kind].traits.leadsTo) {
      const target = findForwardTarget(live);
      if (down.has(target ?? '')) continue;
      forwards.set(address, target);
      if (isTaken) affected.set(address, undefined);
      continue;
    }
    const block = findBlockAddress(heir ?? address);
    running.set(block, (running.get(block) ?? 0) + 1);
    if (!isTaken) continue;
    affected.set(address, heir === undefined ? block : undefined);
    if (heir !== undefined) heirs.set(address, heir);
  }
  return { running, forwards, affected, heirs, managed };
}

const compareStarts = (a: OutagePeriod, b: OutagePeriod) => a.startMs - b.startMs;

/** Outages, each from a request that can take a service of a resource to the end of the one that gives it back. */
function listOutages(
  address: ResourceAddress,
  spans: readonly CommandTimeSpan[],
): readonly OwnOutage[] {
  const ended: UnfinishedOutage[] = [];
  const open: UnfinishedOutage[] = [];
  for (const { command, startMs, endMs, isDone, isAssumed } of spans) {
    if (command === null) {
      const before = ended.findLast(({ loses }) => loses === 'power');
      if (before) {
        before.endMs = isDone ? endMs : null;
        before.isAssumed = isDone && (before.isAssumed || isAssumed);
      }
      continue;
    }
    const { takes, gives } = services.get(command) ?? {};
    // A VM that is stopped loses nothing by losing its network.
    const isNews = takes && !open.some(({ loses }) => loses === takes || loses === 'power');
    if (isNews) {
      // A resource whose probes did not succeed is still out of service.
      const last = ended.findIndex(({ loses, endMs: end }) => loses === takes && end === null);
      const [still] = last < 0 ? [] : ended.splice(last, 1);
      open.push(still ?? { address, loses: takes, startMs, endMs: null, isAssumed });
    }
    if (isAssumed) for (const one of open) one.isAssumed = true;
    const begun = gives && isDone ? open.findIndex(({ loses }) => loses === gives) : -1;
    for (const one of begun < 0 ? [] : open.splice(begun, 1)) {
      one.endMs = endMs;
      ended.push(one);
    }
  }
  // An outage without an end has no length that could be assumed.
  for (const one of open) one.isAssumed = false;
  ended.push(...open);
  return ended.filter(
    (one) => one.loses !== 'attachment' || !isWithin(one, lossesOf(ended, 'power')),
  );
}

/** Lists the outages in which a resource loses one service, as its power or its network. */
const lossesOf = (own: readonly OwnOutage[], service: AvailabilityAspect) =>
  own.filter(({ loses }) => loses === service);

/** True for an outage that counts for the block of its resource. */
const isOfBlock = (one: OwnOutage): one is OwnOutage & MemberOutage => one.loses !== 'forward';

function listBlocks(
  { affected, running }: ServingAccount,
  outages: readonly OwnOutage[],
  waves: ReturnType<typeof listRolloutWaves>,
): readonly BlockDowntime[] {
  const groups = new Map<ResourceAddress, OutageGroup>();
  for (const one of outages) {
    const block = affected.get(one.address);
    if (block === undefined || !isOfBlock(one)) continue;
    const group = groups.get(block) ?? { outages: [], isAssumed: false };
    if (group.outages.length === 0) groups.set(block, group);
    group.outages.push(one);
    group.isAssumed ||= one.isAssumed;
  }
  return [...groups].map(([address, group]) => {
    const own = waves.get(address);
    const block = describeBlock(address, group, running.get(address) ?? 0);
    return own ? { ...block, waves: own } : block;
  });
}

/** Tells whether an outage lies within another one: a VM that does not run needs no network. */
const isWithin = (one: OutagePeriod, others: readonly OutagePeriod[]): boolean =>
  others.some(
    ({ startMs, endMs }) =>
      startMs <= one.startMs && (endMs === null || (one.endMs !== null && one.endMs <= endMs)),
  );

function describeBlock(
  address: ResourceAddress,
  { outages: unsorted, isAssumed }: OutageGroup,
  running: number,
): BlockDowntime {
  const outages = unsorted.sort(
    (a, b) => a.startMs - b.startMs || compareResourceAddresses(a.address, b.address),
  );
  const cut = outages.filter(({ loses }) => loses === 'attachment');
  const power = cut.length === 0 ? outages : outages.filter(({ loses }) => loses === 'power');
  const { most, least } = findPeakOutages(power);
  const out = sumOutages(outages);
  return {
    address,
    running,
    minRunning: running - most,
    ...(power.length > 0 && { stops: { least, any: cut.length === 0 ? out : sumOutages(power) } }),
    ...(cut.length > 0 && {
      cut: { ...sumOutages(cut), members: new Set(cut.map((one) => one.address)).size },
    }),
    out,
    outages,
    isAssumed,
  };
}

/** Outages of forwards: while a forward is gone, or the VM behind it is out of service. */
function listForwards(
  { forwards, managed }: ServingAccount,
  { changes }: DowntimeInput['plan'],
  of: {
    readonly spans: ReadonlyMap<ResourceAddress, readonly CommandTimeSpan[]>;
    readonly outages: readonly OwnOutage[];
  },
): readonly ForwardDowntime[] {
  if (forwards.size === 0) return [];
  const changed = new Map(changes.map((change) => [change.address, change]));
  const addresses = new Map([...managed.values()].map(({ id, address }) => [id, address]));
  const outages = groupBy(of.outages, ({ address }) => address);
  const lossesAt = (address: ResourceAddress | undefined, service: AvailabilityAspect) =>
    lossesOf(outages.get(address ?? '') ?? [], service);
  return [...forwards].flatMap(([address, targetId]): readonly ForwardDowntime[] => {
    const target = addresses.get(targetId ?? '');
    const change = changed.get(address);
    const next = change && nextTarget(change);
    // The forward leads to its new target once its own change is over.
    const movesMs = next === undefined || next === target ? null : endOf(of.spans.get(address));
    const lost = [
      ...lossesAt(address, 'forward'),
      ...clipOutages(lossesAt(target, 'power'), 0, movesMs),
      ...(movesMs === null ? [] : clipOutages(lossesAt(next, 'power'), movesMs, null)),
    ];
    if (lost.length === 0) return [];
    const isAssumed = lost.some((one) => one.isAssumed);
    return [{ address, out: sumOutages(lost), outages: mergeOutages(lost), isAssumed }];
  });
}

/** Target of a forward after its change; undefined where it is deleted, or leads to a resource that is not managed. */
function nextTarget({ address, kind, project, after }: Change): ResourceAddress | undefined {
  if (!after) return undefined;
  return kindRegistry[kind].references({ address, kind, project, attributes: after })[0]?.address;
}

/** Time at which the last command ends; null where there is none. */
const endOf = (spans: readonly CommandTimeSpan[] = []): number | null =>
  spans.at(-1)?.endMs ?? null;

/** Outages with overlaps merged, in the order in which they begin. */
export function mergeOutages(outages: readonly OutagePeriod[]): readonly OutagePeriod[] {
  const merged: { startMs: number; endMs: number | null }[] = [];
  for (const { startMs, endMs } of [...outages].sort((a, b) => a.startMs - b.startMs)) {
    const last = merged.at(-1);
    if (!last || (last.endMs !== null && last.endMs < startMs)) merged.push({ startMs, endMs });
    else if (last.endMs !== null) last.endMs = endMs === null ? null : Math.max(last.endMs, endMs);
  }
  return merged;
}

/** The start and the total length of outages. @param outages at least one */
function sumOutages(outages: readonly OutagePeriod[]): OutageSum {
  const merged = mergeOutages(outages);
  const forMs = merged.reduce<number | null>(
    (sum, { startMs, endMs }) => (sum === null || endMs === null ? null : sum + endMs - startMs),
    0,
  );
  return { startMs: merged[0]?.startMs ?? 0, forMs };
}

/** The part of each outage between two moments; null: without end. */
function clipOutages<T extends OutagePeriod>(
  outages: readonly T[],
  fromMs: number,
  toMs: number | null,
): readonly T[] {
  return outages.flatMap((one) => {
    const startMs = Math.max(one.startMs, fromMs);
    const endMs = toMs === null || (one.endMs !== null && one.endMs < toMs) ? one.endMs : toMs;
    return endMs !== null && endMs <= startMs ? [] : [{ ...one, startMs, endMs }];
  });
}

/** The largest number of outages at one moment, and the time of that. */
export function findPeakOutages(outages: readonly OutagePeriod[]): {
  most: number;
  least: OutageSum;
} {
  const starts = Float64Array.from(outages, ({ startMs }) => startMs).sort();
  const ends = Float64Array.from(outages, ({ endMs }) => endMs ?? Infinity).sort();
  let [begun, over, most] = [0, 0, 0];
  let shared: OutagePeriod[] = [];
  while (begun < starts.length) {
    const startMs = starts[begun] ?? Infinity;
    // An outage that begins when another one ends does not overlap it.
    if ((ends[over] ?? Infinity) <= startMs) {
      over += 1;
      continue;
    }
    begun += 1;
    const open = begun - over;
    if (open < most || open === 0) continue;
    if (open > most) shared = [];
    most = open;
    const nextMs = Math.min(starts[begun] ?? Infinity, ends[over] ?? Infinity);
    shared.push({ startMs, endMs: nextMs === Infinity ? null : nextMs });
  }
  return { most, least: sumOutages(shared) };
}
