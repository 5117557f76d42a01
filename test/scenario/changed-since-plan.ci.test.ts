import { whole } from '../support/whole.ts';
import { describe, expect, test } from 'vitest';
import { listBackups } from '../../src/api/backups.ts';
import type { ResolvedCommand } from '../../src/model/account/command.ts';
import type { LiveResource } from '../../src/model/account/live.ts';
import { makeDesired } from '../support/desired.ts';
import { configure, describeFailures, World, type RunOptions } from './world.ts';
import { expectApplied, expectBuilt, expectSettled } from './expect-built.ts';

const shop = (web: string) =>
  configure(
    `projects: { demo: { networks: { lan: { name: lan } }, vms: { ${web} db: { image: debian-12, configuration: c1-r1-d20, tariff: monthly } } } }`,
  );
const web = (image = 'debian-12', size = 'c1-r1-d20') =>
  `web: { image: ${image}, configuration: ${size}, tariff: monthly }, `;

/** What a person does in the console between the plan and the step that destroys. */
function meanwhile(
  world: World,
  command: (vm: LiveResource) => ResolvedCommand,
): Pick<RunOptions, 'meddle'> {
  let isDone = false;
  return {
    meddle: async (request, pass) => {
      const isLook =
        request.method === 'GET' && /\/vms\/[^/]+$/.test(new URL(request.url).pathname);
      if (isLook && !isDone) {
        isDone = true;
        const console_ = world.connect();
        const account = [...world.store.state.resources.values()];
        const vm = account.find(({ address }) => address === 'projects.demo.vms.web');
        const live = await console_.get('vm', { projectId: vm?.projectId ?? '' }, vm?.id ?? '');
        if (live) await console_.send(command(live));
      }
      return pass();
    },
  };
}

const rename = ({ id: vm, projectId: project }: LiveResource): ResolvedCommand => ({
  kind: 'renameVm',
  project,
  vm,
  name: 'keep-me',
});
const remove = ({ id: vm, projectId: project }: LiveResource): ResolvedCommand => ({
  kind: 'deleteVm',
  project,
  vm,
});

describe('what was changed since it was planned', () => {
  test.each([
    ['deleted', ''],
    ['replaced', web('debian-12', 'c2-r4-d40')],
    ['rebuilt', web('ubuntu-24.04')],
  ])('is not %s', async (_what, after) => {
    const world = await World.open();
    await world.apply(await shop(web()));
    const before = await world.readAccount();
    const end = await world.apply(await shop(after), meanwhile(world, rename));
    expect(describeFailures(end).join()).toContain('changed-since-plan');
    expect(describeFailures(end).join()).toContain('name is \\"keep-me\\", was \\"web\\"');
    expect(await world.readAccount()).toEqual(
      before.map((one) =>
        one.kind === 'vm' && one.name === 'web' ? { ...one, name: 'keep-me' } : one,
      ),
    );
    // The next plan shows what was done, and then it is done.
    const desired = await shop(after);
    await expectBuilt(world, desired);
  });

  test.each([
    ['replaced', web('debian-12', 'c2-r4-d40')],
    ['rebuilt', web('ubuntu-24.04')],
  ])('is told without a sensitive name: %s', async (_what, after) => {
    const named = (vm: string) =>
      configure(
        `variables: { s: { default: hush-hush, sensitive: true } }\nprojects: { demo: { vms: { ${vm.replace('image', 'name: "${var.s}", image')} } } }`,
      );
    const world = await World.open();
    await world.apply(await named(web()));
    const end = await world.apply(await named(after), meanwhile(world, rename));
    const failures = describeFailures(end).join();
    expect(failures).toContain('name is another');
    expect(failures).not.toMatch(/hush-hush|keep-me/);
  });

  test('is fine when it is gone, as it was to be', async () => {
    const world = await World.open();
    await world.apply(await shop(web()));
    const desired = await shop('');
    await expectApplied(world, desired, meanwhile(world, remove));
    await expectSettled(world, desired);
  });

  test('is fine when the service does not know it any more', async () => {
    const world = await World.open();
    const alice = { name: 'alice', publicKey: 'ssh-ed25519 A' };
    await world.apply(makeDesired({ demo: { sshKeys: { alice } } }));
    const statuses: number[] = [];
    const end = await world.apply(makeDesired({ demo: {} }), {
      // Somebody else is faster by a moment.
      meddle: async (request, pass) => {
        if (request.method === 'DELETE') await pass();
        const answer = await pass();
        if (request.method === 'DELETE') statuses.push(answer.status);
        return answer;
      },
    });
    expect(statuses).toEqual([404]);
    expect(describeFailures(end)).toEqual([]);
  });

  test('is looked for with few requests where many go at once', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `n${at}: `);
    const networks = (list: readonly string[]) =>
      configure(`projects: { demo: { networks: { ${list.join(', ')} } } }`);
    const world = await World.open({ quotas: { networks: 100 } });
    await world.apply(await networks(names));
    let looks = 0;
    await expectApplied(world, await networks([]), {
      meddle: (request, pass) => {
        if (request.method === 'GET' && /\/networks\/[^/]+$/.test(request.url)) looks += 1;
        return pass();
      },
    });
    expect(looks).toBeLessThan(names.length * 0.75);
  });
});

