/** Obstacle to a run that has not got anywhere: its account refuses all requests, or its git host is slow. */
export type Obstacle = 'service' | 'git-host';

/** Error for a run that cannot begin now and is tried again later. */
export class RunPostponed extends Error {
  override readonly name = 'RunPostponed';
  readonly obstacle: Obstacle;
  /** Milliseconds after which another attempt may succeed. */
  readonly afterMs: number;

  constructor(obstacle: Obstacle, afterMs: number) {
    super(explainPause(obstacle, afterMs));
    this.obstacle = obstacle;
    this.afterMs = afterMs;
  }
}

const words: Readonly<Record<Obstacle, string>> = {
  service: 'The service refuses the requests of this account for now.',
  'git-host': 'The git host does not send the commits of other runs for now.',
};

/** Writes the log line of a run that has to wait. */
export function explainPause(obstacle: Obstacle, ms: number): string {
  return `${words[obstacle]} The run gives its place to others, and is tried again in ${Math.ceil(ms / 1_000)} s.`;
}
