import { findContainingKind } from '../kind-places.ts';
import { projectKind } from '../kind-table.ts';
import { commandSubjects, findCommandIdOfKind, type ResolvedCommand } from './command.ts';
import type { ResourcePlace } from './live.ts';

/** The project that a command names; undefined where its resource belongs to none, or is one that is to be made. */
export function findProjectIdOfCommand(command: ResolvedCommand): string | undefined {
  return findCommandIdOfKind(command, projectKind);
}

/** The list in which the resource of a command shows. The id of the project is empty for kinds outside of projects. */
export function placeOfCommand(command: ResolvedCommand): ResourcePlace {
  const holder = findContainingKind(commandSubjects[command.kind].kind);
  const holderId = holder && findCommandIdOfKind(command, holder);
  const projectId = findProjectIdOfCommand(command) ?? '';
  return holderId === undefined ? { projectId } : { projectId, publicIpId: holderId };
}
