import { describe, expect, test } from 'vitest';
import type { ResolvedCommand } from '../../src/model/account/command.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import { changeLines } from '../support/plan-lines.ts';
import { configure, findViolations, World } from './world.ts';
import { expectApplied, expectBuilt } from './expect-built.ts';

const vm = (more = '') =>
  `{ image: debian-12, configuration: c1-r1-d20, tariff: monthly, ${more} }`;
const ignoring = (...fields: string[]) => `lifecycle: { ignoreChanges: [${fields.join(', ')}] }`;
const write = (project: string, more = '') => `projects:\n  p:\n    ${project}\n${more}`;
const forward = (port: number, more = '') =>
  `{ protocol: tcp, publicPort: ${port}, vm: web, vmPort: 80, ${more} }`;

async function applied(yaml: string): Promise<World> {
  const world = await World.open();
  await expectApplied(world, await configure(yaml));
  return world;
}

/** Somebody changes the VM `web` in the console. */
async function changeByHand(
  world: World,
  command: (of: { vm: string; project: string }) => ResolvedCommand,
): Promise<void> {
  const { id: vm = '', projectId: project = '' } =
    world.store.state.resources.get('projects.p.vms.web') ?? {};
  await world.time.run(world.connect().send(command({ vm, project })));
  await world.settle();
}

describe('an ignored field is what the resource has', () => {
  test('for expressions, outputs, checks and policies', async () => {
    const web = `web: ${vm(`name: web, ${ignoring('name', 'power', 'image')}`)}`;
    const world = await applied(write(`vms: { ${web} }`));
    await changeByHand(world, (of) => ({ kind: 'stopVm', ...of }));
    await changeByHand(world, (of) => ({ kind: 'renameVm', ...of, name: 'by-hand' }));
    const edited = web.replace('debian-12', 'withdrawn');
    const desired = await configure(
      write(
        `networks: { lan: { name: "\${projects.p.vms.web.name}-lan" } }\n    vms: { ${edited}, db: ${vm('image: "${projects.p.vms.web.image}"').replace('image: debian-12, ', '')} }`,
        `outputs: { state: { value: "\${projects.p.vms.web.power} \${projects.p.vms.web.image}" } }
checks: { stopped: { assert: projects.p.vms.web.power == "stopped" } }
policies: { asWeb: { for: vms, assert: after.image == projects.p.vms.web.image } }
`,
      ),
    );
    const { plan } = await world.plan(desired);
    expect(plan.findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
    expect(plan.outputs).toMatchObject([{ after: 'stopped debian-12' }]);
    expect(plan.checks).toMatchObject([{ status: 'pass' }]);
    const made = plan.changes.filter(({ action }) => action === 'create');
    expect(made.map(({ after }) => after?.name)).toEqual(['by-hand-lan', 'db']);
    await expectApplied(world, desired);
    expect(changeLines((await world.plan(desired)).plan)).toEqual([]);
    expect(await findViolations(world, desired)).toEqual([]);
  });

  test.each([
    [
      'a name',
      `vms: { web: ${vm(`name: old, ${ignoring('name')}`)}, db: ${vm()} }`,
      (taken: string) =>
        `vms: { web: ${vm(`name: new, ${ignoring('name')}`)}, db: ${vm(`name: ${taken}`)} }`,
      ['old', 'new', 'duplicate-name'],
    ],
    [
      'a port',
      `vms: { web: ${vm()} }\n    publicIps: { edge: { forwards: { a: ${forward(80, ignoring('publicPort'))} } } }`,
      (taken: string) =>
        `vms: { web: ${vm()} }\n    publicIps: { edge: { forwards: { a: ${forward(81, ignoring('publicPort'))}, b: ${forward(Number(taken))} } } }`,
      ['80', '81', 'duplicate-port'],
    ],
    [
      'a public IP',
      `publicIps: { edge: , side: }\n    vms: { web: ${vm(`publicIp: edge, ${ignoring('publicIp')}`)}, db: ${vm()} }`,
      (taken: string) =>
        `publicIps: { edge: , side: }\n    vms: { web: ${vm(`publicIp: side, ${ignoring('publicIp')}`)}, db: ${vm(`publicIp: ${taken}`)} }`,
      ['edge', 'side', 'public-ip-shared'],
    ],
  ] as const)(
    'where another one asks for what it has: %s',
    async (_what, before, edit, [kept, configured, code]) => {
      const world = await applied(write(before));
      const refused = await world.plan(await configure(write(edit(kept))));
      const errors = refused.plan.findings.filter(({ severity }) => severity === 'error');
      expect(errors).toEqual([expect.objectContaining({ code })]);
      expect(errors[0]?.detail).toContain('`ignoreChanges`');
      // The one that is configured, and that nobody has, is free.
      const desired = await configure(write(edit(configured)));
      await expectApplied(world, desired);
      expect(changeLines((await world.plan(desired)).plan)).toEqual([]);
      // Made anew, the first one would have what the second one has by now.
      const replace = [
        code === 'duplicate-port' ? 'projects.p.publicIps.edge' : 'projects.p.vms.web',
      ];
      const again = await world.plan(desired, 'apply', { replace });
      expect(again.plan.findings.map((one) => one.code)).toContain(code);
    },
  );

  test('unless it is made, or made anew: then it is as configured', async () => {
    const yaml = (image: string, name = 'web') =>
      write(
        `vms: { web: ${vm(`name: ${name}, ${ignoring('name', 'image')}`).replace('debian-12', image)} }`,
        'outputs: { is: { value: "${projects.p.vms.web.name} ${projects.p.vms.web.image}" } }',
      );
    const isAfter = async (world: World, text: string, replace: string[] = []) => {
      const { plan } = await world.plan(await configure(text), 'apply', { replace });
      return hasErrors(plan.findings) ? plan.findings : plan.outputs?.[0]?.after;
    };
    expect(await isAfter(await World.open(), yaml('debian-12'))).toBe('web debian-12');
    const world = await applied(yaml('debian-12'));
    const edited = yaml('ubuntu-24.04', 'edited');
    expect(await isAfter(world, edited)).toBe('web debian-12');
    const replace = ['projects.p.vms.web'];
    expect(await isAfter(world, edited, replace)).toBe('edited ubuntu-24.04');
    await expectBuilt(world, await configure(edited), { planOptions: { replace } });
  });
});
