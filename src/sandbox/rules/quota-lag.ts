import { readSandboxQuotaUses } from './quotas.ts';
import { sandboxQuotaNames, type LaggingQuotaUse, type SandboxQuotaName } from '../store/world.ts';

interface Sample {
  readonly at: number;
  readonly used: Readonly<Record<SandboxQuotaName, number>>;
}

/**
 * Lets the use of quotas lag `lagMs` behind. What was before the sandbox was opened is not known: until then the
 * oldest use that is known stands for it.
 */
export function createQuotaLag(lagMs: number): LaggingQuotaUse {
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
