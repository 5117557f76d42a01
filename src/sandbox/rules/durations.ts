import { computeSeededFraction } from '../store/ids.ts';
import type { SandboxOperationType } from '../store/rows.ts';
import type { DecideOperationDuration } from '../store/world.ts';

/** Seconds that each operation takes in the real service: the shortest and the longest. */
const seconds: Readonly<Record<SandboxOperationType, readonly [number, number]>> = {
  Provision: [20, 40],
  Delete: [6, 10],
  Start: [5, 10],
  Stop: [5, 10],
  Reboot: [8, 12],
  Rebuild: [25, 35],
  AttachNetwork: [3, 5],
  DetachNetwork: [3, 5],
  UpdateAttachment: [3, 5],
  CreateNetwork: [2, 4],
  DeleteNetwork: [2, 4],
  AllocatePublicIp: [2, 4],
  ReleasePublicIp: [2, 4],
  CreatePortForward: [1, 3],
  UpdatePortForward: [1, 3],
  DeletePortForward: [1, 3],
  CreateBackup: [50, 70],
  RestoreBackup: [50, 70],
  DeleteBackup: [8, 12],
};

/** An operation on backups starts at once (specification, section 3); the others queue this long at most. */
const longestQueueSeconds = 1;
const unqueued: readonly SandboxOperationType[] = ['CreateBackup', 'RestoreBackup', 'DeleteBackup'];

/** Queueing and running time of an operation in ms: the same for the same seed and sequence number. */
export const decideOperationDuration: DecideOperationDuration = (type, sequence, rules) => {
  const [shortest, longest] = seconds[type];
  const run =
    shortest + (longest - shortest) * computeSeededFraction(rules.seed, `run:${sequence}`);
  const queue = unqueued.includes(type)
    ? 0
    : longestQueueSeconds * computeSeededFraction(rules.seed, `queue:${sequence}`);
  const inMs = (duration: number) => Math.ceil((duration * 1000) / rules.speed);
  return { queueMs: inMs(queue), runMs: inMs(run) };
};
