import { commandSubjects, type CommandName } from '../account/command.ts';

/** What an earlier run has sent and the service is still working on: apply waits for its end. */
export interface Underway {
  readonly command: CommandName;
  /**
   * When the service accepted it, or when it was sent where no answer came; milliseconds since the Unix epoch, by the
   * clock of the run that sent it.
   */
  readonly since: number;
  /** True where that was another day, or may have been. */
  readonly isLongAgo?: true;
}

/** True for what an earlier run deletes, so that this plan does not. */
export function isBeingDeleted({ underway }: { readonly underway?: Underway }): boolean {
  return underway !== undefined && commandSubjects[underway.command].effect === 'delete';
}
