import { findFacts } from '../../kinds/find-facts.ts';
import type { Service } from '../../kinds/command-facts.ts';
import { kinds } from '../../kinds/registry.ts';
import { isDown, targetOf } from '../../kinds/relations/serving.ts';
import type { LiveResource, LiveSnapshot } from '../../model/account/live.ts';
import { commandNames, type CommandName } from '../../model/account/command.ts';
import { blockOf, compareAddresses, parseDeposed, type Address } from '../../model/address.ts';
import { addTo, groupBy } from '../../model/group-by.ts';
import {
  compareLengths,
  type BlockDowntime,
  type CommandSpan,
  type Downtime,
  type ForwardDowntime,
  type MemberOutage,
  type Outage,
} from '../../model/plan/downtime.ts';
import type { Change, Plan } from '../../model/plan/plan.ts';
import type { State } from '../../model/state/state.ts';
import { listWaves } from '../order/rollout.ts';
import { clipOutages, mergeOutages, sumOutages, sweepOutages } from './sum-outages.ts';

/** What tells what a plan takes out of service: itself, the account before it, and what of that is managed. */
export interface DowntimeInput {
  readonly plan: Pick<Plan, 'changes' | 'tasks'>;
  readonly live: Pick<LiveSnapshot, 'resources'>;
  readonly known: Pick<State, 'resources'>;
}

/** The commands that take something; every other plan pays nothing. */
const taking: ReadonlySet<CommandName> = new Set(
  commandNames.filter((name) => findFacts(name).takes !== undefined),
);

/** A command with what it takes and gives. */
type ServedSpan = CommandSpan & { readonly takes?: Service; readonly gives?: Service };

/** An outage of one resource, and whether its length is known from this account. */
type OwnOutage<T extends Outage = Outage> = T & { readonly isAssumed: boolean };

/**
 * What a plan takes out of service of what runs, by block and by forward; undefined where that is nothing.
 * @param listSpans the times of its commands, asked for where some of them may take something
 */
export function findDowntime(
  { plan, live, known }: DowntimeInput,
  listSpans: () => readonly CommandSpan[],
): Downtime | undefined {
  const touched = new Set(
    plan.tasks.flatMap(({ address, commands }) =>
      commands.some(({ kind }) => taking.has(kind)) ? [address] : [],
    ),
  );
  if (touched.size === 0) return undefined;
  const account = new ServingAccount(live, known);
  const changes = new Map(
    plan.changes.flatMap((change) =>
      touched.has(change.address) ? [[change.address, change]] : [],
    ),
  );
  const isLosing = ({ address, isCreatedFirst }: Change) =>
    isCreatedFirst !== true && parseDeposed(address) === undefined && account.serves(address);
  const losing = [...changes.values()].filter(isLosing);
  if (losing.length === 0) return undefined;
  const spans = groupSpans(plan, listSpans());
  const outages = new Map(
    losing.map(({ address }) => [address, listOutages(spans.get(address) ?? [])] as const),
  );
  const blocks = listBlocks(account, outages, listWaves(plan));
  const forwards = listForwards(account, plan, { spans, outages });
  return blocks.length + forwards.length === 0 ? undefined : sortDowntime({ blocks, forwards });
}

/** The gravest first. */
export function sortDowntime({ blocks, forwards, ...rest }: Downtime): Downtime {
  const isLeft = ({ minRunning }: BlockDowntime) => (minRunning === 0 ? 0 : 1);
  const compare = (a: BlockDowntime | ForwardDowntime, b: BlockDowntime | ForwardDowntime) =>
    compareLengths(b.out, a.out) || compareAddresses(a.address, b.address);
  return {
    blocks: [...blocks].sort((a, b) => isLeft(a) - isLeft(b) || compare(a, b)),
    forwards: [...forwards].sort(compare),
    ...rest,
  };
}

/** What is managed and serves before the plan. */
class ServingAccount {
  /** By address: what runs, and forwards, each with its live record. */
  readonly #serving = new Map<Address, LiveResource>();
  readonly #addresses = new Map<string, Address>();
  readonly #down = new Set<string>();