describe('a name that is taken while the apply runs', () => {
  const networks = (...names: string[]) =>
    configure(
      `projects: { demo: { networks: { ${names.map((name, at) => `n${at}: { name: ${name} }`).join(', ')} } } }`,
    );
  const isWrite = ({ method, url }: Request) => method !== 'GET' && url.includes('/networks');
  /** Somebody else takes it right before the first request about a network. */
  const takenBy = (world: World, make: (project: string) => ResolvedCommand): RunOptions => {
    const asked: number[] = [];
    return {
      meddle: async (request, pass) => {
        if (!isWrite(request)) return pass();
        const project = world.store.state.resources.get('projects.demo');
        asked.push(world.time.now());
        if (asked.length === 1) await world.connect().send(make(project?.id ?? ''));
        expect(asked).toHaveLength(1);
        return pass();
      },
    };
  };
  const other = (project: string): ResolvedCommand => ({
    ...{ kind: 'createNetwork', project, name: 'lan' },
  });

  test.each<[string, string[], string]>([
    ['a create', [], 'adopt it, with an imports entry'],
    ['a rename', ['old'], 'Delete or rename that one in the account'],
  ])('fails %s at once, in its own words', async (_what, before, hint) => {
    const world = await World.open();
    await world.apply(await networks(...before));
    const end = await world.apply(await networks('lan'), takenBy(world, other));
    const [failure] = describeFailures(end);
    expect(failure).toContain('"name-taken"');
    expect(failure).toContain('Something else took its name since the plan was made');
    expect(failure).toContain(hint);
  });

  test.each<[string, string, string]>([
    ['that nobody sees', 'There already is a network named "lan" here.', '"name-refused"'],
    ['of a lock', 'Another operation runs on "lan".', '"conflict"'],
  ])('is told by the refusal %s', async (_what, detail, code) => {
    const world = await World.open();
    await world.apply(await networks('old'));
    let asked = 0;
    const end = await world.apply(await networks('lan'), {
      meddle: async (request, pass) => {
        if (!isWrite(request)) return pass();
        asked += 1;
        return Response.json({ detail }, { status: 409 });
      },
    });
    expect(describeFailures(end).join()).toContain(code);
    expect(asked).toBe(code === '"conflict"' ? 5 : 1);
  });

  test('is asked for again where this run has let go of it', async () => {
    const world = await World.open();
    await world.apply(await networks('lan', 'x'));
    let asked = 0;
    await expectApplied(world, await networks('y', 'lan'), {
      meddle: async (request, pass) => {
        const isTaking = isWrite(request) && (await request.clone().text()).includes('lan');
        if (!isTaking || (asked += 1) > 2) return pass();
        return Response.json({ detail: 'The name is already in use.' }, { status: 409 });
      },
    });
    expect(asked).toBe(3);
  });
});

describe('what was changed while a request that loses something was waited for', () => {
  const lost = () =>
    Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }));
  const hold = () =>
    Promise.resolve(Response.json({}, { status: 429, headers: { 'retry-after': '30' } }));
  const lock = async (world: World, vm: LiveResource, pass: () => Promise<Response>) => {
    const params = { projectId: vm.projectId, vmId: vm.id };
    await world.connect().call({ operation: 'createBackup', params });
    return pass();
  };
  const saved = (after: string) =>
    after.replace('tariff', 'rebuild: { backupFirst: true }, tariff');

  const answers = { lock, hold, lost };

  test.each<[string, string, RegExp, (keyof typeof answers)[]]>([
    ['deleted', '', /DELETE .*\/vms\/[^/]+$/, ['lock', 'hold', 'lost']],
    ['replaced', web('debian-12', 'c2-r4-d40'), /DELETE .*\/vms\/[^/]+$/, ['lock', 'hold', 'lost']],
    ['rebuilt', web('ubuntu-24.04'), /\/rebuild$/, ['lock', 'hold', 'lost']],
    // One that got no answer is never sent again.
    ['backed up', saved(web('ubuntu-24.04')), /POST .*\/backups$/, ['lock', 'hold']],
  ])('is not %s, whatever it was waited for', async (_what, after, losing, waits) => {
    for (const wait of waits) {
      const world = await World.open();
      await world.apply(await shop(saved(web())));
      const before = await world.readAccount();
      const found = before.find((one) => one.kind === 'vm' && one.name === 'web');
      if (!found) throw new Error('no VM');
      let asked = 0;
      const end = await world.apply(await shop(after), {
        meddle: async (request, pass) => {
          if (!losing.test(`${request.method} ${request.url}`)) return pass();
          asked += 1;
          if (asked > 1) return pass();
          await world.connect().send(rename(found));
          return answers[wait](world, found, pass);
        },
      });
      expect(describeFailures(end).join()).toContain('name is \\"keep-me\\", was \\"web\\"');
      // What got no answer may still come about.
      expect(describeFailures(end).join()).toContain(wait === 'lost' ? '"unknown"' : '"failed"');
      expect(asked).toBe(1);
      await world.settle();
      expect((await world.readAccount()).find(({ id }) => id === found.id)).toMatchObject({
        ...{ name: 'keep-me', status: 'active', imageId: 'imageId' in found && found.imageId },
      });
    }
  });
});

