// The tasks of a plan, and the edges of the dependency graph between them, each with its reason.
import type { Address } from '../address.ts';
import type { Command } from '../account/command.ts';
import type { Timeouts } from '../resource.ts';

/** The part of a change that a task carries out: preparing, destroying, or creating and updating. */
export type TaskPhase = 'prepare' | 'destroy' | 'apply';

/** Why one task waits for another. */
export type DependencyReason =
  | 'container' // the other task makes or changes its project or public IP
  | 'reference' // the other task makes or changes a resource that it refers to
  | 'dependent' // it destroys a resource that the resource of the other task lives in or refers to
  | 'trigger' // the other task makes or changes a resource in its `replaceTriggeredBy`
  | 'value' // the other task makes a resource that its expressions read
  | 'claim' // the other task releases a name or a port that it takes
  | 'replacement' // one task makes and the other destroys the resource of an address
  | 'step-aside' // the same resource first releases something in a `prepare` task
  | 'quota' // the other task frees the quota that it takes
  | 'rollout'; // the other task is in an earlier wave of the block's rollout

/** An edge of the dependency graph: the task that is waited for, by id, and why. */
export interface Dependency {
  readonly on: string;
  readonly reason: DependencyReason;
  /**
   * Index of the first command that needs the result of the other task; absent where all commands do. Earlier commands wait
   * only until the service has accepted the other.
   */
  readonly fromCommand?: number;
  /** Set where the other has to end, and may fail or be skipped. */
  readonly mayFail?: true;
}

/** A dependency that is not waited for, since it would close a circle; nothing but a refusal is risked. */
export interface BrokenDependency extends Dependency {
  /** The tasks of that circle by id: each waits for the next, the last for the first. */
  readonly circle: readonly string[];
}

/** A unit of the executor: commands that run one after the other, once the tasks in `dependsOn` are done. */
export interface Task {
  /** `ADDRESS#phase`, unique in the plan. */
  readonly id: string;
  readonly address: Address;
  readonly phase: TaskPhase;
  readonly commands: readonly Command[];
  /** Tasks that this one waits for, each once, ordered by id. */
  readonly dependsOn: readonly Dependency[];
  /** Dependencies that are not waited for; absent where there are none. */
  readonly broken?: readonly BrokenDependency[];
  readonly timeouts: Timeouts;
}
