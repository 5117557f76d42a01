// The steps of a journey: each command of Hostwright once, in an order in which the service allows it. Most apply a
// configuration that differs in one thing from the one before; the others are operations on a VM.
import type { OperationId } from '../../api/contract/routes.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { Action } from '../../model/plan/plan.ts';
import type { JourneyNames, JourneyVmOrder } from './order-journey.ts';

/** The configuration of a journey at one step: the resources that it has by then, and those that are renamed. */
export interface JourneyConfiguration {
  /** Addresses of the resources that exist in the configuration at that step. */
  readonly parts: readonly ResourceAddress[];
  /** Addresses of the resources that have been renamed by that step. */
  readonly renamed: readonly ResourceAddress[];
  readonly isAttached: boolean;
  readonly isStopped: boolean;
  readonly isRebuilt: boolean;
  readonly vmPort: number;
  readonly renewal?: 'active' | 'cancelled';
}

/** The empty configuration, before the first step. */
export const emptyJourneyConfiguration: JourneyConfiguration = {
  parts: [],
  renamed: [],
  isAttached: false,
  isStopped: false,
  isRebuilt: false,
  vmPort: 22,
};

interface StepBase {
  readonly operation: OperationId;
  /** Title of the step for people, as `Stop the VM`. */
  readonly title: string;
  /** Address of the resource that the step changes. */
  readonly address: ResourceAddress;
  /** Addresses of other resources that must exist for the step. */
  readonly needs?: readonly ResourceAddress[];
}

/** A step of the journey that applies an edited configuration. */
export interface JourneyApplyStep extends StepBase {
  readonly kind: 'applied';
  /** The only action that the plan of this step may contain; another one stops the journey. */
  readonly action: Action;
  readonly edit: (wanted: JourneyConfiguration) => JourneyConfiguration;
  /** Condition on the account, without which the step is skipped: a second image for a rebuild, or sales. */
  readonly wants?: 'image' | 'sale';
}

/** A step of the journey that sends one operation to the VM, such as a stop, outside of any plan. */
export interface VmOperationStep extends StepBase {
  readonly kind: 'asked';
  readonly verb: 'reboot' | 'backup' | 'restore' | 'delete-backup';
}

export type PlannedJourneyStep = JourneyApplyStep | VmOperationStep;

const project = 'projects.journey';
const key = `${project}.sshKeys.key`;
const net = `${project}.networks.net`;
const edge = `${project}.publicIps.edge`;
const forward = `${edge}.forwards.ssh`;
const box = `${project}.vms.box`;

function make(
  operation: OperationId,
  title: string,
  address: ResourceAddress,
  needs: readonly ResourceAddress[] = [],
): JourneyApplyStep {
  const edit = (wanted: JourneyConfiguration) => ({ ...wanted, parts: [...wanted.parts, address] });
  return { kind: 'applied', operation, title, address, needs, action: 'create', edit };
}

function rename(operation: OperationId, title: string, address: ResourceAddress): JourneyApplyStep {
  const edit = (wanted: JourneyConfiguration) => ({
    ...wanted,
    renamed: [...wanted.renamed, address],
  });
  return { kind: 'applied', operation, title, address, action: 'update', edit };
}

/** Defines a step that changes a field of the VM. */
function change(
  operation: OperationId,
  title: string,
  fields: Partial<JourneyConfiguration>,
  more: Partial<JourneyApplyStep> = {},
): JourneyApplyStep {
  const edit = (wanted: JourneyConfiguration) => ({ ...wanted, ...fields });
  return { kind: 'applied', operation, title, address: box, action: 'update', edit, ...more };
}

function ask(
  operation: OperationId,
  title: string,
  verb: VmOperationStep['verb'],
): VmOperationStep {
  return { kind: 'asked', operation, title, address: box, verb };
}

const attached = { needs: [net] };

