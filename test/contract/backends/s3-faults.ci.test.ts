// A bucket that answers late, not at all, with errors, or too willingly; holders that are overtaken in the middle.
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { openLazyNetwork } from '../../../src/cli/network/open-network.ts';
import type { HttpAnswer } from '../../../src/model/http.ts';
import { walkPoints } from '../../support/budget/walk-points.ts';
import type { DiagnosticError } from '../../../src/model/errors.ts';
import { LockLostError } from '../../../src/state/lock/fence.ts';
import type { OwnLockHandle } from '../../../src/state/lock/lock-medium.ts';
import { acquireLock, forceUnlock } from '../../../src/state/lock/lock.ts';
import { openQuickClock } from '../../support/backends/quick-clock.ts';
import type { S3DoubleOptions, S3Mishap } from '../../support/backends/s3-double.ts';
import { openS3Setup, type S3Run, type S3Setup } from '../../support/backends/s3-setup.ts';

let setup: S3Setup | undefined;
const open = async (options: S3DoubleOptions = {}) => (setup = await openS3Setup(options));
afterEach(async () => {
  await setup?.close();
  setup = undefined;
});

const detailOf = (work: Promise<unknown>) =>
  work.then(
    () => 'passed',
    (error: unknown) => {
      const [first] = (error as DiagnosticError).diagnostics;
      return `${first?.summary} ${first?.detail}`;
    },
  );

/** The writes of a run, each known by what it leaves. */
async function writeAll({ files, journal }: S3Run): Promise<void> {
  await files.replace('state.json', 'one');
  await files.replace(journal, 'a\n');
  await files.append(journal, 'b\n');
  await files.append(journal, 'c\n');
  await files.replace('history/1.json', 'old');
  await files.replace('state.json', 'two');
  await files.remove('history/1.json');
}

const wanted = { 'state.json': 'two', 'journal.1.jsonl': 'a\nb\nc\n' };

describe('conditions', () => {
  test('a server that does not look at them is refused before anything is written', async () => {
    const { double, lock } = await open({ ignoresConditions: true });
    expect(await detailOf(lock())).toContain('does not keep to conditions');
    expect([...double.objects.keys()]).toEqual([]);
  });

  test('are tried once for a server, and leave nothing', async () => {
    const { double, lock } = await open();
    const run = await lock();
    expect([...double.objects.keys()].filter((key) => key.includes('/probe/'))).toEqual([]);
    await run.lock.release();
    const before = double.heard.length;
    await (await lock()).lock.release();
    const later = double.heard.slice(before);
    expect(later.filter(({ key }) => key.startsWith('shop/probe/'))).toEqual([]);
  });
});

describe('a server, or what is between', () => {
  /** What comes back of each request, changed. */
  const openBehind = ({ openBackend }: S3Setup, change: (answer: HttpAnswer) => HttpAnswer) => {
    const network = openLazyNetwork({}, { maxConnections: 1 });
    onTestFinished(() => network.close());
    const exchange = async (request: Parameters<typeof network.exchange>[0]) =>
      change(await network.exchange(request));
    return openBackend({ exchange });
  };
  const who = { pid: process.pid, host: 'here', user: 'anna' };
  const request = { operation: 'apply', version: '1', process: who };

  test('that changes ETags is told, and not asked for ever', async () => {
    const all = await open();
    await (await all.lock()).lock.release();
    const backend = openBehind(all, (answer) => {
      const get = (name: string) =>
        name === 'etag' ? `W/${answer.headers.get(name)}` : answer.headers.get(name);
      return { ...answer, headers: { get } };
    });
    const refused = acquireLock(backend.lock, request, { clock: openQuickClock() });
    expect(await detailOf(refused)).toContain('the ETag that it was read with');
  });

  test('that keeps back the rest of a listing is told', async () => {
    const all = await open({ pageSize: 1 });
    const { files } = await all.lock();
    await files.replace('state.json', 'one');
    const backend = openBehind(all, (answer) => ({
      ...answer,
      text: answer.text.replace(/<NextContinuationToken>.*<\/NextContinuationToken>/, ''),
    }));
    await expect(backend.openFiles().list()).rejects.toThrow('does not say how to go on');
  });
});

