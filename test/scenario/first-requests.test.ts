// Which requests go out first where more are wanted than may be under way.
import { expect, test } from 'vitest';
import { configure, World, type Meddle } from './world.ts';

const yaml = `
projects:
  demo:
    publicIps: { a: , b: , c: , d: }
    vms:
      web: { count: 100, image: ubuntu-24.04, configuration: c2-r4-d40, tariff: monthly }
`;

test('addresses, which are asked for one after the other, and looks do not queue behind many VMs', async () => {
  const world = await World.open({
    quotas: { cpu: 1e4, ram: 1e6, disk: 1e6, publicIps: 10 },
    isFirst: true,
  });
  const sent: string[] = [];
  const slowly: Meddle = async (request, pass) => {
    if (request.method === 'POST') sent.push(request.url.split('/').at(-1) ?? '');
    await world.time.openClock().sleep(30);
    return pass();
  };
  const end = await world.apply(await configure(yaml), {
    ...{ meddle: slowly, connections: 2, parallelism: 1_000 },
  });
  expect(
    end.kind === 'ended' && end.summary.changes.every((one) => one.result.kind === 'applied'),
  ).toBe(true);
  const kinds = sent.filter((kind) => kind === 'public-ips' || kind === 'vms');
  expect(kinds.filter((kind) => kind === 'vms')).toHaveLength(100);
  expect(kinds.lastIndexOf('public-ips')).toBeLessThan(60);
});
