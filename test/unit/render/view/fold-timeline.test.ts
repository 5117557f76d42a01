import { describe, expect, it } from 'vitest';
import type { TimelineEntry } from '../../../../src/model/plan/timeline.ts';
import { foldTimeline } from '../../../../src/render/view/fold-timeline.ts';

const makeEntries = (
  count: number,
  addressOf: (index: number) => string,
  given: (index: number) => Partial<TimelineEntry> = () => ({}),
): TimelineEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ address: addressOf(index), step: 'create', result: 'applied', isCritical: false },
    ...{ startedAt: index * 10, endedAt: index * 10 + 100 },
    ...given(index),
  }));

const instance = (index: number) => `projects.shop.vms.web[${index}]`;
const named = (index: number) => `projects.p${index % 3}.vms.web-${index}`;
const show = (entries: readonly TimelineEntry[]) =>
  foldTimeline({ entries }).map(({ address, entries: own }) => `${own.length} ${address}`);

describe('a timeline', () => {
  it('of few steps stays as it is', () => expect(show(makeEntries(40, instance))).toHaveLength(40));

  it('has the instances of one resource as one, from the first start to the last end', () => {
    const [group] = foldTimeline({ entries: makeEntries(2_000, instance) });
    expect(group).toMatchObject({
      ...{ address: 'projects.shop.vms.web[0..1999]', startedAt: 0, endedAt: 20_090 },
    });
  });

  it('keeps what failed and the critical path step by step', () => {
    const shown = show(
      makeEntries(100, instance, (index) =>
        index === 7 ? { result: 'failed' } : { isCritical: index > 96 },
      ),
    );
    expect(shown).toEqual([
      ...['96 projects.shop.vms.web[0..99]', '1 projects.shop.vms.web[7]'],
      ...[97, 98, 99].map((index) => `1 projects.shop.vms.web[${index}]`),
    ]);
  });

  it('tells steps and results apart', () => {
    const shown = show(
      makeEntries(60, instance, (index) => ({
        step: index < 30 ? 'create' : 'update',
        result: index < 50 ? 'applied' : 'unknown',
      })),
    );
    expect(shown.map((one) => one.split(' ')[0])).toEqual(['30', '20', '10']);
  });

  it('of very many resources has those of one kind in a project as one', () => {
    expect(show(makeEntries(900, named))).toEqual([
      ...['300 projects.p0.vms', '300 projects.p1.vms', '300 projects.p2.vms'],
    ]);
    expect(show(makeEntries(300, (index) => `projects.p${index}`))).toEqual(['300 projects']);
    expect(show(makeEntries(300, (index) => `what-${index}`))).toHaveLength(300);
  });

  it('folds a critical path that nobody would read', () =>
    expect(show(makeEntries(900, named, () => ({ isCritical: true })))).toHaveLength(3));
});
