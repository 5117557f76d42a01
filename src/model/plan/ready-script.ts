import type { ResourceAddress } from '../address.ts';

/**
 * Script for probes where no real one is run, as in a rehearsal: the time for which they fail before they succeed, in
 * milliseconds from the first attempt; infinite where they never do.
 */
export interface ProbeReadinessScript {
  readonly afterMs: number;
  /** Milliseconds until probes succeed, by address of a resource or its block. */
  readonly byAddress: ReadonlyMap<ResourceAddress, number>;
}

/** Script in which every probe succeeds at once. */
export const immediatelyReadyScript: ProbeReadinessScript = { afterMs: 0, byAddress: new Map() };

/**
 * Reads a script for probes: `never`, `{ after: 40s }`, or a map of such by address. `readAnswer` reads one entry and reports
 * what is none: undefined then.
 */
export function readProbeReadinessScript(
  value: unknown,
  readAnswer: (value: unknown, address: ResourceAddress | undefined) => number | undefined,
): ProbeReadinessScript {
  const isMap = typeof value === 'object' && value !== null && !('after' in value);
  if (!isMap) return { ...immediatelyReadyScript, afterMs: readAnswer(value, undefined) ?? 0 };
  const answers = Object.entries(value).map(([address, one]) => {
    return [address, readAnswer(one, address) ?? 0] as const;
  });
  return { afterMs: 0, byAddress: new Map(answers) };
}
