// Small plans for the tests of this folder: a change needs only what its test is about.
import { parseResourceAddress } from '../../../src/model/address.ts';
import type { Finding } from '../../../src/model/diagnostic.ts';
import type { Change, Plan } from '../../../src/model/plan/plan.ts';
import { createAnsiStyle } from '../../../src/render/format/style.ts';

/** 80 columns without colour. */
export const plain = { columns: 80, style: createAnsiStyle(false) };

/** A change of a VM, unless told otherwise. */
export function makeChange(given: Partial<Change> & Pick<Change, 'action'>): Change {
  const address = given.address ?? 'projects.shop.vms.web';
  const parsed = parseResourceAddress(address);
  return {
    address,
    kind: parsed?.kind ?? 'vm',
    project: parsed?.project ?? 'projects.shop',
    id: given.action === 'create' ? null : 'vm-1',
    before: null,
    after: null,
    unknown: [],
    sensitive: [],
    fields: [],
    losses: [],
    configured: [],
    // What is due says what: a backup, of which the plan knows the age.
    ...(given.action === 'due' && { dueBackup: { maxAgeMs: 86_400_000, newestAt: null } }),
    ...given,
  };
}

/** A plan over the given changes. */
export function makePlan(changes: readonly Change[], given: Partial<Plan> = {}): Plan {
  return { mode: 'apply', changes, tasks: [], findings: [], quotas: [], gone: [], ...given };
}

/** A finding with a place and a frame. */
export function makeFinding(given: Partial<Finding> = {}): Finding {
  return { severity: 'error', code: 'quota-exceeded', summary: 'Too many cores', ...given };
}

/** An ed25519 key as a file holds it. */
export const aliceKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIF3vT8qk0Wm4oJ9xLrYcN2bD5eHsKpQzUaXgEiCwRtVn alice@laptop';
/** Differs from Alice's in the middle alone. */
export const otherKey = aliceKey.replace('F3vT8qk0Wm4oJ9xLrYcN2bD5', 'F3vT8qk0Wm4oJ9xZZZZN2bD5');
