import promises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** The files that this process has opened since. */
export interface OpenFiles {
  /** Closes those that are open: the system does that with a process that is killed, and here it goes on. */
  closeAll(): Promise<void>;
  /** Looks no longer. */
  stop(): void;
}

/** Follows what is opened by promises from now on. */
export function followOpenFiles(): OpenFiles {
  const { open } = promises;
  const handles: FileHandle[] = [];
  const use = (next: typeof open) => {
    promises.open = next;
    syncBuiltinESMExports();
  };
  use(async (...args) => {
    const handle = await open(...args);
    handles.push(handle);
    return handle;
  });
  return {
    closeAll: async () => {
      // One that is closed has no number any more.
      const left = handles.filter(({ fd }) => fd !== -1);
      await Promise.all(left.map((handle) => handle.close()));
    },
    stop: () => use(open),
  };
}