  constructor(
    { resources }: DowntimeInput['live'],
    { resources: managed }: DowntimeInput['known'],
  ) {
    const byId = new Map(resources.map((one) => [one.id, one]));
    for (const one of resources) if (isDown(one)) this.#down.add(one.id);
    for (const { address, kind, id } of managed.values()) {
      const { traits } = kinds[kind];
      if (!traits.isRunning && !traits.leadsTo) continue;
      const live = byId.get(id);
      if (!live) continue;
      this.#addresses.set(id, address);
      if (!isDown(live) && !this.#down.has(targetOf(live) ?? '')) this.#serving.set(address, live);
    }
  }

  serves(address: Address): boolean {
    return this.#serving.has(address);
  }

  /** How many members of each of these blocks run. */
  countRunning(blocks: ReadonlySet<Address>): ReadonlyMap<Address, number> {
    const counts = new Map<Address, number>();
    for (const [address, live] of this.#serving) {
      if (!kinds[live.kind].traits.isRunning) continue;
      const block = blockOf(address);
      if (blocks.has(block)) counts.set(block, (counts.get(block) ?? 0) + 1);
    }
    return counts;
  }

  /** The forwards, each with the address of what answers behind it; undefined where that is not managed. */
  *listForwards(): Generator<readonly [Address, Address | undefined]> {
    for (const [address, live] of this.#serving) {
      if (!kinds[live.kind].traits.leadsTo) continue;
      yield [address, this.#addresses.get(targetOf(live) ?? '')];
    }
  }
}

/** The spans of each address that something is taken of or given to, in their order. */
function groupSpans(
  { tasks }: DowntimeInput['plan'],
  spans: readonly CommandSpan[],
): ReadonlyMap<Address, readonly ServedSpan[]> {
  const owners = new Map(tasks.map(({ id, address }) => [id, address]));
  const groups = new Map<Address, ServedSpan[]>();
  for (const span of spans) {
    const { takes, gives } = findFacts(span.command);
    const served = { ...span, ...(takes && { takes }), ...(gives && { gives }) };
    addTo(groups, owners.get(span.task) ?? span.task, served);
  }
  for (const group of groups.values()) group.sort((a, b) => a.startMs - b.startMs);
  return groups;
}

/** From each request that can take a service of a resource to the end of the one that gives it back. */
function listOutages(spans: readonly ServedSpan[]): ReadonlyMap<Service, readonly OwnOutage[]> {
  const ended = new Map<Service, OwnOutage[]>();
  const open = new Map<Service, OwnOutage>();
  for (const { takes, gives, startMs, endMs, isDone, isAssumed } of spans) {
    if (takes && !open.has(takes)) open.set(takes, { startMs, endMs: null, isAssumed });
    for (const [service, one] of open) {
      if (isAssumed) open.set(service, { ...one, isAssumed });
    }
    const begun = gives && isDone ? open.get(gives) : undefined;
    if (!gives || !begun) continue;
    addTo(ended, gives, { ...begun, endMs });
    open.delete(gives);
  }
  // Nothing is assumed of the length of what has no end.
  for (const [service, one] of open) addTo(ended, service, { ...one, isAssumed: false });
  return ended;
}

type OutagesOf = ReadonlyMap<Address, ReadonlyMap<Service, readonly OwnOutage[]>>;

function listBlocks(
  account: ServingAccount,
  outages: OutagesOf,
  waves: ReturnType<typeof listWaves>,
): readonly BlockDowntime[] {
  const members = [...outages].flatMap(([address, own]) => {
    const power = own.get('power') ?? [];
    const network = (own.get('attachment') ?? []).filter((one) => !isWithin(one, power));
    return [
      ...power.map((one) => ({ ...one, address, loses: 'power' as const })),
      ...network.map((one) => ({ ...one, address, loses: 'attachment' as const })),
    ];
  });
  const groups = groupBy(members, ({ address }) => blockOf(address));
  const running = account.countRunning(new Set(groups.keys()));
  return [...groups].map(([address, group]) => {
    const own = waves.get(address);
    const block = describeBlock(address, group, running.get(address) ?? 0);
    return own ? { ...block, waves: own } : block;
  });
}

/** What does not run needs no network. */
const isWithin = (one: Outage, others: readonly Outage[]): boolean =>
  others.some(
    ({ startMs, endMs }) =>
      startMs <= one.startMs && (endMs === null || (one.endMs !== null && one.endMs <= endMs)),
  );

function describeBlock(
  address: Address,
  group: readonly OwnOutage<MemberOutage>[],
  running: number,
): BlockDowntime {
  const outages = [...group].sort(
    (a, b) => a.startMs - b.startMs || compareAddresses(a.address, b.address),
  );
  const power = outages.filter(({ loses }) => loses === 'power');
  const cut = outages.filter(({ loses }) => loses === 'attachment');
  const { most, least } = sweepOutages(power);
  return {
    ...{ address, running, minRunning: running - most },
    ...(power.length > 0 && { stops: { least, any: sumOutages(power) } }),
    ...(cut.length > 0 && {
      cut: { ...sumOutages(cut), members: new Set(cut.map((one) => one.address)).size },
    }),
    out: sumOutages(outages),
    outages: outages.map(({ startMs, endMs, loses, ...one }) => {
      return { address: one.address, loses, startMs, endMs };
    }),
    isAssumed: outages.some(({ isAssumed }) => isAssumed),
  };
}

/** While a forward is gone, or what answers behind it is out of service. */
function listForwards(
  account: ServingAccount,
  { changes }: DowntimeInput['plan'],
  { spans, outages }: { spans: ReadonlyMap<Address, readonly ServedSpan[]>; outages: OutagesOf },
): readonly ForwardDowntime[] {
  const changed = new Map(changes.map((change) => [change.address, change]));
  const powerOf = (address: Address | undefined) =>
    (address === undefined ? undefined : outages.get(address)?.get('power')) ?? [];
  return [...account.listForwards()].flatMap(([address, target]): readonly ForwardDowntime[] => {
    const change = changed.get(address);
    const next = change && nextTarget(change);
    // It leads to the other one once its own change is over.
    const movesMs = next === undefined || next === target ? null : endOf(spans.get(address));
    const lost = [
      ...(outages.get(address)?.get('forward') ?? []),
      ...clipOutages(powerOf(target), 0, movesMs),
      ...(movesMs === null ? [] : clipOutages(powerOf(next), movesMs, null)),
    ];
    if (lost.length === 0) return [];
    const isAssumed = lost.some((one) => one.isAssumed);
    return [{ address, out: sumOutages(lost), outages: mergeOutages(lost), isAssumed }];
  });
}

/** What a forward leads to after its change; undefined where it does not stand any more, or leads to what is not managed. */
function nextTarget({ address, kind, project, after }: Change): Address | undefined {
  if (!after) return undefined;
  return kinds[kind].references({ address, kind, project, attributes: after })[0]?.address;
}

/** The end of the last command; null where there is none. */
const endOf = (spans: readonly CommandSpan[] = []): number | null => spans.at(-1)?.endMs ?? null;
