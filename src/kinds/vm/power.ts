import type { LiveVm } from './model.ts';

/** Power of a VM, as far as the boot status shows it; undefined for an unpublished value. */
export function readVmPower({ bootStatus, status }: LiveVm): 'running' | 'stopped' | undefined {
  switch (bootStatus) {
    case 'Running':
    case 'Starting':
    case 'Rebooting':
      return 'running';
    case 'Stopped':
    case 'Stopping':
      return 'stopped';
    default:
      // A VM that is still being created will run when it is done, whatever its boot status until then.
      return status === 'creating' ? 'running' : undefined;
  }
}
