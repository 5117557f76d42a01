import { type CommandName, commandSubjects } from '../model/account/command.ts';
import type { CommandFacts } from './command-facts.ts';
import { kindRegistry } from './registry.ts';

/** Finds the facts about a command in its kind. */
export function findCommandFacts(name: CommandName): CommandFacts {
  // The type of each entry is exact for its own command, which TypeScript cannot follow through the index.
  return kindRegistry[commandSubjects[name].kind].commands[name] as CommandFacts;
}

/** Assumed seconds of a command that is over when it is answered. */
const answeredSeconds = 0.3;

/** Assumed milliseconds of a command, before one of its kind was seen to end. */
export function getAssumedDurationMs(command: CommandName): number {
  return (findCommandFacts(command).assumedSeconds ?? answeredSeconds) * 1_000;
}

/** Factor between observed and assumed durations of commands; undefined before any was observed. @param means in milliseconds */
export function calculateDurationScale(
  means: readonly (readonly [CommandName, number])[],
): number | undefined {
  const known = means.filter(([command]) => findCommandFacts(command).assumedSeconds !== undefined);
  const assumed = known.reduce((sum, [command]) => sum + getAssumedDurationMs(command), 0);
  const actual = known.reduce((sum, [, meanMs]) => sum + meanMs, 0);
  return assumed === 0 ? undefined : actual / assumed;
}
