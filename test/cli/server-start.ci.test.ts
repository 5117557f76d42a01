// The first start of a server, with the built program and a real PostgreSQL.
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asProcesses } from '../support/server/as-processes.ts';
import { openServerRig, type ServerRig } from '../support/server/server-rig.ts';

let rig: ServerRig;

beforeAll(async () => {
  rig = await openServerRig(asProcesses(resolve('.')), 200);
});
afterAll(() => rig.close());

it('a server and its workers may start at the same moment, on an empty database', async () => {
  const starts = [['server', '--port', '0', '--no-runs'], ['worker'], ['worker'], ['worker']];
  const running = await Promise.all(starts.map((args) => rig.start(args)));
  expect(running.map(({ complaints }) => complaints())).toEqual(['', '', '', '']);
});
