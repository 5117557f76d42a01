/** Obstacle to a run that has not got anywhere: its account refuses all requests, or its git host is slow. */
export type RunObstacle = 'service' | 'git-host';

/** Error for a run that cannot begin now and is tried again later. */
export class RunPostponedError extends Error {
  override readonly name = 'RunPostponedError';
  readonly obstacle: RunObstacle;
  /** Milliseconds after which another attempt may succeed. */
  readonly afterMs: number;

  constructor(obstacle: RunObstacle, afterMs: number) {
    super(explainPostponedRun(obstacle, afterMs));
    this.obstacle = obstacle;
    this.afterMs = afterMs;
  }
}

const words: Readonly<Record<RunObstacle, string>> = {
  service: 'The service refuses the requests of this account for now.',
  'git-host': 'The git host does not send the commits of other runs for now.',
};

/** Writes the log line of a run that has to wait. */
export function explainPostponedRun(obstacle: RunObstacle, ms: number): string {
  return `${words[obstacle]} The run gives its place to others, and is tried again in ${Math.ceil(ms / 1_000)} s.`;
}
