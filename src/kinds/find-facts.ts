import { type CommandName, commandSubjects } from '../model/account/command.ts';
import type { CommandFacts } from './command-facts.ts';
import { kinds } from './registry.ts';

/** What a command does, as its kind says. */
export function findFacts(name: CommandName): CommandFacts {
  return kinds[commandSubjects[name].kind].commands[name];
}
