import { describe, expect, it } from 'vitest';
import type { ServiceClient } from '../../../../src/api/client.ts';
import { createBatchedRead } from '../../../../src/execute/observe/batched-read.ts';
import type { LiveRecordOfKind } from '../../../../src/model/account/live.ts';
import type { KindName } from '../../../../src/model/kind-places.ts';
import { makeLive } from '../../../support/account.ts';

const account = makeLive({
  projects: { p: { name: 'p', networks: { a: { name: 'a' }, b: { name: 'b' } } } },
});
const place = { projectId: 'p' };

function look(known: number) {
  const asked: string[] = [];
  const found = (id: string) => account.resources.find((one) => one.id === id);
  const client: Pick<ServiceClient, 'list' | 'get'> = {
    list: <K extends KindName>(kind: K) => {
      asked.push(`list ${kind}`);
      return Promise.resolve(account.resources as LiveRecordOfKind<K>[]);
    },
    get: <K extends KindName>(kind: K, _place: object, id: string) => {
      asked.push(`get ${kind} ${id}`);
      return Promise.resolve(found(id) as LiveRecordOfKind<K> | undefined);
    },
  };
  const clock = { now: () => 0, sleep: () => Promise.resolve() };
  return { asked, found, fresh: createBatchedRead(client, clock, () => known) };
}

describe('a fresh look', () => {
  it('at one is one request', async () => {
    const { asked, found, fresh } = look(2);
    expect(await fresh.read('network', place, 'a')).toBe(found('a'));
    expect(asked).toEqual(['get network a']);
  });

  it('at several that are due at once is one list, and those that are gone are gone', async () => {
    const { asked, found, fresh } = look(2);
    const seen = await Promise.all(['a', 'b', 'c'].map((id) => fresh.read('network', place, id)));
    expect(seen).toEqual([found('a'), found('b'), undefined]);
    expect(asked).toEqual(['list network', 'get network c']);
  });

  it('at few among many is not a list of many pages', async () => {
    const { asked, fresh } = look(1_000);
    await Promise.all(['a', 'b'].map((id) => fresh.read('network', place, id)));
    expect(asked).toEqual(['get network a', 'get network b']);
  });

  it('later is a new one', async () => {
    const { asked, fresh } = look(2);
    await fresh.read('network', place, 'a');
    await fresh.read('network', place, 'a');
    expect(asked).toHaveLength(2);
  });
});
