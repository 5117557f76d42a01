// The durable engine behind a port: it keeps runs in order, and hands each to one worker at a time. It knows ids alone, never
// a plan, a token or a variable. It is no mutex: two copies of a run may be at work, and the epoch of the state keeps them apart.
// Runs of one workspace that come by different ways, as one of low priority, may be called for at once: who carries them out
// says which one is to come later.

/** Port of the engine that carries out runs and continues them after a crash. */
export interface DurableEngine {
  /**
   * Queues a run behind all others of its workspace; one of low priority stays behind those that come later, too, and takes
   * no place from any other. A preview waits for previews alone, and no other run waits for it. One that is queued or under way
   * already stays where it is; one that was called for, and has ended without the run, is called for once more.
   */
  enqueue(run: QueuedRun, queue?: 'low' | 'previews'): Promise<void>;
  /** Takes a run out of its queue. One that runs, or has ended, is left alone. */
  cancel(runId: string): Promise<void>;
  /** Does `work` at the times of a cron expression with seconds, on one of the workers each time. */
  schedule(name: string, cron: string): Promise<void>;
  /** The runs that wait, for their turn or for their time, in the order in which they were queued. */
  list(): Promise<readonly WaitingRun[]>;
  /**
   * Queues what a worker had taken, once that worker is known to be gone. What it had begun goes ahead: it has places of its
   * own, and waits for no run of another workspace. @returns the runs
   */
  recover(workerId: string, begun: ReadonlySet<string>): Promise<readonly string[]>;
  /** Queues anew, for this version, what waits for a version that is not one of these. @returns the runs */
  adopt(liveVersions: ReadonlySet<string>): Promise<readonly string[]>;
  /**
   * Forgets runs and scheduled work that ended before a moment, at most so many. A run that is forgotten could be queued again.
   * @returns how many
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

/** A run cannot be carried out yet. It gives its place to others, and is called for again. */
export interface RunPostponement {
  readonly afterMs: number;
}

/** Settings and callbacks of the run engine. */
export interface DurableEngineOptions {
  readonly databaseUrl: string;
  /** Id of this process among the workers; no other process has ever had it. */
  readonly workerId: string;
  /** A run is carried out by workers of the version that queued it. */
  readonly version: string;
  /** Set for a process that carries out runs; others only queue them. */
  readonly carriesOut: boolean;
  /** Carries out a run, or says when it can be. It may be called again for the same run, here or elsewhere. */
  readonly carryOut: (runId: string) => Promise<RunPostponement | undefined>;
  /** Jobs that the engine starts on a schedule, by name. */
  readonly scheduled: Readonly<Record<string, () => Promise<void>>>;
  /** Called with what the engine has to tell operators. */
  readonly warn: (text: string) => void;
}
