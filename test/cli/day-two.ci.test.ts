import { afterEach, describe, expect, test } from 'vitest';
import { acquireLock } from '../../src/state/lock/lock.ts';
import { openStateStore } from '../../src/state/store.ts';
import type { DecideOperationFailure } from '../../src/sandbox/store/world.ts';
import { DayTwoWorld, type RunOptions, web0, web1 } from '../support/day-two.ts';
import { listBackups } from '../../src/api/backups.ts';
import { openLocalBackend } from '../../src/state/backends/local.ts';
import { expectFailure, expectWords } from '../support/expect-words.ts';
import { drawVariants } from '../support/budget/budget.ts';

let world: DayTwoWorld;
afterEach(() => world.close());

const failing =
  (
    type: string,
    failureCode: 'internal' | 'timeout' | 'insufficientCapacity',
  ): DecideOperationFailure =>
  (operation) =>
    operation.type === type ? failureCode : null;

const backupsOf = () =>
  listBackups(world.client, { projectId: world.projectId, vmId: world.vmIds[0]! });

/** Fills the VM up to so many backups. */
async function stock(count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    await world.backUp();
    await world.pass(80);
  }
}

describe.each(drawVariants('day two'))('on a %s service', (variant) => {
  test('power is switched, and what is so already is left alone', async () => {
    world = await DayTwoWorld.open({ variant });
    const stopped = await world.run(['vm', 'stop', web0]);
    expect(stopped).toMatchObject({ code: 0, writes: [expect.stringMatching(/\/stop$/)] });
    expect(stopped.stdout).toMatch(/^projects\.shop\.vms\.web\[0\]: stopped after \d+s\n$/);
    expectWords(stopped.stderr, 'web[0]: Stopping...', '[power-configured]');
    // Nothing is drawn over again where no terminal is, and no trace of a sequence is left.
    expect(stopped.stderr).not.toContain('\u001b');
    expect(stopped.stderr).not.toContain(String.raw`\u001b`);
    expect((await world.vm()).bootStatus).toBe('Stopped');

    const again = await world.run(['vm', 'stop', web0, '--json']);
    expect(again).toMatchObject({ code: 0, writes: [] });
    expect(again.json).toMatchObject({ outcome: 'unchanged', operation: null });

    const rebooted = await world.run(['vm', 'reboot', web0]);
    expect(rebooted).toMatchObject({ code: 1, stdout: '', writes: [] });
    expect(rebooted.stderr).toContain(`Start it: hostwright vm start '${web0}'`);

    const started = await world.run(['vm', 'start', web0, '--json']);
    expect(started.json).toMatchObject({
      format_version: '1.0',
      command: 'vm start',
      address: web0,
      outcome: 'done',
    });
    expect((await world.vm()).bootStatus).toBe('Running');
  });

  test('a reboot is over when its record says so', async () => {
    world = await DayTwoWorld.open({ variant });
    const rebooted = await world.run(['vm', 'reboot', web1, '--json']);
    expect(rebooted.code).toBe(0);
    expect(rebooted.json).toMatchObject({
      outcome: 'done',
      operation: { type: 'Reboot', status: 'Succeeded', failureCode: null },
    });
    expect(await world.vm(1)).toMatchObject({ status: 'active', bootStatus: 'Running' });
  });

  test.each([
    ['reboot', 'Reboot', 'timeout', 'took too long'],
    ['stop', 'Stop', 'internal', 'had an internal error'],
    ['start', 'Start', 'insufficientCapacity', 'no room'],
  ] as const)('a %s that fails is explained', async (verb, type, failureCode, words) => {
    world = await DayTwoWorld.open({ variant, planFailure: failing(type, failureCode) });
    if (verb === 'start') await world.run(['vm', 'stop', web0]);
    const failed = await world.run(['vm', verb, web0, '--json']);
    expect(failed.code).toBe(1);
    expect(failed.json).toMatchObject({
      outcome: 'failed',
      operation: { type, status: 'Failed', failureCode },
      diagnostics: [{ code: 'operation-failed', address: web0 }],
    });
    expect(failed.stderr).toContain(words);
    expect(failed.stderr).toContain(failureCode);
  });

  test('a backup shows up in the list, and one that failed never does', async () => {
    let failure: 'internal' | null = null;
    world = await DayTwoWorld.open({ variant, planFailure: () => failure });
    const made = await world.run(['vm', 'backup', web0, '--json']);
    expect(made.code).toBe(0);
    const [entry] = await backupsOf();
    expect(made.json).toMatchObject({ outcome: 'done', backup: { id: entry?.id } });

    failure = 'internal';
    const failed = await world.run(['vm', 'backup', web0]);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('No backup was made.');
    expect(await backupsOf()).toHaveLength(1);

    const list = await world.run(['vm', 'backups', web0]);
    expect(list.stdout).toContain(entry?.id);
    expect(list.stdout).toContain('1 of at most 7.');
    expect(await world.run(['vm', 'backups', web1])).toMatchObject({
      stdout: `${web1} has no backups.\n`,
    });
  });

  test('a backup that deletes the oldest is asked for', async () => {
    world = await DayTwoWorld.open({ variant });
    await stock(7);
    const [oldest] = (await backupsOf()).sort((a, b) => a.createdAt! - b.createdAt!);
    const unasked = await world.run(['vm', 'backup', web0]);
    expect(unasked).toMatchObject({ code: 1, writes: [], stdout: '' });
    expect(unasked.stderr).toContain(oldest!.id);
    expect(unasked.stderr).toContain('--auto-approve');
    expect(await world.run(['vm', 'backup', web0, '--json'], { answers: ['no'] })).toMatchObject({
      code: 1,
      writes: [],
      json: { outcome: 'declined' },
    });
    expect((await world.run(['vm', 'backup', web0], { answers: ['yes'] })).code).toBe(0);
    const left = await backupsOf();
    expect(left).toHaveLength(7);
    expect(left.map(({ id }) => id)).not.toContain(oldest!.id);

    const approved = await world.run(['vm', 'backup', web0, '--auto-approve']);
    expect(approved.code).toBe(0);
    expect(approved.stderr).toContain('[backup-displaced]');
  });

  test('a backup that was sat out counts: what it displaces is asked for anew', async () => {
    world = await DayTwoWorld.open({ variant });
    await stock(6);
    await world.backUp();
    const declined = await world.run(['vm', 'backup', web0], { answers: ['no'] });
    expectFailure(declined, 'lose its oldest backup?');
    expect(declined.stderr.indexOf('Waiting for a lock')).toBeGreaterThanOrEqual(0);
    expect(declined.stderr.indexOf('Waiting for a lock')).toBeLessThan(
      declined.stderr.indexOf('lose its oldest'),
    );
    expect(await backupsOf()).toHaveLength(7);
  });

  test('a restore asks, and overwrites', async () => {
    world = await DayTwoWorld.open({ variant });
    await stock(2);
    const [latest, older] = (await backupsOf()).sort((a, b) => b.createdAt! - a.createdAt!);
    const declined = await world.run(['vm', 'restore', web0, '--latest'], { answers: ['y'] });
    expect(declined).toMatchObject({ code: 1, writes: [] });
    expect(declined.stderr).toContain(latest!.id);
    expect(declined.stderr).toContain('Restore cancelled.');

    const restored = await world.run(['vm', 'restore', web0, older!.id, '--json'], {
      answers: ['yes'],
    });
    expect(restored.code).toBe(0);
    expect(restored.json).toMatchObject({
      outcome: 'done',
      backup: { id: older!.id },
      operation: { type: 'RestoreBackup' },
    });
    const newest = await world.run(['vm', 'restore', web0, '--latest', '--auto-approve']);
    expect(newest.stdout).toContain(latest!.id);

    const wrong = `${older!.id.slice(0, -1)}~`;
    const missing = await world.run(['vm', 'restore', web0, wrong, '--auto-approve']);
    expect(missing).toMatchObject({ code: 1, writes: [] });
    expect(missing.stderr).toMatch(/Did you mean bak-/);
    expect((await world.run(['vm', 'restore', web1, '--latest'])).stderr).toContain(
      'The VM has no backup to restore',
    );
  });

  test('a restore of a protected VM is refused, and done when data loss is allowed', async () => {
    world = await DayTwoWorld.open({ variant });
    await stock(1);
    const store = await openStateStore(openLocalBackend(world.directory));
    const resource = store.state.resources.get(web0)!;
    await store.record({ kind: 'settled', resource: { ...resource, isProtected: true } });
    await store.close();
    const line = ['vm', 'restore', web0, '--latest', '--auto-approve'];
    const refused = await world.run(line);
    expect(refused).toMatchObject({ code: 1, writes: [] });
    expectWords(refused.stderr, `${web0} is protected`, 'add --allow-data-loss');
    const allowed = await world.run([...line, '--allow-data-loss']);
    expect(allowed.code).toBe(0);
    expect(allowed.writes).toHaveLength(1);
  });

  test("another's operation is sat out, and said so", async () => {
    world = await DayTwoWorld.open({ variant });
    await world.backUp();
    const stopped = await world.run(['vm', 'stop', web0]);
    expect(stopped.code).toBe(0);
    expect(stopped.stderr).toMatch(/Waiting for a lock: CreateBackup \w+\.\.\./);
    expect(stopped.stderr).toMatch(/Still waiting for a lock\.\.\. \[\d+s elapsed\] CreateBackup/);
    expect(await backupsOf()).toHaveLength(1);
  });

  test('operations are shown by address, newest first', async () => {
    world = await DayTwoWorld.open({ variant, planFailure: failing('Reboot', 'timeout') });
    await world.run(['vm', 'stop', web0]);
    await world.run(['vm', 'reboot', web1]);
    const all = await world.run(['operations', '--json']);
    expect(all.code).toBe(0);
    const { operations } = all.json as { operations: { type: string; address: string }[] };
    expect(operations.slice(0, 2)).toMatchObject([
      { type: 'Reboot', address: web1, failureCode: 'timeout' },
      { type: 'Stop', address: web0, failureCode: null },
    ]);
    const failed = await world.run(['operations', '--status', 'failed']);
    expect(failed.stdout).toContain('Reboot');
    expect(failed.stdout).not.toContain('Stop');
    expect(failed.stdout).toContain('timeout');
    const one = await world.run(['operations', '--resource', web0, '--limit', '1']);
    expect(one.stdout.trim().split('\n')).toHaveLength(2);
    expect(one.stdout).toContain('Stop');
    const project = await world.run(['operations', '--project', 'projects.shop', '--limit', '50']);
    expect(project.stdout).toContain(web0);
  });

  test('metrics, notifications, the account and its sales are read and set', async () => {
    world = await DayTwoWorld.open({ variant });
    expect((await world.run(['vm', 'metrics', web0])).stdout).toContain('cpu');
    const metrics = (await world.run(['vm', 'metrics', web0, '--json'])).json as object;
    expect(metrics).toMatchObject({ isSampleData: true, series: expect.any(Array) as never });

    const feed = await world.run(['notifications', 'list', '--limit', '1', '--json']);
    const { notifications, unread } = feed.json as {
      notifications: { id: string }[];
      unread: number;
    };
    expect(notifications).toHaveLength(1);
    const read = await world.run(['notifications', 'read', notifications[0]!.id, '--json']);
    expect(read.json).toMatchObject({ unread: unread - 1 });
    expect((await world.run(['notifications', 'read', 'nope'])).stderr).toContain(
      'no notification',
    );
    expect((await world.run(['notifications', 'read', '--all'])).stdout).toContain('0 unread');
    expect((await world.run(['notifications', 'read'])).code).toBe(1);

    const set = [
      'notifications',
      'preferences',
      '--set',
      'operationSucceeded=true',
      'quotaLow=off',
    ];
    expect((await world.run([...set, '--json'])).json).toMatchObject({
      preferences: { operationSucceeded: true, operationFailed: true, quotaLow: false },
    });
    const slip = await world.run(['notifications', 'preferences', '--set', 'quotaLo=on']);
    expect(slip).toMatchObject({ code: 1, writes: [] });
    expect(slip.stderr).toContain('Did you mean quotaLow?');

    expect((await world.run(['account', 'locale', 'de-ch'])).stdout).toBe('de-CH\n');
    expect((await world.run(['account', '--json'])).json).toMatchObject({ locale: 'de-CH' });
    const odd = await world.run(['account', 'locale', 'x y']);
    expectFailure(odd, 'Correct the value on the command line.');

    expect((await world.run(['sales', 'list'])).stdout).toContain(web0);
    expect(await world.run(['sales', 'cancel', web0])).toMatchObject({ code: 1, writes: [] });
    const cancelled = await world.run(['sales', 'cancel', web0, '--json'], { answers: ['yes'] });
    const { sale } = cancelled.json as { sale: { id: string } };
    expect(cancelled.json).toMatchObject({ outcome: 'done', sale: { renewal: 'cancelled' } });
    expect((await world.run(['sales', 'cancel', web0])).stdout).toContain('as it was already');
    expect((await world.run(['sales', 'resume', sale.id])).stdout).toContain('renews');
  });

  test('tokens are made, renamed and revoked', async () => {
    world = await DayTwoWorld.open({ variant });
    const made = await world.run([
      'tokens',
      'create',
      'ci',
      '--scopes',
      'read',
      '--expires',
      '90d',
    ]);
    expect(made.code).toBe(0);
    expect(made.stdout).toMatch(/^hw_\w+\n$/);
    expect(made.stderr).not.toContain(made.stdout.trim());
    const renamed = await world.run(['tokens', 'rename', 'ci', 'deploy', '--json']);
    expect(renamed.json).toMatchObject({ token: { name: 'deploy', scopes: ['read'] } });
    const unasked = await world.run(['tokens', 'revoke', 'deploy']);
    expect(unasked).toMatchObject({ code: 1, writes: [] });
    expect(unasked.stderr).toContain('does not seem to be the token in use');
    expect((await world.run(['tokens', 'revoke', 'deploy'], { answers: ['yes'] })).code).toBe(0);
    const own = await world.run(['tokens', 'revoke', 'first']);
    expect(own.stderr).toContain('It is the token in use');
    expect((await world.run(['tokens', 'list'])).stdout).not.toContain('deploy');
    const missing = await world.run(['tokens', 'revoke', 'frist', '--json']);
    expect(missing.json).toMatchObject({ outcome: 'failed', diagnostics: [{ code: 'not-found' }] });
    expect(missing.stderr).toContain('Did you mean first?');
  });
});

