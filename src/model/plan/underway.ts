import { commandSubjects, type CommandName } from '../account/command.ts';

/** A command of an earlier run that the service is still working on: apply waits for its end. */
export interface UnderwayCommand {
  readonly command: CommandName;
  /**
   * When the service accepted it, or when it was sent where no answer came; milliseconds since the Unix epoch, by the
   * clock of the run that sent it.
   */
  readonly since: number;
  /** Set where `since` is on another day than now, or may be: then a time of day alone would mislead. */
  readonly isLongAgo?: true;
}

/** Tells whether an earlier run is deleting a resource already, so that this plan does not. */
export function isBeingDeleted({ underway }: { readonly underway?: UnderwayCommand }): boolean {
  return underway !== undefined && commandSubjects[underway.command].effect === 'delete';
}
