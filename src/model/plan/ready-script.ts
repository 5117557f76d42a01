import type { Address } from '../address.ts';

/** For how long probes fail, in milliseconds from the first attempt; infinite where they never hold. */
export interface ReadyScript {
  readonly afterMs: number;
  /** By a member, or by its block. */
  readonly byAddress: ReadonlyMap<Address, number>;
}

/** Every probe holds at once. */
export const readyAtOnce: ReadyScript = { afterMs: 0, byAddress: new Map() };