test('nothing is sent while somebody else holds the state, and reading goes on', async () => {
  world = await DayTwoWorld.open();
  const holder = await acquireLock(
    openLocalBackend(world.directory).lock,
    {
      operation: 'apply',
      version: '0',
      process: { pid: process.pid, host: 'elsewhere', user: 'you' },
    },
    { clock: { now: () => Date.now(), sleep: () => Promise.resolve() } },
  );
  try {
    const stopped = await world.run(['vm', 'stop', web0]);
    expect(stopped).toMatchObject({ code: 1, writes: [] });
    expect(stopped.stderr).toContain('[state-locked]');
    expect((await world.run(['vm', 'backups', web0])).code).toBe(0);
    expect((await world.run(['operations'])).code).toBe(0);
  } finally {
    await holder.release();
  }
});

test('--no-wait returns once it is accepted', async () => {
  world = await DayTwoWorld.open();
  const accepted = await world.run(['vm', 'backup', web0, '--no-wait', '--json']);
  expect(accepted).toMatchObject({ code: 0, stderr: '' });
  expect(accepted.json).toMatchObject({ outcome: 'accepted', backup: null });
  expect(await backupsOf()).toHaveLength(0);
  await world.pass(80);
  expect(await backupsOf()).toHaveLength(1);
});

