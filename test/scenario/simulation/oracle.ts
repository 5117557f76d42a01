import { isDeepStrictEqual } from 'node:util';
import { hasErrors } from '../../../src/model/diagnostic.ts';
import { getLiveName, getLiveStatus, type LiveResource } from '../../../src/model/account/live.ts';
import type { Change } from '../../../src/model/plan/plan.ts';
import type { DesiredGraph } from '../../../src/model/resource.ts';
import type { State } from '../../../src/model/state/state.ts';
import type { Attributes } from '../../../src/model/value.ts';
import type { World } from '../world.ts';
import { findDoubleFaults, findSilentMistakes } from './doubles.ts';
import { foldName } from './fold-name.ts';
import type { Heard } from './heard.ts';
import type { Ledger } from './ledger.ts';
import type { Person } from './person.ts';

/** Who knows what really happened. */
export interface Witnesses {
  readonly person: Person;
  readonly ledger: Ledger;
  readonly heard: Heard;
}

/** What is wrong once everything should have come about; empty when nothing is. */
export async function findFaults(
  world: World,
  desired: DesiredGraph,
  { person, ledger, heard }: Witnesses,
): Promise<string[]> {
  await world.settle(120_000);
  const { state } = await world.store.reopen();
  const account = await world.time.run(person.readAccount());
  return [
    ...ledger.violations,
    ...findDoubleFaults(ledger, heard),
    ...findSilentMistakes(ledger, heard),
    ...compareAccount(state, account, ledger, heard),
    ...countAccount(desired, state, account, ledger),
    ...findMissingForeign(account, ledger),
    ...compareAddresses(desired, state),
    ...(await findOpenChanges(world, desired, state)),
    ...findSecrets(world),
  ];
}

/** The next plan is empty, and there is nothing that the state has to learn. */
async function findOpenChanges(
  world: World,
  desired: DesiredGraph,
  state: State,
): Promise<string[]> {
  const { plan, known, pending } = await world.plan(desired, 'apply', { isForced: true });
  const found = plan.changes
    .filter(({ action }) => action !== 'no-op')
    .filter((change) => !isSpelling(change))
    .map(
      ({ address, action, fields }) =>
        `the next plan is not empty: ${action} ${address} ${JSON.stringify(fields)}`,
    );
  if (hasErrors(plan.findings)) {
    found.push(...plan.findings.map(({ code, summary }) => `the next plan: ${code} ${summary}`));
  }
  if (state.pending.size > 0 || pending.missing.length > 0) {
    found.push(`creates are left behind: ${[...state.pending.keys()].join(', ')}`);
  }
  for (const [address, resource] of known.resources) {
    if (!isDeepStrictEqual(resource, state.resources.get(address))) {
      found.push(`the state does not know what became of ${address}`);
    }
  }
  for (const { address, before } of plan.changes) {
    const { attributes } = state.resources.get(address) ?? {};
    if (before && !isDeepStrictEqual(normalize(attributes), normalize(before))) {
      found.push(
        `the state of ${address} is ${JSON.stringify(attributes)}, the account has ${JSON.stringify(before)}`,
      );
    }
  }
  return found;
}

/** What is not there is remembered as null or not at all: both say the same. The lists of a resource have no order. */
const normalize = (attributes: Attributes | undefined): Attributes =>
  Object.fromEntries(
    Object.entries(attributes ?? {})
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value]),
  );

function compareAddresses({ resources }: DesiredGraph, state: State): string[] {
  const wanted = new Set(resources.map(({ address }) => address));
  const missing = [...wanted].filter((address) => !state.resources.has(address));
  const left = [...state.resources.keys()].filter((address) => !wanted.has(address));
  return [
    ...missing.map((address) => `${address} is wanted and not in the state`),
    ...left.map((address) => `${address} is in the state and not wanted`),
  ];
}

