import { commandNames, commandSubjects, type CommandName } from '../model/account/command.ts';
import type { WireResourceOperation } from '../api/contract/types.ts';
import { findCommandFacts } from './find-facts.ts';
import { kindNames, type KindName } from '../model/kind-places.ts';
import type { LiveOperation } from '../model/account/operation.ts';

/** Every operation type of the contract. The service may use others, which are then unknown. */
const knownTypes: Record<WireResourceOperation, true> = {
  Provision: true,
  CreateBackup: true,
  Start: true,
  Stop: true,
  Reboot: true,
  Rebuild: true,
  Delete: true,
  RestoreBackup: true,
  DeleteBackup: true,
  AttachNetwork: true,
  DetachNetwork: true,
  UpdateAttachment: true,
  CreateNetwork: true,
  DeleteNetwork: true,
  AllocatePublicIp: true,
  ReleasePublicIp: true,
  CreatePortForward: true,
  UpdatePortForward: true,
  DeletePortForward: true,
};

/** The types under which the operation of a command may be recorded. */
function listTypes(command: CommandName): readonly string[] {
  return findCommandFacts(command).operationTypes ?? [];
}

/**
 * Match of a record with a command on the record's resource: `yes` by its type, `no` when its type is known to be another's,
 * `maybe` for an unpublished type.
 */
export function matchRecordWithCommand(
  operation: Pick<LiveOperation, 'type'>,
  command: CommandName,
): 'yes' | 'no' | 'maybe' {
  if (listTypes(command).includes(operation.type)) return 'yes';
  return Object.hasOwn(knownTypes, operation.type) ? 'no' : 'maybe';
}

/** Types of resources that the service's operation records use for known kinds. */
const recordedKinds: ReadonlySet<string> = new Set([...kindNames, 'backup']);

/** Tells whether a record may be about a resource of a kind: its type is that kind, or one that is not published. */
export function mayRecordKind(
  { resourceType }: Pick<LiveOperation, 'resourceType'>,
  kind: KindName,
): boolean {
  return resourceType === kind || !recordedKinds.has(resourceType ?? '');
}

/** Tells whether a command is carried out as an operation; the answer of any other shows its result. */
export function isRecordedAsOperation(command: CommandName): boolean {
  return listTypes(command).length > 0;
}

const deletionTypes: ReadonlySet<string> = new Set(
  commandNames.filter((name) => commandSubjects[name].effect === 'delete').flatMap(listTypes),
);

/** Tells an operation that deletes its resource, by a published type. */
export function isDeleteOperation({ type }: Pick<LiveOperation, 'type'>): boolean {
  return deletionTypes.has(type);
}

const overwritingTypes: ReadonlySet<string> = new Set(
  commandNames
    .filter((name) => findCommandFacts(name).isRebuild ?? findCommandFacts(name).isRestore)
    .flatMap(listTypes),
);

/** Tells an operation that replaces the data of its resource, by a published type. */
export function isOverwritingOperation({ type }: Pick<LiveOperation, 'type'>): boolean {
  return overwritingTypes.has(type);
}

/** Outcome of an operation. `unknown`: an unpublished status; it is never taken for an end. */
export type OperationOutcome = 'unfinished' | 'succeeded' | 'failed' | 'unknown';

const outcomes: Readonly<Record<string, OperationOutcome>> = {
  queued: 'unfinished',
  running: 'unfinished',
  inprogress: 'unfinished',
  succeeded: 'succeeded',
  failed: 'failed',
};

/** Outcome of an operation, by its status alone; case is ignored, since the service mixes two spellings. */
export function readOperationOutcome(operation: Pick<LiveOperation, 'status'>): OperationOutcome {
  const status = operation.status.toLowerCase();
  return Object.hasOwn(outcomes, status) ? (outcomes[status] ?? 'unknown') : 'unknown';
}

/** Tells whether an operation has certainly ended, well or badly. */
export function isOperationFinished(operation: Pick<LiveOperation, 'status'>): boolean {
  const outcome = readOperationOutcome(operation);
  return outcome === 'succeeded' || outcome === 'failed';
}
