// A backend that refuses while the lock is released: what the command did is told as ever, and so is what holds the lock now.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  openHttpStateDouble,
  type HttpStateDouble,
} from '../support/backends/http-state-double.ts';
import { runInProcess } from './run-in-process.ts';

const main = `version: 1
projects:
  shop: { publicIps: { edge: {} } }
service: { sandbox: {} }
`;

let directory: string;
let double: HttpStateDouble;
let settings: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-unreleased-'));
  double = await openHttpStateDouble();
  settings = `{ http: { address: "${double.address}" } }`;
  await writeFile(join(directory, 'main.yaml'), main);
  await mkdir(join(directory, 'state'));
  expect(await hostwright('apply', '--auto-approve')).toMatchObject({ code: 0 });
});
afterEach(async () => {
  await double.close();
  await rm(directory, { recursive: true });
});

const hostwright = (...args: string[]) =>
  runInProcess(args, { cwd: directory, env: { HOSTWRIGHT_STATE: settings } });

/** Whoever releases the lock from now on is refused. */
const refuseUnlock = () => double.meet('UNLOCK', ...Array.from({ length: 20 }, () => forbidden));
const forbidden = { kind: 'answered', status: 403, text: 'not yours' } as const;

const edge = 'projects.shop.publicIps.edge';

test.each([
  [['state', 'mv', edge, 'projects.shop.publicIps.door']],
  [['state', 'rm', edge]],
  [['state', 'push', '--force', 'pulled.json']],
  [['state', 'migrate', '--to', 'state/elsewhere.yaml']],
  [['apply', '--auto-approve']],
])('%j ends as it would, and names the lock', async (args) => {
  await writeFile(join(directory, 'pulled.json'), (await hostwright('state', 'pull')).stdout);
  await writeFile(join(directory, 'state', 'elsewhere.yaml'), 'local: { path: .hostwright }\n');
  refuseUnlock();
  const { code, stdout, stderr } = await hostwright(...args);
  const { ID } = double.lock ?? {};
  const told = (stdout + stderr).replace(/[\s│]+/g, ' ');
  expect(told).not.toContain('bug in Hostwright');
  expect(told).toContain('[lock-not-released]');
  expect(told).toContain('403 (not yours)');
  expect(told).toContain(`hostwright force-unlock ${String(ID)}`);
  expect(code).toBe(0);
});

test('a refused command is told by its own reason first', async () => {
  refuseUnlock();
  const { code, stderr } = await hostwright('state', 'mv', edge, 'projects.other.publicIps.edge');
  expect(code).toBe(1);
  expect(stderr).toContain('[wrong-parent]');
  expect(stderr).toContain('[lock-not-released]');
  expect(stderr).not.toContain('bug in Hostwright');
});
