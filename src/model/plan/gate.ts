// The gate before an instance of a module whose instances change one after the other: a task of the plan without commands.
import type { ResourceAddress } from '../address.ts';

/** Conditions that must hold before the next instance of a module is changed. */
export interface ModuleInstanceGate {
  /** Tells whether the checks of the configuration must hold before the next instance. */
  readonly needsChecks: boolean;
  /** Time without a request, in milliseconds; 0 where no instance before it changes. */
  readonly waitMs: number;
  /** Instances that are changed before this one, in their order. */
  readonly after: readonly ResourceAddress[];
  /** The instance and those behind it: what their own checks say is yet to come. */
  readonly ahead: readonly ResourceAddress[];
}
