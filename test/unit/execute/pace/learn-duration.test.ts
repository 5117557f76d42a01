import { ServiceClocks } from '../../../../src/api/service-clocks.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { OperationRecordMatcher } from '../../../../src/execute/observe/operation-log.ts';
import {
  makeExactDurationBounds,
  type CommandDurationBounds,
} from '../../../../src/execute/observe/took.ts';
import { DurationLog } from '../../../../src/execute/pace/durations.ts';
import { learnCommandDuration } from '../../../../src/execute/pace/learn-duration.ts';
import { ServiceError } from '../../../../src/api/errors/errors.ts';
import type { LiveOperation } from '../../../../src/model/account/operation.ts';
import type { ResolvedCommand } from '../../../../src/model/account/command.ts';
import type { UsualCommandDuration } from '../../../../src/model/state/state.ts';

const command: ResolvedCommand = { kind: 'startVm', project: 'p', vm: 'v' };
const record: LiveOperation = {
  id: 'op-1',
  resourceType: 'vm',
  resourceId: 'v',
  type: 'Start',
  status: 'Succeeded',
  createdAt: 1_000,
  completedAt: 5_000,
  failureCode: null,
};

let reads: number;
let answer: () => Promise<readonly LiveOperation[]>;
beforeEach(() => {
  reads = 0;
  answer = () => Promise.resolve([record]);
});

function open(known?: UsualCommandDuration) {
  const client = {
    listOperations: () => {
      reads += 1;
      return answer();
    },
    serviceTime: () => undefined,
    clocks: new ServiceClocks(),
  };
  const durations = new DurationLog(known && { durations: { startVm: known } });
  const context = { durations, operations: new OperationRecordMatcher(client) };
  const learn = async (took: CommandDurationBounds) => {
    learnCommandDuration(context, { ...{ command, id: 'v', took }, sending: { mark: undefined } });
    // What it reads nobody waits for.
    await new Promise((done) => setImmediate(done));
  };
  return { learn, meanMs: () => durations.learned?.startVm?.meanMs };
}

describe('how long a command took', () => {
  test('is what two close looks tell', async () => {
    const { learn, meanMs } = open();
    await learn({ leastMs: 9_900, mostMs: 10_100 });
    expect(meanMs()).toBe(10_000);
    expect(reads).toBe(0);
  });

  test('is read from the record of the first where the looks tell little', async () => {
    const { learn, meanMs } = open();
    await learn({ leastMs: 0, mostMs: 30_000 });
    expect(meanMs()).toBe(4_000);
    await learn({ leastMs: 0, mostMs: 30_000 });
    expect(meanMs()).toBe(4_000);
    expect(reads).toBe(1);
  });

  test('is noticed to have become less, though it ends unseen before every look', async () => {
    const { learn, meanMs } = open({ meanMs: 30_000, deviationMs: 0 });
    await learn({ leastMs: 0, mostMs: 30_500 });
    expect(meanMs()).toBeLessThan(30_000);
  });

  test('is as the looks tell where no record can be read', async () => {
    const { learn, meanMs } = open();
    answer = () => Promise.resolve([]);
    await learn({ leastMs: 0, mostMs: 8_000 });
    expect(meanMs()).toBe(4_000);
    const other = open();
    answer = () =>
      Promise.reject(
        new ServiceError(
          { operation: 'listOperations', method: 'GET', url: 'http://x/v1' },
          {
            status: 500,
            problem: { title: null, detail: null, errors: {}, code: null },
            retryAfterMs: null,
            requestId: null,
          },
        ),
      );
    await other.learn({ leastMs: 0, mostMs: 6_000 });
    expect(other.meanMs()).toBe(3_000);
  });

  test('is what was seen to the millisecond', async () => {
    const { learn, meanMs } = open();
    await learn(makeExactDurationBounds(123));
    expect(meanMs()).toBe(123);
  });
});