test('a request whose answer was lost is looked for, and never sent again', async () => {
  world = await DayTwoWorld.open();
  const carriedOut = await world.run(['vm', 'reboot', web0, '--json'], {
    meddle: async (request, pass) => {
      const answer = await pass();
      if (request.method === 'POST') throw new TypeError('fetch failed', { cause: reset() });
      return answer;
    },
  });
  expect(carriedOut.writes).toHaveLength(1);
  expect(carriedOut).toMatchObject({ code: 0, json: { outcome: 'done' } });

  const lost = await world.run(['vm', 'reboot', web0, '--json'], {
    meddle: (request, pass) =>
      request.method === 'POST'
        ? Promise.reject(new TypeError('fetch failed', { cause: reset() }))
        : pass(),
  });
  expect(lost.writes).toHaveLength(1);
  expect(lost).toMatchObject({ code: 1, json: { outcome: 'unknown' } });
  expect(lost.stderr).toContain('It was not sent again.');
});

describe('a stop that is lost before the service', () => {
  /** Loses the first so many stops, and lets somebody else work on the VM at the first. */
  const losing = (times: number) => {
    let lost = 0;
    return async (request: Request, pass: () => Promise<Response>) => {
      if (request.method !== 'POST' || lost >= times) return pass();
      lost += 1;
      if (lost === 1) await world.backUp();
      throw new TypeError('fetch failed', { cause: reset() });
    };
  };

  test("is sent again once somebody else's operation is over", async () => {
    world = await DayTwoWorld.open();
    const stopped = await world.run(['vm', 'stop', web0, '--json'], { meddle: losing(1) });
    expect(stopped.writes).toHaveLength(2);
    expect(stopped).toMatchObject({ code: 0, json: { outcome: 'done' } });
    expect((await world.vm()).bootStatus).toBe('Stopped');
  });

  test('again and again is unknown, and not said to be accepted', async () => {
    world = await DayTwoWorld.open();
    const lost = await world.run(['vm', 'stop', web0, '--json'], { meddle: losing(9) });
    expect(lost.writes).toHaveLength(3);
    expect(lost).toMatchObject({ code: 1, json: { outcome: 'unknown' } });
    expect(lost.stderr).not.toContain('accepted');
    expect(lost.stderr).toContain('It was sent 3 times.');
  });
});

