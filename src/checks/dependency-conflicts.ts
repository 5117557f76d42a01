import { broughtIdOf } from '../kinds/brought.ts';
import { kinds } from '../kinds/registry.ts';
import { childAddress, parseAddress, type Address } from '../model/address.ts';
import type { Finding } from '../model/diagnostic.ts';
import {
  nameOf,
  statusOf,
  type LivePortForward,
  type LiveResource,
  type LiveVm,
} from '../model/account/live.ts';
import { addTo } from '../model/group-by.ts';
import type { Change } from '../model/plan/plan.ts';
import { kindNames, type DesiredResource } from '../model/resource.ts';
import { isBeingDeleted } from '../model/plan/underway.ts';
import { textOf } from '../model/value.ts';
import { placeOf, type Check, type CheckInput } from './check.ts';

/** What is not ours, or stays, and stands in the way of a change: the service would refuse it in the middle of an apply. */
export const checkObstacles: Check = (input) => {
  const changing = input.plan.changes.filter(({ action }) => action !== 'no-op');
  if (changing.length === 0) return [];
  const staying = new Staying(input);
  return changing.flatMap((change) => {
    const isDestroyed = change.action === 'delete' || change.action === 'replace';
    return [
      ...(isDestroyed ? findWhatHolds(change, staying) : []),
      ...findWhatIsTaken(change, input.desired.get(change.address), staying),
    ];
  });
};

/** What still stands in the account when everything that the plan destroys is gone, indexed once. */
class Staying {
  readonly forwardsOf = new Map<string, LivePortForward[]>();
  readonly attachedTo = new Map<string, LiveVm[]>();
  readonly inProject = new Map<string, LiveResource[]>();
  readonly holderOf = new Map<string, LiveVm>();
  readonly #input: CheckInput;
  readonly #changes: ReadonlyMap<Address, Change>;
  readonly #managedIds: ReadonlySet<string>;

  constructor(input: CheckInput) {
    this.#input = input;
    const { plan, live, state } = input;
    this.#changes = new Map(plan.changes.map((change) => [change.address, change]));
    this.#managedIds = new Set([...state.resources.values()].map(({ id }) => id));
    const byId = new Map(live.resources.map((one) => [one.id, one]));
    const destroyed = new Set<string>();
    const detaching = new Set<string>();
    for (const change of plan.changes) {
      const { address, action, fields } = change;
      const managed = state.resources.get(address);
      const isGoing = isBeingDeleted(change);
      const id = isGoing ? (managed?.id ?? null) : change.id;
      if (id === null || !managed) continue;
      if (action === 'delete' || action === 'replace' || isGoing) {
        destroyed.add(id);
        const brought = broughtIdOf(managed, byId.get(id));
        if (brought !== undefined) destroyed.add(brought);
      }
      if (fields.some(({ name }) => name === 'networks')) detaching.add(id);
    }
    for (const one of live.resources) {
      if (destroyed.has(one.id) || statusOf(one) === 'deleting') continue;
      addTo(this.inProject, one.projectId, one);
      if (one.kind === 'portForward') addTo(this.forwardsOf, one.publicIpId, one);
      if (one.kind !== 'vm') continue;
      if (one.publicIpId !== null) this.holderOf.set(one.publicIpId, one);
      for (const { networkId } of detaching.has(one.id) ? [] : one.networks) {
        addTo(this.attachedTo, networkId, one);
      }
    }
  }

  /** The live id behind an address, unless another one will stand there. */
  idOf(address: Address): string | undefined {
    const action = this.#changes.get(address)?.action;
    if (action === 'create' || action === 'replace') return undefined;
    return this.#input.state.resources.get(address)?.id;
  }

  /** The public IPs that go with a change: itself, or the one that came with a VM. */
  publicIpsOf({ address, kind, id }: Change): string[] {
    if (kind === 'publicIp') return id === null ? [] : [id];
    const brought = this.#input.state.resources.get(address)?.allocatedPublicIpId;
    return brought === undefined ? [] : [brought];
  }

  isManaged(id: string): boolean {
    return this.#managedIds.has(id);
  }
}