describe('mishaps', () => {
  const kinds: readonly S3Mishap[] = [
    { kind: 'answer-lost' },
    { kind: 'request-lost' },
    { kind: 'answered', status: 503, code: 'SlowDown' },
    { kind: 'answered', status: 409, code: 'ConditionalRequestConflict' },
    { kind: 'answered', status: 500, code: 'InternalError' },
  ];
  test.each(kinds)('of every single request: %o', async (mishap) => {
    const { double, lock, readAll } = await open();
    const met = new Set<string>();
    // Each request goes wrong once; its repetition is the next with the same words.
    double.meet = ({ method, key, body }) => {
      const id = `${method} ${key} ${body}`;
      if (met.delete(id)) return undefined;
      met.add(id);
      return mishap;
    };
    const run = await lock();
    await writeAll(run);
    await run.files.close();
    await run.lock.release();
    double.meet = () => undefined;
    expect(await readAll()).toEqual(wanted);
    expect((await lock({ timeoutMs: 0 })).lock.diagnostics).toEqual([]);
  });

  test('a write that nobody answers for good is finished by the next one, in its order', async () => {
    const { double, lock, readAll } = await open();
    const { files, journal } = await lock();
    await files.replace(journal, 'a\n');
    double.meet = ({ method }) => (method === 'PUT' ? { kind: 'answer-lost' } : undefined);
    await expect(files.append(journal, 'b\n')).rejects.toThrow('could not write');
    double.meet = () => ({ kind: 'request-lost' });
    await expect(files.append(journal, 'c\n')).rejects.toThrow('could not write');
    double.meet = () => undefined;
    await files.append(journal, 'd\n');
    expect((await readAll())[journal]).toBe('a\nb\nd\n');
  });

  test.each([
    [403, 'AccessDenied', '(AccessDenied: It says AccessDenied)'],
    [403, 'RequestTimeTooSkewed', 'Set the clock'],
    [404, 'NoSuchBucket', 'Create the bucket'],
    [301, 'PermanentRedirect', 'Set `region`'],
    [501, 'NotImplemented', 'no conditional writes'],
  ])('%i %s is told', async (status, code, words) => {
    const { double, lock } = await open();
    double.meet = () => ({ kind: 'answered', status, code });
    expect(await detailOf(lock())).toContain(words);
    expect(double.heard).toHaveLength(1);
  });

  test('a wrong key is told, and not shown', async () => {
    const { openBackend, double } = await open();
    const credentials = { ...double.keys, secretAccessKey: 'another secret' };
    const failed = openBackend({ credentials }).lock.read();
    await expect(failed).rejects.toThrow('SignatureDoesNotMatch');
    await expect(failed).rejects.not.toThrow('another secret');
  });
});