test('a reboot that is lost is not taken for what somebody else does', async () => {
  world = await DayTwoWorld.open();
  const lost = await world.run(['vm', 'reboot', web0, '--json'], {
    meddle: async (request, pass) => {
      if (request.method !== 'POST') return pass();
      await world.backUp();
      throw new TypeError('fetch failed', { cause: reset() });
    },
  });
  expect(lost.writes).toHaveLength(1);
  expect(lost).toMatchObject({ code: 1, json: { outcome: 'unknown' } });
  expect(lost.stderr).toContain('It was not sent again.');
});

const answerNothing = () =>
  Response.json({ items: [], page: 1, pageSize: 100, totalCount: 0 }, { status: 200 });

test.each([
  ['that is deleted while it stops is said so', { isListed: false, code: 1 }],
  ['whose single reads say so alone is not said to be deleted', { isListed: true, code: 0 }],
])('a VM %s', async (_, { isListed, code }) => {
  world = await DayTwoWorld.open();
  let isSent = false;
  const stopped = await world.run(['vm', 'stop', web0], {
    meddle: async (request, pass) => {
      const { pathname } = new URL(request.url);
      if (request.method === 'POST') isSent = true;
      else if (isSent && /\/vms\/[^/]+$/.test(pathname)) {
        return Response.json({ title: 'Not found', status: 404 }, { status: 404 });
      } else if (isSent && !isListed && pathname.endsWith('/vms')) return answerNothing();
      return pass();
    },
  });
  expect(stopped.code).toBe(code);
  expect(stopped.stderr.includes('[vm-not-found]')).toBe(!isListed);
});