test.each([
  ['deleted', '', /DELETE .*\/vms\/[^/]+$/],
  ['replaced', web('debian-12', 'c2-r4-d40'), /DELETE .*\/vms\/[^/]+$/],
  [
    'rebuilt without its backups',
    web('ubuntu-24.04').replace('tariff', 'rebuild: { deleteBackups: true }, tariff'),
    /\/rebuild$/,
  ],
])('a backup that somebody made since is lost with nothing: %s', async (_what, after, losing) => {
  const world = await World.open();
  await world.apply(await shop(web()));
  const vm = (await world.readAccount()).find((one) => one.kind === 'vm' && one.name === 'web');
  if (!vm) throw new Error('no VM');
  const params = { projectId: vm.projectId, vmId: vm.id };
  let sent = 0;
  const end = await world.apply(await shop(after), {
    meddle: async (request, pass) => {
      if (!losing.test(`${request.method} ${request.url}`)) return pass();
      sent += 1;
      if (sent === 1) await world.connect().call({ operation: 'createBackup', params });
      return pass();
    },
  });
  expect(describeFailures(end).join()).toContain('it has 1 backup, and the plan counted 0');
  expect(sent).toBe(1);
  await world.settle();
  expect(await listBackups(world.connect(), params)).toHaveLength(1);
});

test.each([
  ['changes', ', power: stopped'],
  ['was to stay as it was', ''],
])('what was busy and %s is compared when that is over', async (_what, more) => {
  const attached = (extra = '') =>
    configure(
      `projects: { demo: { networks: { lan: }, vms: { web: { image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: [lan]${extra} } } } }`,
    );
  const world = await World.open();
  await world.apply(await attached());
  const vm = (await world.readAccount()).find(({ kind }) => kind === 'vm');
  if (vm?.kind !== 'vm') throw new Error('no VM');
  const { id, projectId: project, networks } = whole(vm);
  const console_ = world.connect();
  const network = networks[0]?.networkId ?? '';
  await world.time.run(console_.send({ kind: 'detachVm', project, vm: id, network }));
  // It is shown attached for as long as the operation runs.
  const desired = await attached(more);
  const end = await world.apply(desired);
  expect(describeFailures(end).join()).toContain('changed-since-plan');
  expect(describeFailures(end).join()).toContain('networks is []');
  await expectBuilt(world, desired);
});

/** A VM with one SSH key, whose successor is made first. */
function keyed(key: string, sshKey: { readonly name: string; readonly publicKey: string }) {
  const { resources } = makeDesired({
    demo: { sshKeys: { [key]: sshKey }, vms: { web: { sshKeys: [key] } } },
  });
  const rules = { preventDestroy: false, ignoreChanges: [], replaceTriggeredBy: [] };
  const lifecycle = { ...rules, createBeforeDestroy: true };
  return {
    resources: resources.map((one) => (one.kind === 'sshKey' ? { ...one, lifecycle } : one)),
  };
}

describe('what was busy is not taken for changed when a key that it was built with', () => {
  test.each([
    ['goes', 'bob', { name: 'bob', publicKey: 'ssh-ed25519 B' }],
    ['leaves its name to another', 'bob', { name: 'alice', publicKey: 'ssh-ed25519 B' }],
    ['is replaced', 'alice', { name: 'alice', publicKey: 'ssh-ed25519 B' }],
    ['goes after its successor came', 'alice', { name: 'bob', publicKey: 'ssh-ed25519 B' }],
  ])('%s', async (_, key, sshKey) => {
    const world = await World.open();
    await world.apply(keyed('alice', { name: 'alice', publicKey: 'ssh-ed25519 A' }));
    const vm = (await world.readAccount()).find(({ kind }) => kind === 'vm');
    const { id = '', projectId: project = '' } = vm ?? {};
    await world.time.run(world.connect().send({ kind: 'rebootVm', project, vm: id }));
    const desired = keyed(key, sshKey);
    await expectBuilt(world, desired);
  });
});
