// Changes of the state by hand: nothing in the account is touched, and every one of them is a single record, so that a
// kill leaves the state as it was or as it was to be.
import { resolve } from 'node:path';
import { persistReconciliation } from '../../execute/run/persist-reconciliation.ts';
import {
  compareResourceAddresses,
  isAtOrBelowAddress,
  isModuleAddress,
  parseResourceAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { StateRuntime } from '../../model/runtime.ts';
import type { ManagedResource, State } from '../../model/state/state.ts';
import type { Value } from '../../model/value.ts';
import { followMovedEntries, spellForgottenReferences } from '../../plan/reconcile/moves.ts';
import { encodeSnapshot } from '../../state/snapshot/snapshot.ts';
import type { StateStore } from '../../state/store.ts';
import { pickStateAddresses, readState, requireStateAddresses } from './read-state.ts';
import {
  createHistoryKeeper,
  openBackend,
  openConfiguredState,
} from '../session/state/open-backend.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { Reporter } from '../session/reporter.ts';
import { takeStateLock } from '../session/session.ts';
import { publishedHostwrightVersion } from '../../model/version.ts';

/** A change of address in the state: the old and the new address of a resource or a module. */
export interface StateAddressMove {
  readonly from: ResourceAddress;
  readonly to: ResourceAddress;
}

interface LockWish {
  readonly lockTimeoutMs: number;
}

/**
 * Moves a resource or a module within the state, with its instances and everything below it.
 * @throws DiagnosticError when it cannot move there
 */
export function moveStateAddress(
  runtime: StateRuntime,
  { from, to, lockTimeoutMs }: StateAddressMove & LockWish,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<readonly StateAddressMove[]> {
  return changeState(runtime, 'state mv', lockTimeoutMs, reporter, async (store) => {
    const { state } = store;
    requireStateAddresses(state, [...state.resources.keys()], [from]);
    requireSettled(state, from);
    requireSameKind(from, to);
    const source = { file: 'state mv', line: 1, column: 1, endLine: 1, endColumn: 1 };
    const moved = followMovedEntries(state, [{ from, to, source }]);
    const [finding] = moved.findings;
    if (finding) {
      const hint = 'Choose another address, or move the resource that has it first.';
      throw createCommandRefusal(finding.code, finding.summary, { hint });
    }
    const moves = [...moved.from].map(([now, before]) => ({ from: before, to: now }));
    if (moves.length === 0) {
      const hint = 'Move all instances together, or each to an address with an index or a key.';
      throw createCommandRefusal('nothing-moves', `Nothing would move from ${from} to ${to}`, {
        hint,
      });
    }
    for (const move of moves) requireParent(moved.state.resources, move.to);
    await persistReconciliation(store, moved.state);
    return moves.sort((a, b) => compareResourceAddresses(a.from, b.from));
  });
}

/**
 * Removes resources from the state, with their instances and everything below them. They remain in the account.
 * @throws DiagnosticError when it does not have one of them
 */
export function removeFromState(
  runtime: StateRuntime,
  { addresses, lockTimeoutMs }: LockWish & { readonly addresses: readonly ResourceAddress[] },
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<readonly ResourceAddress[]> {
  return changeState(runtime, 'state rm', lockTimeoutMs, reporter, async (store) => {
    const known = [...store.state.resources.keys(), ...store.state.pending.keys()];
    requireStateAddresses(store.state, known, addresses);
    const removed = pickStateAddresses([...new Set(known)], addresses);
    const resources = spellForgottenReferences(store.state, removed);
    await store.record({ kind: 'rearranged', removed, resources });
    return removed;
  });
}

/**
 * Accepts the live values of fields, each written as ADDRESS.FIELD: no plan warns of them while they stay as they are.
 * @throws DiagnosticError when the account showed the value of a field as it was set
 */
export function acceptLiveFieldValues(
  runtime: StateRuntime,
  { fields, lockTimeoutMs }: LockWish & { readonly fields: readonly string[] },
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<readonly ShownField[]> {
  return changeState(runtime, 'state accept', lockTimeoutMs, reporter, async (store) => {
    const found = fields.map((written) => findShown(store.state, written));
    const faults = found.flatMap((one) => (one instanceof DiagnosticError ? one.diagnostics : []));
    if (faults.length > 0) throw new DiagnosticError(faults);
    const accepted = found.flatMap((one) => (one instanceof DiagnosticError ? [] : [one]));
    const resources = new Map<ResourceAddress, ManagedResource>();
    for (const { resource, field } of accepted) {
      const { address, accepted: before = [] } = resources.get(resource.address) ?? resource;
      const all = [...new Set([...before, field])].sort();
      resources.set(address, { ...resource, accepted: all });
    }
    await store.record({ kind: 'rearranged', removed: [], resources: [...resources.values()] });
    return accepted;
  });
}

/** A field of which the account shows another value than was set. */
interface ShownField {
  readonly resource: ManagedResource;
  readonly field: string;
  readonly shown: Value;
}

/** Finds the shown value of an argument ADDRESS.FIELD, or explains why there is none to accept. */
function findShown({ resources }: State, written: string): ShownField | DiagnosticError {
  const at = written.lastIndexOf('.');
  const field = written.slice(at + 1);
  const resource = resources.get(written.slice(0, at));
  const { shown = {} } = resource ?? {};
  const value = shown[field];
  if (resource && value !== undefined) return { resource, field, shown: value };
  const others = Object.keys(shown).map((name) => `${resource?.address ?? ''}.${name}`);
  return createCommandRefusal(
    'nothing-to-accept',
    `The state has nothing to accept of ${written}`,
    {
      detail: resource
        ? 'Only a field can be accepted of which an apply saw another value than it set.'
        : 'It has no such resource, or no field is named behind its address.',
      hint:
        others.length > 0
          ? `Give one of these fields: ${others.join(', ')}.`
          : 'Run "hostwright plan": each warning [shown-otherwise] names the field.',
    },
  );
}

/** Reads the whole state as the text of a snapshot, with all records of the journal included. */
export async function pullState(
  runtime: StateRuntime,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<string> {
  return encodeSnapshot(await readState(runtime, '.', reporter, { mustExist: true }), {
    version: publishedHostwrightVersion,
  });
}

/** Opens the state of the working directory under its lock, does the work, and writes a new snapshot. */
async function changeState<T>(
  runtime: StateRuntime,
  operation: 'state mv' | 'state rm' | 'state accept',
  lockTimeoutMs: number,
  reporter: Pick<Reporter, 'showDiagnostics'>,
  work: (store: StateStore) => Promise<T>,
): Promise<T> {
  // Without a state, taking a lock would make it appear as if there were one.
  await readState(runtime, '.', reporter, { mustExist: true });
  const access = await openBackend(runtime, resolve(runtime.cwd), { reporter });
  const { backend, settings } = access;
  const wish = { operation, timeoutMs: lockTimeoutMs, leaseMs: settings.leaseMs };
  const lock = await takeStateLock(runtime, backend, wish, reporter);
  try {
    const store = await openConfiguredState(access, {
      version: publishedHostwrightVersion,
      fence: lock.fence,
      history: createHistoryKeeper(runtime, access, operation),
    });
    try {
      const done = await work(store);
      await store.compact();
      return done;
    } finally {
      await store.close();
    }
  } finally {
    await lock.release();
    await backend.close();
  }
}

/** Refuses to move a create of a killed run: it is looked for under its own address. */
function requireSettled(state: State, from: ResourceAddress): void {
  const pending = [...state.pending.keys()].find((one) => isAtOrBelowAddress(one, from));
  if (pending === undefined) return;
  throw createCommandRefusal(
    'not-settled',
    `${pending} cannot move: an earlier run ended while creating it`,
    {
      hint: 'Apply once to find it, then move it.',
    },
  );
}

function kindOf(address: ResourceAddress): KindName | 'module' | undefined {
  return parseResourceAddress(address)?.kind ?? (isModuleAddress(address) ? 'module' : undefined);
}

function requireSameKind(from: ResourceAddress, to: ResourceAddress): void {
  const [had, has] = [kindOf(from), kindOf(to)];
  if (has === undefined) {
    throw createCommandRefusal('not-an-address', `${to} is not an address`, {
      hint: 'Give an address such as projects.shop.vms.web[0], or modules.eu.',
    });
  }
  if (had === has) return;
  throw createCommandRefusal(
    'wrong-kind',
    `${from} cannot become ${to}: they are of different kinds`,
    {
      hint: 'Give an address of the same kind: a resource cannot become a module.',
    },
  );
}

/** Refuses another parent: a resource stays in its project or public IP; a move changes only its address. */
function requireParent(
  resources: ReadonlyMap<ResourceAddress, ManagedResource>,
  address: ResourceAddress,
): void {
  const parent = parseResourceAddress(address)?.parent;
  const resource = resources.get(address);
  if (parent === undefined || !resource) return;
  const holder = resource.publicIpId ?? resource.projectId;
  const above = resources.get(parent);
  if (above?.id === holder) return;
  throw createCommandRefusal('wrong-parent', `${address} cannot be below ${parent}`, {
    detail: above
      ? `It belongs to ${holder}, and ${parent} is ${above.id}.`
      : `The state has no ${parent}.`,
    hint: 'Move it within its parent, or move the parent instead.',
  });
}
