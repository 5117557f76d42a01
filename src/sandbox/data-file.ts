import { join } from 'node:path';

/** The data file of a sandbox below its data directory. */
export function sandboxFile(directory: string): string {
  return join(directory, 'sandbox.sqlite');
}
