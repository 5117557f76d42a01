import { describe, expect, it } from 'vitest';

import type { WireOperation } from '../../src/api/contract/types.ts';
import type { InjectedFaultEvent } from '../../src/sandbox/faults/fault-control.ts';
import { ConnectionDroppedError } from '../../src/sandbox/faults/meet-faults.ts';
import { parseFaultScript } from '../../src/sandbox/faults/parse-script.ts';
import { drawVariants } from '../support/budget/budget.ts';
import type { Bench, BenchOptions } from './bench.ts';
import { addNetwork, addProject, addVm, isSpelled, newest, openBench, vmRequest } from './bench.ts';

const openFaulty = (script: object, more: BenchOptions = {}): Promise<Bench> =>
  openBench({ ...more, faults: parseFaultScript(script) });

const rule = (when: object, then: unknown) => ({ rules: [{ name: 'it', when, then }] });

const newProject = (bench: Bench, name = 'shop') => bench.ask('createProject', { body: { name } });

const countProjects = async (bench: Bench): Promise<number> =>
  (await bench.list('listProjects')).length;

describe.each(drawVariants('faults on a request'))('%s: faults on a request', (variant) => {
  it.each([
    ['before', 0],
    ['after', 1],
  ])('a connection cut %s processing leaves %s projects', async (drop, left) => {
    const bench = await openFaulty(rule({ operation: 'createProject', nth: 1 }, { drop }), {
      variant,
    });
    const broken = newProject(bench);
    await expect(broken).rejects.toBeInstanceOf(TypeError);
    await expect(broken).rejects.toBeInstanceOf(ConnectionDroppedError);
    await expect(broken).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(await countProjects(bench)).toBe(left);
    if (left === 0) expect((await newProject(bench)).status).toBeLessThan(300);
  });

  it.each([
    [false, 0],
    [true, 1],
  ])('an answer of a proxy, processed: %s', async (processed, left) => {
    const answer = {
      status: 502,
      headers: { 'Content-Type': 'text/html', 'X-Proxy': 'edge' },
      body: '<html>Bad Gateway</html>',
      processed,
    };
    const bench = await openFaulty(rule({ method: 'POST', nth: 1 }, { answer }), { variant });
    const { status, headers, text } = await newProject(bench);
    expect([status, text]).toEqual([502, answer.body]);
    expect(headers.get('content-type')).toBe('text/html');
    expect(headers.get('x-proxy')).toBe('edge');
    expect(await countProjects(bench)).toBe(left);
  });
});

