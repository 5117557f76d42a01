import { tableEntries, createTable } from '../../model/tables.ts';
import { notifyOfQuota } from './notifications.ts';
import { quotaExceeded } from '../contract/problems.ts';
import { sandboxQuotaNames, type SandboxQuotaName, type SandboxWorld } from '../store/world.ts';

/** A quota of the sandbox with its use; `remaining` is never negative. */
export interface SandboxQuotaUse {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
}

/** Share of a quota from which on the account is notified that it runs short. */
const shortShare = 0.9;

export function readQuota({ store, rules }: SandboxWorld, name: SandboxQuotaName): SandboxQuotaUse {
  const limit = rules.quotas[name];
  const used = store.tally('account', name);
  return { limit, used, remaining: Math.max(0, limit - used) };
}

/** Computes the use of every quota of the sandbox. */
export function readQuotaUse({ store }: SandboxWorld): Record<SandboxQuotaName, number> {
  const tallies = store.tallies('account');
  return createTable(sandboxQuotaNames, (name) => tallies.get(name) ?? 0);
}

/** The snapshot that GET /limits shows: it may lag (specification, section 2). */
export function showQuota(world: SandboxWorld, name: SandboxQuotaName): SandboxQuotaUse {
  const { limit, used } = readQuota(world, name);
  const shown = world.rules.quotaLag?.usedAt(world, name) ?? used;
  return { limit, used: shown, remaining: Math.max(0, limit - shown) };
}

/**
 * Decides whether this much more may be created, all of it or nothing. The decision falls here and now, whatever
 * `remaining` said before (specification, section 7). Throws the 409.
 */
export function claimQuota(
  world: SandboxWorld,
  wanted: Partial<Record<SandboxQuotaName, number>>,
): void {
  const claims = tableEntries(wanted);
  const use = readQuotaUse(world);
  const { quotas } = world.rules;
  for (const [name, amount] of claims) {
    const [limit, used] = [quotas[name], use[name]];
    if (used + amount > limit) {
      throw quotaExceeded(
        `The quota ${name} is used up: ${used} of ${limit} in use, ${amount} more wanted.`,
      );
    }
  }
  for (const [name, amount] of claims) {
    const [limit, used] = [quotas[name], use[name]];
    const threshold = limit * shortShare;
    if (used < threshold && used + amount >= threshold)
      notifyOfQuota(world, name, used + amount, limit);
  }
}
