import type { RunRequestDependencies } from '../../../src/server/runs/request-run.ts';
import type { Workspace } from '../../../src/server/store/workspaces.ts';
import type { DayWorker, WorkerGround } from './day-worker.ts';
import type { AccountDouble, Ground } from './day-world.ts';

/** How large the fleet is, and how long its day. */
export interface DayOptions {
  readonly workspaces: number;
  readonly accounts: number;
  readonly workers: number;
  readonly hours: number;
  readonly seed: number;
  /** Hears how far it is. */
  readonly say: (text: string) => void;
}

/** The day while it runs. */
export interface Day extends WorkerGround {
  readonly options: DayOptions;
  readonly random: () => number;
  readonly means: RunRequestDependencies;
  readonly accounts: readonly AccountDouble[];
  readonly grounds: ReadonlyMap<string, Ground>;
  readonly workspaces: readonly Workspace[];
  readonly workers: DayWorker[];
  readonly faults: string[];
  readonly recoveriesMs: number[];
  /** Runs whose worker was killed, and when. */
  readonly killedAt: Map<string, number>;
  /** Set at the end of the day. */
  isOver: boolean;
  outsideChanges: number;
  kills: number;
  restarts: number;
  /** Most runs that were open at once. */
  deepest: number;
  workerCount: number;
}
