// The tasks of a plan, and the edges of the dependency graph between them, each with its reason.
import type { ResourceAddress } from '../address.ts';
import type { Command } from '../account/command.ts';
import type { Timeouts } from '../resource.ts';
import type { ModuleInstanceGate } from './gate.ts';
import type { ReadinessConditions } from './readiness.ts';

/**
 * Part of a change that a task carries out: the destroying part, the creating and updating part, or the wait until the
 * resource is ready. A gate belongs to no change: it is before an instance of a module.
 */
export type TaskPhase = 'prepare' | 'destroy' | 'apply' | 'ready' | 'gate';

/** Reason why one task waits for another. */
export type DependencyReason =
  | 'container' // it lives in what the other makes or changes
  | 'reference' // it refers to what the other makes or changes
  | 'dependent' // the other lives in what it destroys, or refers to it
  | 'trigger' // its `replaceTriggeredBy` names what the other makes or changes
  | 'value' // its expressions read what the other makes
  | 'claim' // the other lets go of a name or a port that it takes
  | 'replacement' // one makes, the other destroys what stands under one address
  | 'step-aside' // the same resource lets go of something first
  | 'quota' // the other frees the room that it takes
  | 'ready' // the other is ready then, or leads to what is probed
  | 'rollout'; // the other goes in the wave before: of its block, or of the instances of its module

/** An edge of the dependency graph: the task that is waited for, by id, and why. */
export interface Dependency {
  readonly on: string;
  readonly reason: DependencyReason;
  /**
   * Index of the first command that needs the result of the other task; absent where all commands do. Earlier commands wait
   * only until the service has accepted the other.
   */
  readonly fromCommand?: number;
  /** Tells whether the other task only has to end, be it by failing or being skipped. */
  readonly mayFail?: true;
}

/** A dependency that is not waited for, since it would close a circle; nothing but a refusal is risked. */
export interface BrokenDependency extends Dependency {
  /** The tasks of that circle by id: each waits for the next, the last for the first. */
  readonly circle: readonly string[];
}

/** A unit of the executor: commands that run one after the other, once the tasks in `dependsOn` are done. */
export interface Task {
  /** Id of the task, unique in the plan: `ADDRESS#phase`. */
  readonly id: string;
  readonly address: ResourceAddress;
  readonly phase: TaskPhase;
  readonly commands: readonly Command[];
  /** Tasks that this one waits for, each once, sorted by id. */
  readonly dependsOn: readonly Dependency[];
  /** Dependencies that are not waited for; absent where there are none. */
  readonly broken?: readonly BrokenDependency[];
  readonly timeouts: Timeouts;
  /** Probes of a task of the phase `ready`, which has no commands, with the values that the plan knows. */
  readonly ready?: ReadinessConditions;
  /** Condition of a task of the phase `gate`, which has no commands either; its address is that of a module instance. */
  readonly gate?: ModuleInstanceGate;
}
