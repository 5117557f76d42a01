import { describe, expect, test } from 'vitest';
import { configure, describeFailures, findViolations, World } from './world.ts';
import { expectApplied, expectSettled } from './expect-built.ts';

const vm = 'image: debian-12, configuration: c1-r1-d20, tariff: monthly';
const demo = (body: string) => `projects:\n  demo:\n${body}`;

/** The requests of one run that change something: `POST /projects/…/rename`, ids left out. */
function watch() {
  const sent: string[] = [];
  const meddle = (request: Request, pass: () => Promise<Response>) => {
    const path = new URL(request.url).pathname.replace(/\/(prj|net|ip|vm|key|fwd)-[a-z0-9]+/g, '');
    if (request.method !== 'GET') sent.push(`${request.method} ${path}`);
    return pass();
  };
  return { sent, meddle };
}

describe('deferred values', () => {
  test('are sent, and are what the state remembers', async () => {
    const world = await World.open();
    const desired = await configure(
      demo(`    networks: { lan: }
    vms: { web: { ${vm}, name: "web-\${projects.demo.networks.lan.cidr}" } }
  beside: { name: "of-\${projects.demo.vms.web.name}" }`),
    );
    await expectApplied(world, desired);
    const account = await world.readAccount();
    const cidr = account.flatMap((one) => (one.kind === 'network' ? [one.cidr] : []))[0];
    expect(account.flatMap((one) => (one.kind === 'vm' ? [one.name] : []))).toEqual([
      `web-${cidr}`,
    ]);
    expect(account.flatMap((one) => (one.kind === 'project' ? [one.name] : []))).toContain(
      `of-web-${cidr}`,
    );
    const { state } = await world.store.reopen();
    expect(state.resources.get('projects.demo.vms.web')?.attributes.name).toBe(`web-${cidr}`);
    expect(await findViolations(world, desired)).toEqual([]);
  });

  test('that turn out as they are let nothing step aside for a replacement that was to come first', async () => {
    const world = await World.open();
    const web = (plugin: string) =>
      `vms: { web: { ${vm}, plugins: [${plugin}], lifecycle: { createBeforeDestroy: true } } }`;
    await world.apply(await configure(demo(`    ${web('p-11')}`)));
    const before = (await world.readAccount()).find(({ kind }) => kind === 'vm')?.id;
    const size = 'size(projects.demo.networks.wan.cidr)';
    const desired = await configure(
      demo(`    networks: { wan: }\n    ${web(`"p-\${${size} > 0 ? 11 : 12}"`)}`),
    );
    const { sent, meddle } = watch();
    await expectApplied(world, desired, { meddle });
    expect(sent).toHaveLength(1);
    expect((await world.readAccount()).find(({ kind }) => kind === 'vm')?.id).toBe(before);
    expect(await findViolations(world, desired)).toEqual([]);
    const other = await configure(
      demo(`    networks: { wan: , lan: }\n    ${web('"p-${projects.demo.networks.lan.cidr}"')}`),
    );
    await expectApplied(world, other);
    expect((await world.readAccount()).find(({ kind }) => kind === 'vm')?.id).not.toBe(before);
    await expectSettled(world, other);
  });

  test('of a VM that was deleted outside: the address that came with it goes all the same', async () => {
    const world = await World.open();
    const web = (name: string) => `vms: { web: { ${vm}, name: ${name}, publicIp: new } }`;
    await world.apply(await configure(demo(`    ${web('web')}`)));
    const old = (await world.readAccount()).find(({ kind }) => kind === 'vm')!;
    const client = world.connect();
    await world.time.run(client.send({ kind: 'deleteVm', project: old.projectId, vm: old.id }));
    await world.settle();
    const desired = await configure(
      demo(`    networks: { lan: }\n    ${web('"web-${projects.demo.networks.lan.cidr}"')}`),
    );
    await expectApplied(world, desired);
    await expectSettled(world, desired);
  });

  test('that turn out as they are cause no request, and replace nothing', async () => {
    const world = await World.open();
    const first = await configure(
      demo(`    networks: { lan: }
    vms: { web: { ${vm}, networks: [lan], plugins: [p-11] } }`),
    );
    await world.apply(first);
    const before = (await world.readAccount()).find(({ kind }) => kind === 'vm')?.id;
    // As long as the address of the new network is not known, nothing is known of the length of it.
    const second = await configure(
      demo(`    networks: { lan: , wan: }
    vms: { web: { ${vm}, networks: [lan], plugins: ["p-\${size(projects.demo.networks.wan.cidr) > 0 ? 11 : 12}"] } }`),
    );
    const { sent, meddle } = watch();
    const planned = await world.plan(second);
    expect(planned.plan.changes.map(({ action }) => action)).toContain('replace');
    await expectApplied(world, second, { meddle });
    expect(sent).toHaveLength(1);
    expect((await world.readAccount()).find(({ kind }) => kind === 'vm')?.id).toBe(before);
    expect(await findViolations(world, second)).toEqual([]);
  });

  test.each([
    [
      'a name that is too long',
      '[1,2,3,4,5,6,7,8,9].map(x, projects.demo.networks.lan.cidr).join("")',
      'name-too-long',
    ],
    [
      'a name that is taken',
      '"taken".substring(0, 5 + 0 * size(projects.demo.networks.lan.cidr))',
      'taken-on-apply',
    ],
    ['no text', 'size(projects.demo.networks.lan.cidr)', 'invalid-late-value'],
    ['what is not there', 'projects.demo.networks.lan.cidr.split("/")[7]', 'unknown-name'],
  ])('fail their change, with the place, where they come to %s', async (_, code, fault) => {
    const world = await World.open();
    const desired = await configure(
      demo(`    networks: { lan: , taken: }
    sshKeys: { a: { publicKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ9nGQ0r4bW1Yw3cFJxvQkLh1nQ3oYc0m6rK1s5yD2aB a } }
    vms: { web: { ${vm}, name: 'x' } }
    publicIps: { edge: }`)
        .replace("name: 'x'", `name: '\${${code}}'`)
        .replace('taken: }', `late: { name: '\${${code}}' }, taken: }`),
    );
    const { sent, meddle } = watch();
    const end = await world.apply(desired, { meddle });
    if (end.kind !== 'ended') throw new Error(end.kind);
    const late = end.summary.changes.find(({ address }) => address.endsWith('.networks.late'));
    expect(late?.result).toMatchObject({
      kind: 'failed',
      diagnostic: { code: fault, address: 'projects.demo.networks.late', source: { line: 4 } },
    });
    expect(sent.filter((one) => one.endsWith('/networks'))).toHaveLength(2);
  });

  test('are not destroyed for what cannot be worked out', async () => {
    const world = await World.open();
    await world.apply(await configure(demo(`    vms: { web: { ${vm} } }`)));
    const desired = await configure(
      demo(`    networks: { lan: }
    vms: { web: { ${vm}, plugins: ["\${projects.demo.networks.lan.cidr.split('/')[7]}"] } }`),
    );
    const end = await world.apply(desired);
    expect(describeFailures(end)).toHaveLength(1);
    expect((await world.readAccount()).filter(({ kind }) => kind === 'vm')).toHaveLength(1);
  });
});
