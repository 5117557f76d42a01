import { describe, expect, test } from 'vitest';
import { rehearse } from '../../src/commands/rehearsal/rehearse.ts';
import { configure, World } from './world.ts';

const yaml = `projects:
  demo:
    networks: { backend: }
    vms:
      web:
        count: 3
        image: debian-12
        configuration: c2-r4-d40
        tariff: monthly
        networks: [backend]
    publicIps:
      edge:
        forwards:
          https: { protocol: tcp, publicPort: 443, vm: 'web[0]', vmPort: 8443 }
`;

test('smoke', async () => {
  const world = await World.open();
  const desired = await configure(yaml);
  const planned = await world.plan(desired);
  const t = performance.now();
  const rehearsal = await rehearse(
    planned,
    {
      state: world.store.state,
      service: 'sandbox',
      pace: { maxConnections: 128 },
      now: world.time.now(),
      parallelism: 1000,
      planOptions: {
        adoptsAll: false,
        isForced: false,
        replace: [],
        selection: { targets: [], excludes: [] },
      },
    },
    { times: 3 },
  );
  console.log(performance.now() - t, JSON.stringify(rehearsal, null, 1));
  const at = world.time.now();
  const end = await world.apply(desired);
  console.log(world.time.now() - at, end.kind);
});
