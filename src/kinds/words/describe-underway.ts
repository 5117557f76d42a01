import { commandSubjects, type CommandName } from '../../model/account/command.ts';
import type { UnderwayCommand } from '../../model/plan/underway.ts';
import { findCommandFacts } from '../find-facts.ts';

/** Noun for a command in messages, as `rebuild`. */
export function nameCommandWork(command: CommandName): string {
  return findCommandFacts(command).noun ?? commandSubjects[command].effect;
}

/** `rebuild in progress since 12:04, will be awaited`: in local time, with the day where that is over. */
export function describeUnderwayCommand({ command, since, isLongAgo }: UnderwayCommand): string {
  const at = new Date(since);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} `;
  const time = `${isLongAgo ? day : ''}${two(at.getHours())}:${two(at.getMinutes())}`;
  return `${nameCommandWork(command)} in progress since ${time}, will be awaited`;
}
