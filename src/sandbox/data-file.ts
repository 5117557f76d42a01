import { join } from 'node:path';

/** The path of a sandbox's data file in its data directory. */
export function locateSandboxDataFile(directory: string): string {
  return join(directory, 'sandbox.sqlite');
}
