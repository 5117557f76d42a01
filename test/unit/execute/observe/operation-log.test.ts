import { ServiceClocks } from '../../../../src/api/service-clocks.ts';
import { describe, expect, test } from 'vitest';
import type { LiveOperation } from '../../../../src/model/account/operation.ts';
import {
  OperationRecordMatcher,
  type OwnRequestTraits,
} from '../../../../src/execute/observe/operation-log.ts';
import { refusal } from '../../api/fake-service.ts';

const noon = Date.UTC(2026, 0, 1, 12);

/** A record of an attachment that took from so many to so many seconds after noon. */
function record(id: string, from: number | null, to: number | null = null): LiveOperation {
  const at = (seconds: number | null) => (seconds === null ? null : noon + seconds * 1_000);
  return {
    ...{
      id,
      type: 'AttachNetwork',
      status: to === null ? 'Running' : 'Failed',
      ...{ resourceType: 'vm', resourceId: 'vm-1' },
    },
    ...{ createdAt: at(from), completedAt: at(to), failureCode: null },
  };
}

/** A service that shows these records, newest first, and the time in whole seconds after noon. */
function openLog() {
  const service = {
    records: [] as LiveOperation[],
    seconds: 0 as number | undefined,
    lists: 0,
    refuses: 0,
  };
  const log = new OperationRecordMatcher({
    clocks: new ServiceClocks(),
    listOperations: () => {
      service.lists += 1;
      const { refuses, records } = service;
      return refuses > 0 ? Promise.reject(refusal(refuses)) : Promise.resolve(records);
    },
    serviceTime: () =>
      service.seconds === undefined ? undefined : noon + Math.floor(service.seconds) * 1_000,
  });
  const find = (sending: OwnRequestTraits, command: 'attachVm' | 'renameVm' = 'attachVm') =>
    log
      .find(command, 'vm-1', service.records, sending)
      .map(({ operation, isCertain }) => `${operation.id}${isCertain ? '' : '?'}`);
  return { service, log, find };
}

describe('the record of a request', () => {
  test('is none that any list of the run showed before it', async () => {
    const { service, log, find } = openLog();
    service.records = [record('before', null)];
    await log.mark('p');
    service.records = [record('seen by a look', null), record('before', null)];
    await log.listOperations('p');
    const mark = await log.mark('p');
    service.records = [record('ours', null), ...service.records];
    expect(find({ mark })).toEqual(['ours?']);
    await log.listOperations('p');
    expect(find({ mark })).toEqual(['ours?']);
    expect(find({ mark: await log.mark('p') })).toEqual([]);
  });

  test('is none from before it, by the time at the service, however late that shows', async () => {
    const { service, log, find } = openLog();
    service.seconds = 60;
    const mark = await log.mark('p');
    service.records = [record('ours', 60.4, 70), record('theirs', 57.9, 61)];
    expect(find({ mark, answeredAt: noon + 60_000 })).toEqual(['ours']);
  });

  test('is told from others for certain where nothing else can have run', async () => {
    const { service, log, find } = openLog();
    service.seconds = 60;
    const sending = { mark: await log.mark('p'), answeredAt: noon + 60_000 };
    service.records = [record('later', 75, 80), record('ours', 60.5, 70)];
    expect(find(sending)).toEqual(['ours', 'later?']);
    service.records = [record('over before the answer', 60.1, 60.5)];
    expect(find(sending)).toEqual(['over before the answer?']);
    service.records = [record('still running', 60.5)];
    expect(find(sending)).toEqual(['still running']);
    // Without an answer nobody knows when it came.
    expect(find({ mark: sending.mark })).toEqual(['still running?']);
  });

  test('is known by its time alone where those before it are not told', async () => {
    const { service, log, find } = openLog();
    service.seconds = 60;
    service.refuses = 403;
    const mark = await log.mark('p');
    expect(await log.mark('p')).toEqual(mark);
    expect(service.lists).toBe(1);
    service.records = [record('ours', 60.4, 70), record('theirs', 57.9, 61)];
    expect(find({ mark })).toEqual(['ours?']);
    service.seconds = undefined;
    await expect(log.mark('p')).rejects.toThrow('403');
    service.seconds = 60;
    service.refuses = 401;
    await expect(log.mark('q')).rejects.toThrow('401');
    service.refuses = 0;
    await expect(log.mark('q')).resolves.toMatchObject({ serviceTime: noon + 60_000 });
  });

  test('may be that of a server whose clock is a little behind', async () => {
    const { service, log, find } = openLog();
    service.seconds = 60;
    const mark = await log.mark('p');
    service.records = [record('ours', 58.5, 70)];
    expect(find({ mark, answeredAt: noon + 60_000 })).toEqual(['ours?']);
  });

  test('of a create is every one of the new resource', () => {
    const { service, find } = openLog();
    service.records = [record('ours', 1, 2)];
    expect(find({ mark: undefined })).toEqual(['ours']);
  });

  test('of what is carried out at once is none', () => {
    const { service, find } = openLog();
    service.records = [{ ...record('new', 1), type: 'Reorganize' }];
    expect(find({ mark: undefined })).toEqual(['new']);
    expect(find({ mark: undefined }, 'renameVm')).toEqual([]);
  });
});

describe('what it costs', () => {
  test('one list a project, as long as the service tells the time', async () => {
    const { service, log } = openLog();
    for (let sent = 0; sent < 10; sent += 1) await log.mark('p');
    expect(service.lists).toBe(1);
    await log.mark('other');
    expect(service.lists).toBe(2);
  });

  test('a list before each request after a lock, and where the service tells no time', async () => {
    const { service, log } = openLog();
    await log.mark('p');
    await log.mark('p', true);
    expect(service.lists).toBe(2);
    service.seconds = undefined;
    await log.mark('p');
    expect(service.lists).toBe(3);
  });

  test('a list that failed is read again', async () => {
    let isBroken = true;
    const log = new OperationRecordMatcher({
      clocks: new ServiceClocks(),
      listOperations: () => (isBroken ? Promise.reject(new Error('lost')) : Promise.resolve([])),
      serviceTime: () => noon,
    });
    await expect(log.mark('p')).rejects.toThrow('lost');
    isBroken = false;
    await expect(log.mark('p')).resolves.toMatchObject({ serviceTime: noon });
  });
});
