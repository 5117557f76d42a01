// Hosting services that take their time otherwise than our sandbox: what waits for them must not be tuned to one.
import type { DecideOperationDuration } from '../../../src/sandbox/store/world.ts';
import type { SandboxOperationType } from '../../../src/sandbox/store/rows.ts';
import { decideOperationDuration } from '../../../src/sandbox/rules/durations.ts';

/** A number in [0, 1) that follows from its two arguments. */
function fraction(seed: number, sequence: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(sequence + 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}

const draw = (
  seconds: (type: SandboxOperationType, chance: number) => number,
): DecideOperationDuration => {
  return (type, sequence, { seed, speed }) => ({
    queueMs: 0,
    runMs: Math.ceil((seconds(type, fraction(seed, sequence)) * 1_000) / speed),
  });
};

const between = (least: number, most: number) => (chance: number) =>
  least + (most - least) * chance;

const isVm = (type: SandboxOperationType) => type === 'Provision' || type === 'Rebuild';
const isAttachment = (type: SandboxOperationType) =>
  type.endsWith('AttachNetwork') || type === 'UpdateAttachment';

/** By name. */
export const serviceProfiles: Readonly<Record<string, DecideOperationDuration>> = {
  sandbox: decideOperationDuration,
  // VMs 6 to 20 s, networks 2 to 4, attachments 1 to 3.
  brisk: draw((type, chance) =>
    (isVm(type) ? between(6, 20) : isAttachment(type) ? between(1, 3) : between(2, 4))(chance),
  ),
  // The order turned round: VMs are quick, and what is attached to them takes long.
  reversed: draw((type, chance) =>
    (isVm(type) ? between(3, 5) : isAttachment(type) ? between(10, 18) : between(6, 9))(chance),
  ),
  // VMs 9 to 15 s, networks 1.5 to 3, attachments 2 to 3.
  quick: draw((type, chance) =>
    (isVm(type) ? between(9, 15) : isAttachment(type) ? between(2, 3) : between(1.5, 3))(chance),
  ),
  constant: draw((type) => (isVm(type) ? 12 : 4)),
  // Most are quick, one in a hundred takes more than ten times as long.
  heavyTailed: draw((type, chance) => (isVm(type) ? 8 : 2) * Math.min(20, (1 - chance) ** -0.5)),
};