describe('a holder that is overtaken', () => {
  test('writes nothing, whenever its request arrives', async () => {
    const { double, lock, readAll, openBackend } = await open();
    const old = await lock();
    await old.files.replace('state.json', 'before');
    await old.files.replace(old.journal, 'a\n');
    let arrive: () => void = () => undefined;
    const until = new Promise<void>((done) => (arrive = done));
    double.meet = ({ key }) => (key.includes('/log/') ? { kind: 'late', until } : undefined);
    const writing = old.files.append(old.journal, 'late\n');
    writing.catch(() => undefined);
    while (!double.heard.some(({ body }) => body.endsWith('late\n'))) {
      await new Promise((done) => setImmediate(done));
    }
    double.meet = () => undefined;
    await forceUnlock(openBackend().lock, old.lock.info.ID);
    const next = await lock();
    const before = await readAll();
    arrive();
    const ended = await writing.then(
      () => 'written',
      (error: unknown) => error,
    );
    // It was in time, and its successor has read it, or it was refused.
    if (ended === 'written') expect(before[old.journal]).toBe('a\nlate\n');
    else expect(ended).toBeInstanceOf(LockLostError);
    expect(await readAll()).toEqual(before);
    await next.files.replace('state.json', 'after');
    expect((await readAll())['state.json']).toBe('after');
  });

  test('writes nothing, though its log was read and cleared away', async () => {
    const { lock, readAll } = await open();
    const old = await lock();
    await old.files.replace('state.json', 'before');
    await old.files.replace(old.journal, 'a\n');
    const next = await lock();
    for (let round = 0; round < 4; round += 1) {
      await next.files.replace('state.json', `after ${round}`);
      await next.files.remove(old.journal);
    }
    await next.files.close();
    await next.lock.release();
    const before = await readAll();
    await expect(old.files.append(old.journal, 'late\n')).rejects.toBeInstanceOf(LockLostError);
    await expect(old.files.replace('state.json', 'late')).rejects.toBeInstanceOf(LockLostError);
    expect(await readAll()).toEqual(before);
  });
});

test('killed at any request, the next run finds what was written, and goes on', async () => {
  const points = await walkPoints({ from: 0 }, async (last) => {
    const { double, lock, readAll, close } = await open();
    let count = 0;
    // From there on its requests go nowhere; every second time the last one still arrives.
    double.meet = () => {
      count += 1;
      if (count <= last) return undefined;
      return { kind: count === last + 1 && last % 2 === 0 ? 'answer-lost' : 'request-lost' };
    };
    const isWhole = await lock()
      .then(writeAll)
      .then(
        () => true,
        () => false,
      );
    double.meet = () => undefined;
    const before = await readAll();
    const next = await lock();
    expect(await readAll()).toEqual(before);
    await next.files.replace('state.json', 'next');
    expect(await readAll()).toEqual({ ...before, 'state.json': 'next' });
    await next.lock.release();
    await close();
    if (!isWhole) return { kind: 'tried', faults: [] };
    expect(before).toEqual(wanted);
    return { kind: 'past', last: count - 1 };
  });
  expect(points).toBeGreaterThan(20);
});

test('what nothing names any more is cleared away, and readers are never in its way', async () => {
  const { double, lock, openBackend } = await open({ pageSize: 3 });
  const { files, journal, lock: held } = await lock();
  const reader = openBackend().openFiles();
  const counts: number[] = [];
  for (let round = 1; round <= 12; round += 1) {
    await files.replace(journal, 'a\n');
    for (let line = 0; line < 7; line += 1) await files.append(journal, `${line}\n`);
    await reader.list();
    const reading = reader.read(journal);
    await files.remove(journal);
    await files.replace('state.json', `round ${round}`);
    expect([undefined, 'a\n0\n1\n2\n3\n4\n5\n6\n']).toContain(await reading);
    // From then on, whoever comes begins with the manifest of now.
    await (held.fence as OwnLockHandle).beat();
    await files.close();
    counts.push(double.objects.size);
  }
  expect(counts.at(-1)).toBe(counts.at(2));
});

test('texts that a killed run had not named yet are cleared away by a later one', async () => {
  const { double, lock } = await open();
  const old = await lock();
  double.meet = ({ key, method }) =>
    key.includes('/log/') && method === 'PUT' ? { kind: 'request-lost' } : undefined;
  await expect(old.files.replace('state.json', 'orphan')).rejects.toThrow();
  double.meet = () => undefined;
  const texts = () => [...double.objects.values()].filter(({ text }) => text === 'orphan');
  expect(texts()).toHaveLength(1);
  const next = await lock();
  for (let round = 0; round < 3; round += 1) await next.files.replace('state.json', `${round}`);
  await next.files.close();
  expect(texts()).toEqual([]);
});
