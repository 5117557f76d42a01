import type { VmVerb } from '../../model/account/vm-work.ts';

/** How a piece of work on a VM is called: while it begins, while it goes on, once it is over, and as a thing. */
export interface VerbWords {
  readonly doing: string;
  readonly still: string;
  readonly done: string;
  readonly noun: string;
}

export const verbWords: Readonly<Record<VmVerb, VerbWords>> = {
  start: { doing: 'Starting', still: 'starting', done: 'started', noun: 'start' },
  stop: { doing: 'Stopping', still: 'stopping', done: 'stopped', noun: 'stop' },
  reboot: { doing: 'Rebooting', still: 'rebooting', done: 'rebooted', noun: 'reboot' },
  backup: { doing: 'Backing up', still: 'backing up', done: 'backed up', noun: 'backup' },
  restore: { doing: 'Restoring', still: 'restoring', done: 'restored', noun: 'restore' },
};