/** Every resource of the state stands in the account, and beside them nothing that we made. */
function compareAccount(
  state: State,
  account: readonly LiveResource[],
  ledger: Ledger,
  heard: Heard,
): string[] {
  const byId = new Map(account.map((one) => [one.id, one]));
  const found: string[] = [];
  const managed = new Map<string, string>();
  const claim = (id: string, address: string) => {
    const other = managed.get(id);
    if (other !== undefined) found.push(`${id} is both ${other} and ${address}`);
    managed.set(id, address);
    const live = byId.get(id);
    if (!live) found.push(`${address} is not in the account: ${id}`);
    else if ((getLiveStatus(live) ?? 'active') !== 'active') {
      found.push(`${address} is ${String(getLiveStatus(live))}`);
    }
  };
  for (const { address, id, allocatedPublicIpId, attributes } of state.resources.values()) {
    claim(id, address);
    if (allocatedPublicIpId !== undefined) claim(allocatedPublicIpId, `the address of ${address}`);
    else if (attributes.publicIp === 'new') found.push(`${address} does not know its address`);
  }
  for (const one of account) {
    if (managed.has(one.id) || ledger.isExcused(one.id)) continue;
    if (one.kind === 'publicIp' && isHeldByExcused(one.id, account, managed, ledger)) continue;
    const maker = ledger.findMaker(one.id);
    // It was said that it may come, and when it would not be looked for any more; or it was named, and nobody did anything
    // within the hour.
    const isTold =
      maker?.address !== undefined && ledger.hasHidden(one.id) && heard.doubts(maker.address);
    if (isTold || (maker && heard.doubts(one.id))) {
      ledger.noteLookalike(one.id);
      continue;
    }
    const by = maker ? `made for ${maker.address ?? 'nobody'}` : 'of nobody';
    found.push(`left behind, ${by}: ${one.kind} ${one.id} ${getLiveName(one) ?? ''}`);
  }
  return found;
}

/** The address that came with a VM stands as long as the VM does. */
const isHeldByExcused = (
  publicIpId: string,
  account: readonly LiveResource[],
  managed: { has(id: string): boolean },
  ledger: Ledger,
): boolean =>
  account.some(
    (one) =>
      one.kind === 'vm' &&
      one.publicIpId === publicIpId &&
      !managed.has(one.id) &&
      ledger.isExcused(one.id),
  );

/** What the service holds beside what people made is what was asked for: no more, and no less. */
function countAccount(
  { resources }: DesiredGraph,
  state: State,
  account: readonly LiveResource[],
  ledger: Ledger,
): string[] {
  const managed = new Set(
    [...state.resources.values()].flatMap((one) => [one.id, one.allocatedPublicIpId ?? '']),
  );
  const allocated = resources.filter(({ attributes }) => attributes.publicIp === 'new').length;
  const ours = account.filter(
    ({ id, kind }) =>
      managed.has(id) ||
      !(
        ledger.isExcused(id) ||
        (kind === 'publicIp' && isHeldByExcused(id, account, managed, ledger))
      ),
  );
  return (['project', 'sshKey', 'network', 'publicIp', 'vm', 'portForward'] as const).flatMap(
    (kind) => {
      const asked = resources.filter((one) => one.kind === kind).length;
      const wanted = asked + (kind === 'publicIp' ? allocated : 0);
      const held = ours.filter((one) => one.kind === kind).length;
      return wanted === held ? [] : [`count: ${wanted} ${kind} wanted, the service holds ${held}`];
    },
  );
}

/** What people made is left alone. */
function findMissingForeign(account: readonly LiveResource[], ledger: Ledger): string[] {
  const there = new Set(account.map(({ id }) => id));
  return ledger
    .listForeign()
    .filter((id) => !there.has(id) && !ledger.deleted.has(id))
    .map((id) => `foreign destroyed: ${id}`);
}

/** A service that spells names its own way never shows them as they are given. */
function isSpelling({ action, fields, before, after }: Change): boolean {
  const [only, ...others] = fields;
  if (action !== 'update' || only?.name !== 'name' || others.length > 0) return false;
  const [one, other] = [before?.name, after?.name];
  return typeof one === 'string' && typeof other === 'string' && foldName(one) === foldName(other);
}

const findSecrets = (world: World): string[] =>
  [...world.store.readDisk()]
    .filter(([, text]) => text.includes(world.sandbox.token))
    .map(([name]) => `the token stands in ${name}`);
