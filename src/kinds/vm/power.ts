import type { LiveVm } from './model.ts';

/** Whether it runs, as far as the boot status tells; undefined where its value is not one that is published. */
export function readPower({ bootStatus, status }: LiveVm): 'running' | 'stopped' | undefined {
  switch (bootStatus) {
    case 'Running':
    case 'Starting':
    case 'Rebooting':
      return 'running';
    case 'Stopped':
    case 'Stopping':
      return 'stopped';
    default:
      // A VM that is still being created will run when it is done, whatever its boot status is called until then.
      return status === 'creating' ? 'running' : undefined;
  }
}
