import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../../src/model/diagnostic.ts';
import type { StateBackend } from '../../../../src/state/backends/backend.ts';
import { openLocalBackend } from '../../../../src/state/backends/local.ts';
import { reportBackendSilence } from '../../../../src/state/backends/tell-silence.ts';
import type { StateFiles } from '../../../../src/state/files/files.ts';
import { openMemoryStateFiles } from '../../../../src/state/memory-store.ts';
import { VirtualTime } from '../../../scenario/virtual-time.ts';

/** A backend whose nth write takes so long; `fails`: and is then refused. */
function openSlow(writesMs: readonly number[], fails = false) {
  const time = new VirtualTime();
  const clock = time.openClock();
  const told: Diagnostic[] = [];
  const waits = [...writesMs];
  const files = openMemoryStateFiles(new Map(), async () => {
    await clock.sleep(waits.shift() ?? 0);
    if (fails) throw new Error('refused');
  });
  const backend: StateBackend = {
    ...openLocalBackend('/w'),
    place: 'a bucket',
    openFiles: () => files,
  };
  const slow: StateFiles = reportBackendSilence(backend, clock, (one) =>
    told.push(one),
  ).openFiles();
  return { time, slow, codes: () => told.map(({ code }) => code), told };
}

describe('a backend that does not answer', () => {
  it('is told of once, and once more when it answers again', async () => {
    const { time, slow, told, codes } = openSlow([30_000, 20_000, 0, 0, 6_000, 1]);
    const both = [slow.replace('state.json', 'a'), slow.replace('journal.1.jsonl', 'b')];
    await time.run(Promise.all(both));
    expect(codes()).toEqual(['state-slow', 'state-written']);
    expect(told[0]?.summary).toBe('The state is not written yet after 5 s: a bucket');
    await time.run(slow.append('journal.1.jsonl', 'c'));
    await time.run(slow.remove('state.json'));
    expect(codes()).toHaveLength(2);
    await time.run(slow.append('journal.1.jsonl', 'd'));
    expect(codes().slice(2)).toEqual(['state-slow', 'state-written']);
    expect(await slow.read('journal.1.jsonl')).toBe('bcd');
    expect(await slow.list()).toEqual(['journal.1.jsonl']);
    expect(slow.pathOf('state.json')).toContain('state.json');
    await slow.close();
  });

  it('is not told of where it answers in time', async () => {
    const { time, slow, codes } = openSlow([4_000, 4_000]);
    await time.run(slow.replace('state.json', 'a'));
    await time.run(slow.replace('state.json', 'b'));
    expect(codes()).toEqual([]);
  });

  it('has not answered again where the write fails in the end', async () => {
    const { time, slow, codes } = openSlow([60_000], true);
    await expect(time.run(slow.replace('state.json', 'a'))).rejects.toThrow('refused');
    expect(codes()).toEqual(['state-slow']);
  });
});