/** Steps of a journey in their order, without the deletions at its end. */
export const journeySteps: readonly PlannedJourneyStep[] = [
  make('createProject', 'Create the project', project),
  make('createSshKey', 'Create the SSH key', key, [project]),
  make('createNetwork', 'Create the network', net, [project]),
  make('createPublicIp', 'Create the public IP', edge, [project]),
  make('createVm', 'Create the VM', box, [project]),
  change('attachVm', 'Attach the VM to the network', { isAttached: true }, attached),
  change('detachVm', 'Detach the VM from the network', { isAttached: false }, attached),
  change('attachVm', 'Attach the VM again', { isAttached: true }, attached),
  make('createPortForward', 'Create the port forward', forward, [edge, box]),
  change('updatePortForward', 'Change the port forward', { vmPort: 80 }, { address: forward }),
  change('stopVm', 'Stop the VM', { isStopped: true }),
  change('startVm', 'Start the VM', { isStopped: false }),
  ask('rebootVm', 'Reboot the VM', 'reboot'),
  rename('renameProject', 'Rename the project', project),
  rename('renameSshKey', 'Rename the SSH key', key),
  rename('renameNetwork', 'Rename the network', net),
  rename('renameVm', 'Rename the VM', box),
  ask('createBackup', 'Back up the VM', 'backup'),
  ask('restoreBackup', 'Restore the backup', 'restore'),
  ask('deleteBackup', 'Delete the backup', 'delete-backup'),
  change(
    'rebuildVm',
    'Rebuild the VM from another image',
    { isRebuilt: true },
    { action: 'rebuild', wants: 'image' },
  ),
  change('cancelSaleRenewal', 'Cancel the renewal', { renewal: 'cancelled' }, { wants: 'sale' }),
  change('resumeSaleRenewal', 'Resume the renewal', { renewal: 'active' }, { wants: 'sale' }),
];

/** The configuration of a journey with all of its resources: its plan shows the costs and the needed quotas. */
export const peakJourneyConfiguration: JourneyConfiguration = {
  ...emptyJourneyConfiguration,
  parts: [project, key, net, edge, box, forward],
  isAttached: true,
};

/** Values that the configurations of one journey are written from. */
export interface JourneyConfigurationInputs {
  readonly names: JourneyNames;
  readonly vm: JourneyVmOrder;
  /** SSH public key for the test VM, whose private key was thrown away. */
  readonly publicKey: string;
}

/** Writes the configuration in JSON, which is YAML. Entries of the catalog are given by id, which is never ambiguous. */
export function writeJourneyConfiguration(
  { parts, renamed, isAttached, isStopped, isRebuilt, vmPort, renewal }: JourneyConfiguration,
  { names, vm, publicKey }: JourneyConfigurationInputs,
): string {
  const has = (address: ResourceAddress) => parts.includes(address);
  const nameOf = (address: ResourceAddress, part: keyof JourneyNames['first']) =>
    (renamed.includes(address) ? names.renamed : names.first)[part];
  const { configuration, image, otherImage, tariff } = vm;
  const ssh = { protocol: 'tcp', publicPort: 2222, vm: 'box', vmPort };
  const vmBlock = {
    name: nameOf(box, 'box'),
    image: (isRebuilt && otherImage ? otherImage : image).id,
    configuration: configuration.id,
    tariff: tariff.id,
    networks: isAttached ? ['net'] : [],
    power: isStopped ? 'stopped' : 'running',
    ...(has(key) && { sshKeys: ['key'] }),
    ...(has(edge) && { publicIp: 'edge' }),
    ...(renewal && { renewal }),
  };
  const journey = {
    name: nameOf(project, 'project'),
    ...(has(key) && { sshKeys: { key: { name: nameOf(key, 'key'), publicKey } } }),
    ...(has(net) && { networks: { net: { name: nameOf(net, 'net') } } }),
    ...(has(edge) && { publicIps: { edge: has(forward) ? { forwards: { ssh } } : {} } }),
    ...(has(box) && { vms: { box: vmBlock } }),
  };
  return JSON.stringify({ version: 1, projects: has(project) ? { journey } : {} });
}
