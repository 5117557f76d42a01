import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';

import type { OperationId } from '../../../src/api/contract/routes.ts';
import { openSandbox } from '../../../src/sandbox/sandbox.ts';
import { countRuns } from '../../support/budget/budget.ts';

// Whatever is asked, in whatever order, with whatever failing: what the service counts is what it lists, and
// nothing stays locked or underway for good.

const steps = [
  'createNetwork',
  'deleteNetwork',
  'createPublicIp',
  'deletePublicIp',
  'createVm',
  'deleteVm',
  'attachVm',
  'detachVm',
  'stopVm',
  'createBackup',
  'createPortForward',
  'deletePortForward',
  'wait',
] as const satisfies readonly (OperationId | 'wait')[];

interface Listed {
  readonly id: string;
  readonly status: string;
  readonly vmId?: string | null;
  readonly cpu?: number;
}

test.prop(
  [fc.array(fc.tuple(fc.constantFrom(...steps), fc.nat(3)), { maxLength: 40 }), fc.nat(5)],
  { numRuns: countRuns(60) },
)('counts what it lists, and settles', async (script, everyNthFails) => {
  let now = Date.UTC(2026, 0, 1);
  const sandbox = await openSandbox({
    dataFile: ':memory:',
    now: () => now,
    validateAnswers: true,
    quotas: { networks: 3, publicIps: 3, cpu: 6 },
    planFailure: ({ sequence }) =>
      everyNthFails > 0 && sequence % everyNthFails === 0 ? 'timeout' : null,
  });
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const headers = {
      authorization: `Bearer ${sandbox.token}`,
      'content-type': 'application/json',
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await sandbox.fetch(new Request(`http://sandbox/v1${path}`, init));
    const text = await response.text();
    expect(response.status, text).toBeLessThan(500);
    return text === '' ? undefined : JSON.parse(text);
  };
  const { id: projectId } = (await ask('POST', '/projects', { name: 'p' })) as Listed;
  const base = `/projects/${projectId}`;
  const list = async (path: string): Promise<Listed[]> => {
    const body = (await ask('GET', `${base}/${path}`)) as Listed[] | { items: Listed[] };
    return Array.isArray(body) ? body : body.items;
  };
  let names = 0;
  for (const [step, index] of script) {
    const vmId = (await list('vms'))[index]?.id ?? 'none';
    const networkId = (await list('networks'))[index]?.id ?? 'none';
    const publicIpId = (await list('public-ips'))[index]?.id ?? 'none';
    const forwards = `${base}/public-ips/${publicIpId}/port-forwards`;
    names += 1;
    const vm = {
      name: `v${names}`,
      imageId: 'img-debian-12',
      tariffId: 'trf-monthly',
      configurationId: 'cfg-c2r4d40',
      publicIpMode: index === 0 ? 'new' : 'none',
    };
    const perform: Record<(typeof steps)[number], () => Promise<unknown>> = {
      createNetwork: () => ask('POST', `${base}/networks`, { name: `n${names}` }),
      deleteNetwork: () => ask('DELETE', `${base}/networks/${networkId}`),
      createPublicIp: () => ask('POST', `${base}/public-ips`),
      deletePublicIp: () => ask('DELETE', `${base}/public-ips/${publicIpId}`),
      createVm: () => ask('POST', `${base}/vms`, vm),
      deleteVm: () => ask('DELETE', `${base}/vms/${vmId}`),
      attachVm: () => ask('POST', `${base}/networks/${networkId}/vms`, { vmId }),
      detachVm: () => ask('DELETE', `${base}/networks/${networkId}/vms/${vmId}`),
      stopVm: () => ask('POST', `${base}/vms/${vmId}/stop`),
      createBackup: () => ask('POST', `${base}/vms/${vmId}/backups`),
      createPortForward: () =>
        ask('POST', forwards, { protocol: 'tcp', publicPort: index + 1, vmId, vmPort: 80 }),
      deletePortForward: async () => {
        const [forward] =
          publicIpId === 'none' ? [] : await list(`public-ips/${publicIpId}/port-forwards`);
        return ask('DELETE', `${forwards}/${forward?.id ?? 'none'}`);
      },
      wait: () => {
        now += 20_000 * (index + 1);
        return Promise.resolve();
      },
    };
    await perform[step]();
  }
  now += 3_600_000;
  const [vms, networks, publicIps] = [
    await list('vms'),
    await list('networks'),
    await list('public-ips'),
  ];
  expect(await ask('GET', '/limits')).toMatchObject({
    networks: { used: networks.length },
    publicIps: { used: publicIps.length },
    vmResources: { cpu: { used: vms.length * 2 } },
  });
  expect(await ask('GET', base)).toMatchObject({
    resourceCounts: { vms: vms.length, networks: networks.length, publicIps: publicIps.length },
  });
  const inStatus = (status: string) => vms.filter((vm) => vm.status === status).length;
  expect(await ask('GET', `${base}/vms/state-counts`)).toMatchObject({
    status: {
      creating: 0,
      updating: 0,
      deleting: 0,
      active: inStatus('active'),
      failed: inStatus('failed'),
    },
  });
  for (const { status } of [...vms, ...networks, ...publicIps])
    expect(['active', 'failed']).toContain(status);
  const vmIds = vms.map(({ id }) => id);
  for (const ip of publicIps) if (ip.vmId != null) expect(vmIds).toContain(ip.vmId);
  expect(await list('operations?status=Running')).toEqual([]);
  sandbox.close();
});
