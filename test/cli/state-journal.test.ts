// A journal that was damaged: the hint of the refusal, followed to the letter, leads to a state that goes on.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JournalRecord } from '../../src/state/journal/records.ts';
import { openHttpBackend } from '../../src/state/backends/http/open-http-backend.ts';
import { openLocalBackend } from '../../src/state/backends/local.ts';
import type { StateBackend } from '../../src/state/backends/backend.ts';
import { sortJournalNames } from '../../src/state/files/files.ts';
import { acquireLock } from '../../src/state/lock/lock.ts';
import { openStateStore } from '../../src/state/store.ts';
import { openLazyNetwork } from '../../src/cli/network/open-network.ts';
import { openHttpStateDouble } from '../support/backends/http-state-double.ts';
import { openQuickClock } from '../support/backends/quick-clock.ts';
import { buildNetwork } from '../unit/state/build-records.ts';
import { runInProcess } from './run-in-process.ts';

let directory: string;
const opened: (() => unknown)[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-journal-'));
});
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
  await rm(directory, { recursive: true });
});

interface Place {
  readonly backend: StateBackend;
  readonly env: Record<string, string>;
}

const places: Readonly<Record<string, () => Promise<Place>>> = {
  directory: () => Promise.resolve({ backend: openLocalBackend(directory), env: {} }),
  async server() {
    const double = await openHttpStateDouble();
    const network = openLazyNetwork({}, { maxConnections: 2 });
    opened.push(
      () => double.close(),
      () => network.close(),
    );
    const { address } = double;
    const { exchange } = network;
    const clock = openQuickClock();
    const options = { address, credentials: undefined, exchange, clock, warn: () => undefined };
    const env = { HOSTWRIGHT_STATE: `{ http: { address: "${address}" } }` };
    return { backend: openHttpBackend(options), env };
  },
};

const run: readonly JournalRecord[] = ['lan', 'wan', 'dmz'].map((local) => ({
  kind: 'settled',
  resource: buildNetwork(local),
}));

/** A run that is killed, of whose journal another program then changes one line. */
async function leaveDamage(backend: StateBackend, line: number): Promise<void> {
  const request = {
    operation: 'apply',
    version: '0',
    process: { pid: process.pid, host: 'here', user: 'me' },
  };
  const lock = await acquireLock(backend.lock, request, { clock: openQuickClock() });
  const { fence } = lock;
  const store = await openStateStore(backend, { fence });
  for (const record of run) await store.record(record);
  await store.close();
  const files = backend.openFiles(fence);
  const [journal] = sortJournalNames(await files.list());
  const lines = (await files.read(journal!))!.split('\n');
  lines[line - 1] = lines[line - 1]!.replace(/(?<=^.{40})./, '?');
  await files.replace(journal!, lines.join('\n'));
  await files.close();
  await lock.release();
}

describe.each(Object.keys(places))('in a %s', (kind) => {
  test.each([
    [1, ['dmz', 'lan', 'wan']],
    [2, ['dmz', 'wan']],
    [3, ['dmz', 'lan']],
  ])('line %i is damaged', async (line, left) => {
    const { backend, env } = await places[kind]!();
    const hostwright = (...args: string[]) => runInProcess(args, { cwd: directory, env });
    await leaveDamage(backend, line);
    const refused = await hostwright('state', 'list');
    expect(refused.code).toBe(1);
    const words = refused.stderr.replace(/[\s│]+/g, ' ');
    expect(words).toContain('[journal-corrupt]');
    const [, hinted = ''] =
      /hostwright (state journal --keep journal\.jsonl --drop \d)\b/.exec(words) ?? [];
    expect(hinted).toMatch(new RegExp(` ${line}$`));

    const shown = await hostwright('state', 'journal');
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(new RegExp(`^ *${line} +damaged`, 'm'));
    expect(shown.stdout.match(/damaged/g)).toHaveLength(1);
    const json = JSON.parse((await hostwright('state', 'journal', '--json')).stdout) as {
      lines: { line: number; fault: string | null }[];
    };
    expect(json.lines.flatMap((one) => (one.fault === null ? [] : one.line))).toEqual([line]);

    const dropped = await hostwright(...hinted.split(' '));
    expect(dropped).toMatchObject({ code: 0, stderr: '' });
    expect(dropped.stdout).toContain('Dropped 1 line');
    expect((await readFile(join(directory, 'journal.jsonl'), 'utf8')).split('\n')).toHaveLength(5);
    const listed = await hostwright('state', 'list');
    expect(listed.stdout).toBe(left.map((local) => `projects.shop.networks.${local}\n`).join(''));
    expect((await hostwright('state', 'journal')).stdout).toContain('There is no journal');
  });
});

test('a line that is whole, one that is not there, and a copy over a file are refused', async () => {
  const { backend } = await places['directory']!();
  const hostwright = (...args: string[]) => runInProcess(args, { cwd: directory });
  await leaveDamage(backend, 2);
  const before = await readFile(join(directory, '.hostwright', 'journal.1.jsonl'), 'utf8');
  expect((await hostwright('state', 'journal', '--drop', '3')).stderr).toContain('[line-is-whole]');
  expect((await hostwright('state', 'journal', '--drop', '9')).stderr).toContain('[no-such-line]');
  expect((await hostwright('state', 'journal', '--force')).stderr).toContain(
    '--force is for --drop',
  );
  await writeFile(join(directory, 'there'), 'mine');
  const over = await hostwright('state', 'journal', '--keep', 'there', '--drop', '2');
  expect(over.stderr).toContain('[file-not-writable]');
  expect(await readFile(join(directory, 'there'), 'utf8')).toBe('mine');
  expect(await readFile(join(directory, '.hostwright', 'journal.1.jsonl'), 'utf8')).toBe(before);
  const forced = await hostwright('state', 'journal', '--drop', '2', '--drop', '3', '--force');
  expect(forced).toMatchObject({ code: 0 });
  expect((await hostwright('state', 'list')).stdout).toBe('projects.shop.networks.dmz\n');
});
