import { tableEntries, createTable } from '../../model/tables.ts';
import { notifyOfScarceQuota } from './notifications.ts';
import { createQuotaExceededRefusal } from '../contract/problems.ts';
import {
  sandboxQuotaNames,
  type SandboxQuotaName,
  type SandboxContext,
  type LaggingQuotaUse,
} from '../store/world.ts';

/** A quota of the sandbox with its use; `remaining` is never negative. */
export interface SandboxQuotaUse {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
}

/** Share of a quota from which on the account is notified that it runs short. */
const shortShare = 0.9;

export function readSandboxQuota(
  { store, rules }: SandboxContext,
  name: SandboxQuotaName,
): SandboxQuotaUse {
  const limit = rules.quotas[name];
  const used = store.tally('account', name);
  return { limit, used, remaining: Math.max(0, limit - used) };
}

/** Computes the use of every quota of the sandbox. */
export function readSandboxQuotaUses({ store }: SandboxContext): Record<SandboxQuotaName, number> {
  const tallies = store.tallies('account');
  return createTable(sandboxQuotaNames, (name) => tallies.get(name) ?? 0);
}

/** Reads the use of a quota that GET /limits shows, which may lag behind (specification, section 2). */
export function readLaggingQuota(world: SandboxContext, name: SandboxQuotaName): SandboxQuotaUse {
  const { limit, used } = readSandboxQuota(world, name);
  const shown = world.rules.quotaLag?.usedAt(world, name) ?? used;
  return { limit, used: shown, remaining: Math.max(0, limit - shown) };
}

/**
 * Checks that the quotas have enough left for all of the wanted amounts. The decision counts the present use, whatever
 * `remaining` said before (specification, section 7). Notifies the account when little of a quota is left. Throws the
 * refusal (status 409).
 */
export function claimQuota(
  world: SandboxContext,
  wanted: Partial<Record<SandboxQuotaName, number>>,
): void {
  const claims = tableEntries(wanted);
  const use = readSandboxQuotaUses(world);
  const { quotas } = world.rules;
  for (const [name, amount] of claims) {
    const [limit, used] = [quotas[name], use[name]];
    if (used + amount > limit) {
      throw createQuotaExceededRefusal(
        `The quota ${name} is used up: ${used} of ${limit} in use, ${amount} more wanted.`,
      );
    }
  }
  for (const [name, amount] of claims) {
    const [limit, used] = [quotas[name], use[name]];
    const threshold = limit * shortShare;
    if (used < threshold && used + amount >= threshold)
      notifyOfScarceQuota(world, name, used + amount, limit);
  }
}

interface Sample {
  readonly at: number;
  readonly used: Readonly<Record<SandboxQuotaName, number>>;
}

/**
 * Creates a record of the quotas' use that answers `lagMs` late. The use before the sandbox was opened is not known:
 * the oldest known use is taken for it.
 */
export function createLaggingQuotaUse(lagMs: number): LaggingQuotaUse {
  const samples: Sample[] = [];
  return {
    note: (world) => {
      const { now } = world;
      const used = readSandboxQuotaUses(world);
      const last = samples.at(-1);
      if (last && sandboxQuotaNames.every((name) => last.used[name] === used[name])) return;
      samples.push({ at: now, used });
      // The newest sample that is old enough stays: it is what is shown.
      while ((samples[1]?.at ?? Infinity) <= now - lagMs) samples.shift();
    },
    usedAt: ({ now, store }, quota) => {
      const shown = samples.findLast(({ at }) => at <= now - lagMs) ?? samples[0];
      return shown?.used[quota] ?? store.tally('account', quota);
    },
  };
}
