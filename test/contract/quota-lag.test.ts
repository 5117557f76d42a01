import { describe, expect, it } from 'vitest';

import { openProjectBench, vmRequest, type Bench } from './bench.ts';

const networksUsed = async (bench: Bench) => (await bench.get('getLimits')).networks;

describe('section 2: `used` is a snapshot and may lag', () => {
  it('by the time that it is told, while `remaining` follows it', async () => {
    const bench = await openProjectBench({ quotaLagMs: 10_000, quotas: { networks: 2 } });
    await bench.get('createNetwork', { body: { name: 'one' } });
    bench.pass(6);
    await bench.get('createNetwork', { body: { name: 'two' } });
    expect(await networksUsed(bench)).toEqual({ limit: 2, used: 0, remaining: 2 });
    bench.pass(5);
    expect(await networksUsed(bench)).toEqual({ limit: 2, used: 1, remaining: 1 });
    bench.pass(5);
    expect(await networksUsed(bench)).toEqual({ limit: 2, used: 2, remaining: 0 });
  });

  it('decides on the true use: a create is refused though `remaining` is above zero (section 7)', async () => {
    const bench = await openProjectBench({ quotaLagMs: 60_000, quotas: { cpu: 2 } });
    await bench.get('createVm', { body: vmRequest('web') });
    const { vmResources } = await bench.get('getLimits');
    expect(vmResources).toMatchObject({ cpu: { used: 0, remaining: 2 } });
    await bench.refusal(409, 'createVm', { body: vmRequest('db') });
  });

  it('lags behind what operations free, too', async () => {
    const bench = await openProjectBench({ quotaLagMs: 5000 });
    await bench.get('createNetwork', { body: { name: 'one' } });
    bench.pass(60);
    const { items } = await bench.get('listNetworks');
    await bench.get('deleteNetwork', { params: { networkId: items[0]?.id ?? '' } });
    bench.pass(4);
    expect((await networksUsed(bench)).used).toBe(1);
    bench.pass(3600);
    expect((await networksUsed(bench)).used).toBe(0);
  });

  it('does not lag unless told', async () => {
    const bench = await openProjectBench();
    expect((await bench.get('getLimits')).projects).toMatchObject({ used: 1 });
  });
});