const reset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

test('a reboot without a record is unknown; a backup without one is known by its entry', async () => {
  world = await DayTwoWorld.open();
  const meddle = async (request: Request, pass: () => Promise<Response>) =>
    new URL(request.url).pathname.endsWith('/operations') ? answerNothing() : pass();
  const rebooted = await world.run(['vm', 'reboot', web0, '--json'], { meddle });
  expect(rebooted).toMatchObject({ code: 1, json: { outcome: 'unknown' } });
  expect(rebooted.stderr).toContain('[operation-unrecorded]');
  const backedUp = await world.run(['vm', 'backup', web0, '--json'], { meddle });
  expect(backedUp).toMatchObject({ code: 0, json: { outcome: 'done', operation: null } });
  expect(backedUp.stderr).not.toContain('Error');
});

test('a wait has an end', async () => {
  world = await DayTwoWorld.open();
  // The clock jumps with whatever waits on it, so what the first one begins may be over at once: it is shown for ever.
  const shown = new Map<string, string>();
  const keep: RunOptions['meddle'] = async (request, pass) => {
    const response = await pass();
    const text = await response.clone().text();
    if (request.method === 'GET' && text.includes('"InProgress"')) shown.set(request.url, text);
    return response;
  };
  const freeze: RunOptions['meddle'] = (request, pass) => {
    const text = shown.get(request.url);
    return text === undefined ? pass() : Promise.resolve(Response.json(JSON.parse(text)));
  };
  const late = await world.run(['vm', 'backup', web0, '--timeout', '5s'], { meddle: keep });
  expectFailure(late, 'did not end within');
  const stop = ['vm', 'stop', web0, '--timeout', '5s', '--json'];
  const locked = await world.run(stop, { meddle: freeze });
  expect(locked).toMatchObject({ code: 1, writes: [], json: { outcome: 'failed' } });
  expect(locked.stderr).toContain('[vm-locked]');
});

