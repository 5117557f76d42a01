// Log of a server process for operators: one JSON object a line, as collectors of logs read it.
import type { Runtime } from '../model/runtime.ts';

/** Fields of a log line to search for, beside its words. No secret is among them. */
export interface LogLineFields {
  /** Id of the run that the log line is about. */
  readonly run?: string;
  /** Number of the run that the log line is about. */
  readonly number?: number;
  readonly workspace?: string;
  readonly operation?: string;
  readonly status?: string;
  readonly attempt?: number;
  readonly tookMs?: number;
}

/** Writes a line to the log of a server process. */
export type WriteLogLine = (message: string, subject?: LogLineFields) => void;

/** Log of a server process, by severity. */
export interface ServerLog {
  readonly info: WriteLogLine;
  readonly warn: WriteLogLine;
}

/** Opens the log of a server process on standard error. */
export function openServerLog({ stderr, clock }: Pick<Runtime, 'stderr' | 'clock'>): ServerLog {
  const say =
    (level: keyof ServerLog): WriteLogLine =>
    (message, subject) => {
      const at = new Date(clock.now()).toISOString();
      stderr.write(`${JSON.stringify({ at, level, message, ...subject })}\n`);
    };
  return { info: say('info'), warn: say('warn') };
}