/** What keeps a resource from being destroyed. */
function findWhatHolds(change: Change, staying: Staying): Finding[] {
  const { kind, id } = change;
  const findings: Finding[] = [];
  if (kind === 'project' && id !== null) {
    findings.push(
      ...describe(change, 'project-not-empty', 'still holds', staying.inProject.get(id)),
    );
  }
  if (kind === 'network' && id !== null) {
    findings.push(
      ...describe(change, 'network-in-use', 'is still attached to', staying.attachedTo.get(id)).map(
        (finding) => adviseOnVms(finding, staying.attachedTo.get(id) ?? [], staying),
      ),
    );
  }
  for (const publicIp of staying.publicIpsOf(change)) {
    const holder = staying.holderOf.get(publicIp);
    findings.push(
      ...describe(change, 'public-ip-in-use', 'is still used by', [
        ...(staying.forwardsOf.get(publicIp) ?? []),
        ...(holder ? [holder] : []),
      ]),
    );
  }
  return findings;
}

/** A VM of ours keeps what its configuration does not speak of: it has to. */
function adviseOnVms(
  finding: Finding,
  attached: readonly LiveResource[],
  staying: Staying,
): Finding {
  if (!attached.some(({ id }) => staying.isManaged(id))) return finding;
  return {
    ...finding,
    hint: 'Give the VMs that are in the configuration `networks: []`, or those that they are to keep; detach or adopt others. Or keep this one by a removed entry with destroy: false.',
  };
}

/** At most so many obstacles are shown. */
const maxShown = 5;

function describe(
  { address, kind, action, source }: Change,
  code: string,
  verb: string,
  obstacles: readonly LiveResource[] = [],
): Finding[] {
  if (obstacles.length === 0) return [];
  // Lists of the service have no order: the same plan says the same.
  const inOrder = [...obstacles].sort(
    (a, b) => kindNames.indexOf(a.kind) - kindNames.indexOf(b.kind) || (a.id < b.id ? -1 : 1),
  );
  const shown = inOrder.slice(0, maxShown).map(describeLive);
  const rest = obstacles.length > maxShown ? ` and ${obstacles.length - maxShown} more` : '';
  return [
    {
      severity: 'error',
      code,
      summary: `${address} cannot be ${action === 'replace' ? 'replaced' : 'destroyed'}: it ${verb} what this plan leaves alone`,
      detail: `${kind === 'network' ? 'Attached' : 'In the way'}: ${shown.join(', ')}${rest}. The service refuses to delete a ${kinds[kind].label} before.`,
      hint: 'Remove them by hand or adopt them, and plan again; or keep this one by a removed entry with destroy: false.',
      address,
      ...(source && { source }),
    },
  ];
}

/** `the VM "scratch" (id vm-9)`. */
function describeLive(live: LiveResource): string {
  const name = nameOf(live);
  const port = live.kind === 'portForward' ? ` of port ${live.protocol} ${live.publicPort}` : '';
  return `the ${kinds[live.kind].label}${name === undefined ? port : ` "${name}"`} (id ${live.id})`;
}

/** What a create or an update asks for and another one has. */
function findWhatIsTaken(
  change: Change,
  desired: DesiredResource | undefined,
  staying: Staying,
): Finding[] {
  if (!desired) return [];
  const { attributes } = desired;
  const isNew = change.action === 'create' || change.action === 'replace';
  if (change.kind === 'portForward') {
    const isMoved = change.fields.some(({ name }) => name === 'publicPort' || name === 'protocol');
    const publicIp = staying.idOf(parseAddress(change.address)?.parent ?? '');
    const taken = staying.forwardsOf
      .get(publicIp ?? '')
      ?.find(
        (one) =>
          one.protocol === attributes.protocol &&
          one.publicPort === attributes.publicPort &&
          !staying.isManaged(one.id),
      );
    if ((!isNew && !isMoved) || !taken) return [];
    return [
      {
        severity: 'error',
        code: 'port-taken',
        summary: `Port ${taken.protocol} ${taken.publicPort} of this public IP is taken by a forward that is not in the state`,
        detail: `The live one has the id ${taken.id}.`,
        hint: `Adopt it: with an imports entry ({ to: ${change.address}, id: ${taken.id} }), or with --adopt. Or remove it, or choose another port.`,
        ...placeOf(desired, 'publicPort'),
      },
    ];
  }
  const key = textOf(attributes, 'publicIp');
  if (change.kind !== 'vm' || !isNew || key === '' || key === 'new') return [];
  const holder = staying.holderOf.get(
    staying.idOf(childAddress(change.project, 'publicIp', key)) ?? '',
  );
  if (!holder) return [];
  return [
    {
      severity: 'error',
      code: 'public-ip-held',
      summary: `The public IP "${key}" is held by ${describeLive(holder)}, which this plan leaves alone`,
      detail: 'A public IP can be held by one VM at a time.',
      hint: 'Remove that VM or adopt it, or give this one another public IP.',
      ...placeOf(desired, 'publicIp'),
    },
  ];
}