describe('faults on a request', () => {
  it('answers 429 with Retry-After and a JSON body', async () => {
    const answer = { status: 429, headers: { 'Retry-After': 2 }, body: { title: 'Slow down' } };
    const bench = await openFaulty(rule({ path: '/projects/**', times: 1 }, { answer }));
    const { status, headers, json } = await bench.ask('listProjects');
    expect([status, headers.get('retry-after')]).toEqual([429, '2']);
    expect(headers.get('content-type')).toBe('application/json');
    expect(json).toEqual(answer.body);
    expect((await bench.ask('listProjects')).status).toBe(200);
  });

  it('answers nothing but a status', async () => {
    const bench = await openFaulty(rule({}, { answer: { status: 204, body: 'lost' } }));
    const { status, text } = await bench.ask('listProjects');
    expect([status, text]).toEqual([204, '']);
  });

  it('delays on the clock that it is given', async () => {
    const slept: number[] = [];
    const bench = await openFaulty(rule({ nth: 1 }, { delay: '90s' }), {
      sleep: (ms) => {
        slept.push(ms);
        bench.pass(ms / 1000);
        return Promise.resolve();
      },
    });
    const began = bench.now();
    await bench.get('listProjects');
    expect(slept).toEqual([90_000]);
    expect(bench.now() - began).toBe(90_000);
  });

  // It asks by a path of the contract.
  it.skipIf(isSpelled).each([
    ['before', 0],
    ['after', 1],
  ])('hangs %s processing until the caller gives up', async (hang, left) => {
    const bench = await openFaulty(rule({ method: 'POST' }, { hang }));
    const giveUp = new AbortController();
    const hanging = bench.sandbox.fetch(
      new Request('http://sandbox/v1/projects', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${bench.sandbox.token}`,
          'content-type': 'application/json',
        },
        body: '{"name":"shop"}',
        signal: giveUp.signal,
      }),
    );
    const ended = hanging.then(
      () => 'answered',
      () => 'failed',
    );
    const soon = new Promise((resolve) => setTimeout(resolve, 20, 'hangs'));
    expect(await Promise.race([ended, soon])).toBe('hangs');
    expect(await countProjects(bench)).toBe(left);
    giveUp.abort();
    expect(await ended).toBe('failed');
  });

  it('lets nothing hang any longer when the sandbox is closed', async () => {
    let struck: () => void = () => undefined;
    const strikes = new Promise<void>((done) => (struck = done));
    const bench = await openFaulty(rule({}, 'hang'), { onFault: () => struck() });
    const hanging = bench.ask('listProjects');
    await strikes;
    bench.sandbox.close();
    await expect(hanging).rejects.toThrow('fetch failed');
  });
});

describe('faults on an operation', () => {
  it.each(['insufficientCapacity', 'timeout', 'internal'] as const)(
    'lets the one that a request starts fail with %s',
    async (fail) => {
      const bench = await openFaulty(rule({ operation: 'createNetwork', nth: 2 }, { fail }));
      await addProject(bench);
      await addNetwork(bench, 'one');
      await addNetwork(bench, 'two');
      await addNetwork(bench, 'three');
      const networks = await bench.list<{ name: string; status: string }>('listNetworks');
      expect(networks.map(({ status }) => status)).toEqual(['active', 'failed', 'active']);
      const records = await bench.list<WireOperation>('listOperations');
      expect(records.map(({ failureCode }) => failureCode)).toEqual([null, fail, null]);
    },
  );

  it('lets it take longer by a factor', async () => {
    const lengthOf = async (bench: Bench): Promise<number> => {
      await addProject(bench);
      await addVm(bench);
      bench.pass(3600);
      const [record] = await bench.list<WireOperation>('listOperations');
      return Date.parse(record?.completedAt ?? '') - Date.parse(record?.createdAt ?? '');
    };
    const usual = await lengthOf(await openBench());
    const slow = await lengthOf(await openFaulty(rule({ operation: 'createVm' }, { slow: 10 })));
    expect(slow / usual).toBeCloseTo(10, 2);
  });

  it('lets the cluster run out of a configuration, for a while', async () => {
    const capacity = { configuration: 'c2-r4-d40', left: 0 };
    const bench = await openFaulty(rule({ after: '1m', until: '2m' }, { capacity }));
    await addProject(bench);
    await bench.get('createVm', { body: vmRequest('a') });
    bench.pass(60);
    const params = { configurationId: 'cfg-c2r4d40' };
    expect(await bench.get('getConfiguration', { params })).toMatchObject({
      availability: 'unavailable',
      maxCount: 0,
    });
    const refused = await bench.refusal(409, 'createVm', { body: vmRequest('b') });
    expect(refused.code).toBe('insufficientCapacity');
    bench.pass(60);
    await bench.get('createVm', { body: vmRequest('b') });
  });
});

describe('a person in the console', () => {
  it('edits after a request, by names', async () => {
    const edits = [
      {
        afterRequest: 6,
        do: 'renameVm',
        on: { project: 'shop', vm: 'web' },
        body: { name: 'www' },
      },
      { afterRequest: 6, do: 'stopVm', on: { project: 'shop', vm: 'www' } },
    ];
    const bench = await openFaulty({ edits });
    await addProject(bench);
    await addVm(bench);
    bench.pass(60);
    await bench.get('getAccount');
    expect(await bench.get('getVm')).toMatchObject({ name: 'web' });
    expect(await bench.get('getVm')).toMatchObject({ name: 'www', bootStatus: 'Stopping' });
  });

  it('edits at its time, whoever asks when', async () => {
    const edits = [
      { at: '5m', do: 'stopVm', on: { project: 'shop', vm: 'web' } },
      { at: '10m', do: 'deleteVm', on: { project: 'shop', vm: 'web' } },
    ];
    const bench = await openFaulty({ edits });
    const began = bench.now();
    await addProject(bench);
    await addVm(bench);
    bench.pass(3600);
    const records = await bench.list<WireOperation>('listOperations');
    expect(
      records.map(({ type, createdAt }) => [type, (Date.parse(createdAt) - began) / 60_000]),
    ).toEqual([
      ['Delete', 10],
      ['Stop', 5],
      ['Provision', 0],
    ]);
    expect(await bench.list('listVms')).toEqual([]);
  });

  it('attaches, with ids in the body', async () => {
    const on = { project: 'shop', network: 'backend', vm: 'web' };
    const edits = [{ at: '2m', do: 'attachVm', on, body: { vmId: '{vmId}' } }];
    const bench = await openFaulty({ edits });
    await addProject(bench);
    await addVm(bench);
    await addNetwork(bench);
    bench.pass(120);
    const { networkId } = bench.params;
    expect(await bench.get('getVm')).toMatchObject({ networks: [{ networkId }] });
  });

  it('is refused like everybody, and may try again', async () => {
    const events: InjectedFaultEvent[] = [];
    const stop = { do: 'stopVm', on: { project: 'shop', vm: 'web' } };
    const edits = [
      { name: 'once', at: '1s', ...stop },
      { name: 'patient', at: '1s', keepsTrying: true, ...stop },
    ];
    const bench = await openFaulty({ edits }, { onFault: (event) => events.push(event) });
    await addProject(bench);
    bench.pass(2);
    await bench.get('createVm', { body: vmRequest('web') });
    expect(events).toMatchObject([{ kind: 'edit', edit: 'once', status: 404 }]);
    bench.params.vmId = (await newest(bench, 'listVms')).id;
    bench.pass(60);
    expect(await bench.get('getVm')).toMatchObject({ bootStatus: 'Stopping' });
    expect(events[1]).toMatchObject({ edit: 'patient', status: 202 });
  });

  it.each([
    ['deletePortForward', { publicIp: 'web', portForward: 'tcp/443' }],
    ['deleteBackup', { vm: 'web', backup: 'newest' }],
    ['deleteSshKey', { sshKey: 'alice' }],
  ])('reaches everything: %s', async (name, on) => {
    const { furnish } = await import('./bench.ts');
    const events: InjectedFaultEvent[] = [];
    const edits = [{ at: '1h', do: name, on: { project: 'shop', ...on } }];
    const bench = await openFaulty({ edits }, { onFault: (event) => events.push(event) });
    await furnish(bench);
    if (name === 'deletePortForward') {
      const body = vmRequest('other', { publicIpMode: 'new' });
      await bench.get('createVm', { body });
      bench.pass(60);
      const { id: vmId } = await newest(bench, 'listVms');
      const { id: publicIpId } = await newest(bench, 'listPublicIps');
      await bench.get('createPortForward', {
        params: { publicIpId },
        body: { protocol: 'tcp', publicPort: 443, vmId, vmPort: 1 },
      });
      await bench.get('renameVm', { params: { vmId: bench.params.vmId! }, body: { name: 'old' } });
      bench.pass(60);
      await bench.get('renameVm', { params: { vmId }, body: { name: 'web' } });
    }
    bench.pass(3600);
    await bench.get('getAccount');
    expect(events).toMatchObject([{ kind: 'edit', status: name === 'deleteSshKey' ? 204 : 202 }]);
  });
});

describe('a script', () => {
  it('repeats itself with the same seed', async () => {
    const course = async (seed: number): Promise<string[]> => {
      const script = { seed, ...rule({ probability: 0.3 }, { answer: { status: 503 } }) };
      const bench = await openFaulty(script);
      const statuses: string[] = [];
      for (let count = 0; count < 60; count += 1) {
        statuses.push(String((await bench.ask('getLimits')).status));
      }
      return statuses;
    };
    expect(await course(4)).toEqual(await course(4));
    expect(await course(4)).not.toEqual(await course(5));
  });

  it('can be replaced while the sandbox runs', async () => {
    const bench = await openFaulty(rule({}, { answer: { status: 503 } }));
    expect((await bench.ask('getLimits')).status).toBe(503);
    bench.sandbox.faults.restart(parseFaultScript(rule({ nth: 2 }, 'drop')));
    expect((await bench.ask('getLimits')).status).toBe(200);
    await expect(bench.ask('getLimits')).rejects.toThrow('fetch failed');
    expect(bench.sandbox.faults.tallies).toMatchObject([{ seen: 2, struck: 1 }]);
  });
});

it('the time of the service is in every answer, by its own clock; a script tells another', async () => {
  const headers = { Date: 'Sat, 21 Nov 2026 00:00:00 GMT' };
  const answer = { status: 502, headers, body: '' };
  const bench = await openFaulty(rule({ path: '/limits' }, { answer }));
  bench.pass(90.5);
  const noted = new Date(bench.now()).toUTCString();
  expect((await newProject(bench)).headers.get('date')).toBe(noted);
  expect((await bench.request('GET', '/v1/nothing')).headers.get('date')).toBe(noted);
  expect((await bench.ask('getLimits')).headers.get('date')).toBe(headers.Date);
});
