import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  clearDirectoryLock,
  readLockFileHolder,
  takeDirectoryLock,
} from '../../../../src/state/lock/lock-file.ts';
import type { ObservedLock, LockInfo } from '../../../../src/state/lock/lock-info.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostwright-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

const buildInfo = (id: string): LockInfo => ({
  ID: id,
  Operation: 'apply',
  Info: '',
  Who: 'me@here',
  Version: '0.1.0',
  Created: '2026-01-01T00:00:00.000Z',
  Path: 'state.json',
  Pid: 1,
  Host: 'here',
});

const place = (name: string, id: string) =>
  writeFileSync(join(folder, name), JSON.stringify(buildInfo(id)));
const isDead = ({ info }: ObservedLock) => info.ID.startsWith('dead');
const readIds = async () => (await readLockFileHolder(folder))?.info.ID;

describe('taking the lock', () => {
  test('nobody has it: taken', async () => {
    expect(await takeDirectoryLock(folder, buildInfo('me'), isDead)).toEqual({
      kind: 'taken',
      info: { ...buildInfo('me'), Epoch: 1 },
      from: undefined,
    });
    expect(await readIds()).toBe('me');
    expect(await readdir(folder)).toEqual(['lock.json']);
  });

  test('somebody has it: held', async () => {
    place('lock.json', 'alive');
    const outcome = await takeDirectoryLock(folder, buildInfo('me'), isDead);
    expect(outcome).toMatchObject({ kind: 'held', by: { info: { ID: 'alive' } } });
    expect(await readdir(folder)).toEqual(['lock.json']);
  });

  const leftovers: [string, Record<string, string>, string][] = [
    ['a dead holder', { 'lock.json': 'dead1' }, 'dead1'],
    [
      'one that died while it took over',
      { 'lock.json': 'dead1', 'lock.dead1.json': 'dead2' },
      'dead2',
    ],
    [
      'one that died before it cleared up',
      { 'lock.json': 'dead2', 'lock.dead1.json': 'dead2', 'lock.dead0.tmp': 'dead0' },
      'dead2',
    ],
  ];
  test.each(leftovers)('%s: taken over, and nothing is left of it', async (_name, files, from) => {
    for (const [name, id] of Object.entries(files)) place(name, id);
    const outcome = await takeDirectoryLock(folder, buildInfo('me'), isDead);
    expect(outcome).toMatchObject({ kind: 'taken', from: { info: { ID: from } } });
    expect(await readIds()).toBe('me');
    expect(await readdir(folder)).toEqual(['lock.json']);
  });

  test('one that took over a moment ago holds it, though the first name is a dead one', async () => {
    place('lock.json', 'dead1');
    place('lock.dead1.json', 'alive');
    expect(await takeDirectoryLock(folder, buildInfo('me'), isDead)).toMatchObject({
      kind: 'held',
      by: { info: { ID: 'alive' } },
    });
  });

  test('of many at once exactly one wins, again and again', async () => {
    place('lock.json', 'dead0');
    for (let round = 1; round <= 20; round += 1) {
      const gone = (holder: ObservedLock) => !holder.info.ID.startsWith(`r${round}-`);
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, (_value, index) =>
          takeDirectoryLock(folder, buildInfo(`r${round}-${index}`), gone),
        ),
      );
      expect(outcomes.filter(({ kind }) => kind === 'taken')).toHaveLength(1);
    }
  });
});

describe('one that fell asleep between looking and taking', () => {
  const asleep: [string, () => void, object][] = [
    [
      'while another took over',
      () => place('lock.json', 'alive'),
      { kind: 'held', by: { info: { ID: 'alive' } } },
    ],
    [
      'while another was about to take over',
      () => place('lock.dead1.json', 'alive'),
      { kind: 'held', by: { info: { ID: 'alive' } } },
    ],
    [
      'while another took over and released it',
      () => rmSync(join(folder, 'lock.json')),
      { kind: 'taken', from: undefined },
    ],
    [
      'while another took over and died',
      () => place('lock.json', 'dead2'),
      { kind: 'taken', from: { info: { ID: 'dead2' } } },
    ],
  ];
  test.each(asleep)('%s', async (_name, meanwhile, expected) => {
    place('lock.json', 'dead1');
    let isFirst = true;
    const outcome = await takeDirectoryLock(folder, buildInfo('me'), (holder) => {
      const isGone = isDead(holder);
      if (isFirst) meanwhile();
      isFirst = false;
      return isGone;
    });
    expect(outcome).toMatchObject(expected);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('a lock file that says nothing', () => {
  test.each(['', 'null', '{"ID":"../../etc"}', '{"Who":"me"}'])(
    '%j is a lock by itself',
    async (text) => {
      await writeFile(join(folder, 'lock.json'), text);
      expect(await takeDirectoryLock(folder, buildInfo('me'), isDead)).toMatchObject({
        kind: 'held',
        by: { info: { ID: 'unknown', Who: 'unknown' } },
      });
      await clearDirectoryLock(folder);
      expect(await readLockFileHolder(folder)).toBeUndefined();
    },
  );

  test('a lock file that cannot be read is told', async () => {
    mkdirSync(join(folder, 'lock.json'));
    await expect(takeDirectoryLock(folder, buildInfo('me'), isDead)).rejects.toMatchObject({
      code: 'EISDIR',
    });
  });
});