test('an interrupt ends the wait and not the operation', async () => {
  world = await DayTwoWorld.open();
  const left = await world.run(['vm', 'backup', web0], { interruptAt: /Still backing up/ });
  expect(left.code).toBe(130);
  expect(left.stderr).toContain('[interrupted]');
  await world.pass(80);
  expect(await backupsOf()).toHaveLength(1);

  await world.backUp();
  const unsent = await world.run(['vm', 'stop', web0], { interruptAt: /Still waiting/ });
  expect(unsent).toMatchObject({ code: 130, writes: [], stdout: '' });
});

test('a VM that the service does not have is said so', async () => {
  world = await DayTwoWorld.open();
  await world.client.send({ kind: 'deleteVm', project: world.projectId, vm: world.vmIds[0]! });
  await world.pass(30);
  const gone = await world.run(['vm', 'stop', web0]);
  expect(gone).toMatchObject({ code: 1, writes: [] });
  expectWords(gone.stderr, '[vm-not-found]', 'hostwright plan');
});

test.each([
  ['web', '[not-in-state]', 'Did you mean projects.shop.vms.web[0], projects.shop.vms.web[1]'],
  ['projects.shop.vms.web', '[not-in-state]', 'Did you mean projects.shop.vms.web[0]'],
  ['projects.shop.vms.wbe[1]', '[not-in-state]', 'Did you mean projects.shop.vms.web[1]'],
  ['projects.shop', '[wrong-kind]', 'is a project, not a VM'],
  ['projects.shop.networks.planned', '[not-applied]', 'hostwright apply'],
  ['projects.other.vms.a', '[not-in-state]', 'hostwright state list'],
])('the address %s is refused as %s', async (address, code, words) => {
  world = await DayTwoWorld.open();
  const refused = await world.run(['vm', 'stop', address]);
  expect(refused).toMatchObject({ code: 1, stdout: '', writes: [] });
  expect(refused.stderr).toContain(code);
  expect(refused.stderr.replaceAll(/\n│ /g, ' ')).toContain(words);
});

test('on a terminal a line is drawn over, and left clean', async () => {
  world = await DayTwoWorld.open();
  const stopped = await world.run(['vm', 'stop', web0], { isTTY: true, env: { NO_COLOR: '1' } });
  expect(stopped.stderr).toMatch(/ {2}projects\.shop\.vms\.web\[0\]: Still stopping\.\.\. \[0s/);
  const drawn = stopped.stderr.match(/Still stopping/g)!;
  expect(stopped.stderr.split('\u001b[1A\r\u001b[J')).toHaveLength(drawn.length + 1);
});

test('a VM in a status that nobody knows takes orders while no operation on it is open', async () => {
  world = await DayTwoWorld.open();
  const meddle: RunOptions['meddle'] = async (request, pass) => {
    const answer = await pass();
    const isRead = request.method === 'GET' && answer.ok && request.url.includes('/vms');
    if (!isRead) return answer;
    const text = await answer.text();
    return new Response(text.replaceAll(/"status":"(active|updating)"/g, '"status":"up"'), answer);
  };
  const begunAt = world.clock.now();
  for (const verb of ['stop', 'start', 'reboot']) {
    expect(await world.run(['vm', verb, web0], { meddle })).toMatchObject({ code: 0 });
  }
  expect(world.clock.now() - begunAt).toBeLessThan(10 * 60_000);
  expect((await world.vm()).bootStatus).toBe('Running');
});
