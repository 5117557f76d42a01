/** Obstacle to a run that has not got anywhere: its account refuses all requests, or its git host is slow. */
export type Obstacle = 'service' | 'git-host';

/** The run can begin anew later, and nothing is lost. */
export class RunPostponed extends Error {
  override readonly name = 'RunPostponed';
  readonly obstacle: Obstacle;
  /** In how many milliseconds it is worth another attempt. */
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

/** Log line of a run that waits. */
export function explainPause(obstacle: Obstacle, ms: number): string {
  return `${words[obstacle]} The run gives its place to others, and is tried again in ${Math.ceil(ms / 1_000)} s.`;
}
