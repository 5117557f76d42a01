import { expect, test } from 'vitest';
import {
  recordRecognisedResources,
  persistReconciliation,
} from '../../../../src/execute/run/persist-reconciliation.ts';
import type { State } from '../../../../src/model/state/state.ts';
import { openMemoryState } from '../../../../src/state/memory-store.ts';
import type { JournalRecord } from '../../../../src/state/journal/records.ts';
import type { StateStore } from '../../../../src/state/store.ts';
import { replayJournalRecords } from '../../../../src/state/journal/replay.ts';
import { buildIntent, buildNetwork } from '../../state/build-records.ts';

const at = (local: string) => `projects.shop.networks.${local}`;

test('what moved, came and went is written at once: no kill leaves a part of it', async () => {
  const store = await openMemoryState();
  for (const local of ['kept', 'old', 'gone']) {
    await store.record({ kind: 'settled', resource: buildNetwork(local) });
  }
  const records: JournalRecord[] = [];
  const before = replayJournalRecords(store.state, []);
  const known: State = {
    ...before,
    resources: new Map(
      [
        buildNetwork('kept'),
        { ...buildNetwork('old'), address: at('new') },
        buildNetwork('came'),
      ].map((one) => [one.address, one]),
    ),
  };
  const record = store.record.bind(store);
  const watched: StateStore = Object.assign(store, {
    record(one: JournalRecord) {
      records.push(one);
      return record(one);
    },
  });
  await persistReconciliation(watched, known);
  expect(records).toHaveLength(1);
  expect([...replayJournalRecords(before, records).resources.keys()]).toEqual([
    at('kept'),
    at('new'),
    at('came'),
  ]);
  await persistReconciliation(watched, known);
  expect(records).toHaveLength(1);
});

test('what may be the result of an open create is written once, and survives the process', async () => {
  const store = await openMemoryState();
  await store.record(buildIntent('lost'));
  const sighted = new Map([
    [at('lost'), ['net-1']],
    [at('unknown'), ['net-2']],
  ]);
  await recordRecognisedResources(store, { found: [], sighted }, 1, undefined);
  const { serial } = store.state;
  await recordRecognisedResources(store, { found: [], sighted }, 2, undefined);
  expect(store.state.serial).toBe(serial);
  const { state } = await openMemoryState({ disk: store.readDisk() });
  expect(state.pending.get(at('lost'))?.sightedIds).toEqual(['net-1']);
  expect(state.pending.size).toBe(1);
});
