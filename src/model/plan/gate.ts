// The gate before an instance of a module whose instances change one after the other: a task of the plan without commands.
import type { Address } from '../address.ts';

/** Conditions that hold before an instance begins. */
export interface Gate {
  /** Set where the checks of the configuration must hold. */
  readonly needsChecks: boolean;
  /** Time without a request, in milliseconds; 0 where no instance before it changes. */
  readonly waitMs: number;
  /** The instances before it that change, in their order. */
  readonly after: readonly Address[];
  /** The instance and those behind it: what their own checks say is yet to come. */
  readonly ahead: readonly Address[];
}
