// Where the tests put their files: in memory where the system has such a folder. Nearly every test writes a state, which
// syncs each of its files; on a disk the workers wait for that longer than for anything else.
import { readFileSync, statfsSync } from 'node:fs';

const shared = '/dev/shm';

/** The clusters of PostgreSQL take a hundred megabytes each, and several stand at a time. */
const leastBytes = 2 ** 31;

/** A folder in memory with room for the files of a run, in which programs can be started; undefined where there is none. */
export function findQuickFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(shared);
    const mounts = readFileSync('/proc/mounts', 'utf8');
    const [, options] = new RegExp(`^\\S+ ${shared} tmpfs (\\S+)`, 'm').exec(mounts) ?? [];
    const isUsable = options?.split(',').includes('rw') && !options.split(',').includes('noexec');
    return isUsable && bavail * bsize >= leastBytes ? shared : undefined;
  } catch {
    return undefined;
  }
}
