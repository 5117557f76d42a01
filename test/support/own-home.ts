// The memory of a user, apart from that of whoever runs the tests: one for each run of them, gone when it ends.
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where programs that a test starts remember what was trusted; vitest.config.ts sets it. */
export const stateHome =
  process.env.XDG_STATE_HOME ?? join(tmpdir(), `hostwright-home-${process.pid}`);

/** What every program of a test has in its environment. */
export const ownEnvironment = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  XDG_STATE_HOME: stateHome,
};

/** Called for each project before its tests; what it gives, after them. */
export const setup = (): (() => void) => () => rmSync(stateHome, { recursive: true, force: true });
