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

/** What is done to a VM beside its making and its end. */
const words: Readonly<Partial<Record<CommandName, string>>> = {
  startVm: 'start',
  stopVm: 'stop',
  rebootVm: 'reboot',
  createBackup: 'backup',
  restoreBackup: 'restore',
  rebuildVm: 'rebuild',
  attachVm: 'attach',
  detachVm: 'detach',
};

/** What a command does, as a noun: `rebuild`. */
export function nameWork(command: CommandName): string {
  return words[command] ?? commandSubjects[command].effect;
}

/** `rebuild in progress since 12:04, will be awaited`: by the clock on the reader's wall, with the day where it is over. */
export function describeUnderway({ command, since, isLongAgo }: Underway): string {
  const at = new Date(since);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} `;
  const time = `${isLongAgo ? day : ''}${two(at.getHours())}:${two(at.getMinutes())}`;
  return `${nameWork(command)} in progress since ${time}, will be awaited`;
}
