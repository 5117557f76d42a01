// The durable engine behind a port: it keeps runs in order, and hands each to one worker at a time. It knows ids alone, never
// a plan, a token or a variable. It is no mutex: two copies of a run may be at work, and the epoch of the state keeps them apart.
// Runs of one workspace that come by different ways, as one of low priority, may be called for at once: who carries them out
// says which one is to come later.

/** Run engine: a durable queue of runs that carries them out on the workers and continues them after a crash. */
export interface DurableRunEngine {
  /**
   * Queues a run behind all others of its workspace. One of low priority also stays behind those that are queued later, and takes
   * no capacity from them. A preview waits for previews only, and no other run waits for it. A run that is queued or under way
   * already is left alone; one whose workflow has ended before the run did is queued once more.
   */
  enqueue(run: QueuedRun, queue?: 'low' | 'previews'): Promise<void>;
  /** Takes a run out of its queue. One that runs, or has ended, is left alone. */
  cancel(runId: string): Promise<void>;
  /** Does `work` at the times of a cron expression with seconds, on one of the workers each time. */
  schedule(name: string, cron: string): Promise<void>;
  /** The runs that wait, for their turn or for their time, in the order in which they were queued. */
  list(): Promise<readonly WaitingRun[]>;
  /**
   * Queues the runs of a worker that is known to be gone. Runs that it had begun are continued first, with capacity of their own,
   * and wait for no run of another workspace.
   * @returns the runs
   */
  recover(workerId: string, begun: ReadonlySet<string>): Promise<readonly string[]>;
  /** Queues for this version the runs that wait for workers of a version of which none is left. @returns the runs */
  adopt(liveVersions: ReadonlySet<string>): Promise<readonly string[]>;
  /**
   * Deletes the engine's records of runs and scheduled work that ended before a moment, up to a limit. A run without a record
   * could be queued again.
   * @returns how many were deleted
   */
  forget(endedBefore: Date, limit: number): Promise<number>;
  /** Takes no further run, and waits so many milliseconds for those that run. */
  close(patienceMs: number): Promise<void>;
}

/** A run as the run engine knows it. */
export interface QueuedRun {
  readonly id: string;
  readonly workspaceId: string;
}

/** A run that waits in the run engine. */
export interface WaitingRun extends QueuedRun {
  /** True for a preview: it queues behind other previews alone, so that it holds up no other run. */
  readonly isPreview: boolean;
}

/** Result of a run that cannot be carried out yet: it gives its capacity to others, and is called again after a delay. */
export interface RunPostponement {
  readonly afterMs: number;
}

/** Settings and callbacks of the run engine. */
export interface DurableRunEngineOptions {
  readonly databaseUrl: string;
  /** Id of this process among the workers; no other process has ever had it. */
  readonly workerId: string;
  /** A run is carried out by workers of the version that queued it. */
  readonly version: string;
  /** Set for a process that carries out runs; other processes only queue them. */
  readonly carriesOut: boolean;
  /** Carries out a run, or says when it can be. It may be called again for the same run, here or elsewhere. */
  readonly carryOut: (runId: string) => Promise<RunPostponement | undefined>;
  /** Jobs that the engine starts on a schedule, by name. */
  readonly scheduled: Readonly<Record<string, () => Promise<void>>>;
  /** Called with what the engine has to tell operators. */
  readonly warn: (text: string) => void;
}
