// What a process of the server says for operators: a line for each thing, as one JSON object, as collectors of logs read it.
import type { Runtime } from '../model/runtime.ts';

/** What a line is about, beside its words: fields to search for. No secret is among them. */
export interface LogSubject {
  /** The id of a run. */
  readonly run?: string;
  /** The number of the run. */
  readonly number?: number;
  readonly workspace?: string;
  readonly operation?: string;
  readonly status?: string;
  readonly attempt?: number;
  readonly tookMs?: number;
}

/** Says something. */
export type Say = (message: string, subject?: LogSubject) => void;

/** Where a process says what it does. */
export interface ServerLog {
  readonly info: Say;
  readonly warn: Say;
}

/** The log on standard error. */
export function openServerLog({ stderr, clock }: Pick<Runtime, 'stderr' | 'clock'>): ServerLog {
  const say =
    (level: keyof ServerLog): Say =>
    (message, subject) => {
      const at = new Date(clock.now()).toISOString();
      stderr.write(`${JSON.stringify({ at, level, message, ...subject })}\n`);
    };
  return { info: say('info'), warn: say('warn') };
}
