import type { Keyring } from '../access/keyring.ts';
import { Blobs } from './blobs.ts';
import type { ServerDatabase } from './database.ts';
import { RunLog } from './run-log.ts';
import { Runs } from './runs.ts';
import { Settings } from './settings.ts';
import { Workspaces } from './workspaces.ts';

/** All that the server keeps, by subject. */
export interface Store {
  readonly blobs: Blobs;
  readonly log: RunLog;
  readonly runs: Runs;
  readonly settings: Settings;
  readonly workspaces: Workspaces;
}

/** Opens what the server keeps; asks nothing yet. */
export function openStore(database: ServerDatabase, keyring: Keyring): Store {
  const blobs = new Blobs(database, keyring);
  return {
    blobs,
    log: new RunLog(database),
    runs: new Runs(database),
    settings: new Settings(database),
    workspaces: new Workspaces(database, blobs),
  };
}
