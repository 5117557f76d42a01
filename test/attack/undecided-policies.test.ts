// A policy with `deny` is a promise: what reads a value that is known only during the apply is judged then, before any
// request for the change goes out, and what cannot be judged by then refuses the plan.
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { killEverywhere } from '../scenario/kill-everywhere.ts';
import { configure, World, type RunEnd, type RunOptions } from '../scenario/world.ts';

const cidr = 'projects.demo.networks.lan.cidr';
/** A text that is known only once the network stands. */
const late = (text: string) => `"\${size(${cidr}) > 0 ? '${text}' : ''}"`;
const vm = 'image: debian-12, configuration: c1-r1-d20, tariff: monthly';
const demo = (body: string, policies = '', network = 'lan') =>
  configure(
    `projects: { demo: { networks: { ${network}: }, ${body} } }\npolicies: { ${policies} }\n`,
  );
const rule = (assert: string, given = '') => `rule: { for: vms, assert: '${assert}'${given} }`;
const web = (fields: string) => `vms: { web: { ${fields} } }`;

/** The requests of a run about VMs that change something. */
async function applyWatched(
  world: World,
  desired: Awaited<ReturnType<typeof configure>>,
  options: RunOptions = {},
) {
  const sent: string[] = [];
  const end = await world.apply(desired, {
    ...options,
    meddle: (request, pass) => {
      const isAboutVm = new URL(request.url).pathname.includes('/vms');
      if (isAboutVm && request.method !== 'GET') sent.push(request.method);
      return pass();
    },
  });
  return { end, sent };
}

/** The error of the VM's change; its code where the plan was refused. */
function errorOf(end: RunEnd, address = 'projects.demo.vms.web'): Partial<Diagnostic> | undefined {
  if (end.kind === 'killed') throw new Error('killed');
  if (end.kind === 'refused')
    return end.planned.plan.findings.find(({ severity }) => severity === 'error');
  const result = end.summary.changes.find((one) => one.address === address)?.result;
  return result && 'diagnostic' in result ? result.diagnostic : undefined;
}

const bigSize = web(vm.replace('c1-r1-d20', late('c8-r16-d160')));

describe('a policy that denies and reads what is known during the apply', () => {
  test.each([
    ['a size', bigSize, 'after.ram <= 4'],
    ['a name', web(`${vm}, name: ${late('forbidden')}`), 'after.name != "forbidden"'],
    ['what its project waits for as well', web(vm), `${cidr} == "192.0.2.0/24"`],
    ['an image', web(vm.replace('debian-12', late('ubuntu-24.04'))), 'after.image == "debian-12"'],
    ['a price', web(vm.replace('monthly', late('hourly'))), 'after.cost < 1.0'],
    ['a state', web(`${vm}, power: ${late('stopped')}`), 'after.power == "running"'],
    ['what nothing else waits for', web(vm), 'projects.demo.publicIps.edge.address == ""'],
    [
      'what a network that it only refers to is given',
      web(`${vm}, networks: [lan]`),
      `!${cidr}.startsWith("10.")`,
    ],
  ])('is judged by then: %s', async (_what, body, assert) => {
    const world = await World.open();
    const edge = `${body}, publicIps: { edge: }`;
    const desired = await demo(edge, rule(assert, ', message: "${after.name} is not allowed"'));
    const { plan } = await world.plan(desired);
    expect(plan.findings.map(({ code, severity }) => `${severity} ${code}`)).toContain(
      'note policy-undecided',
    );
    const { end, sent } = await applyWatched(world, desired);
    expect(errorOf(end)).toMatchObject({
      code: 'policy-violated',
      summary: expect.stringMatching(/^Policy rule: \S+ is not allowed$/) as string,
      detail: expect.stringContaining('before any request') as string,
      hint: expect.any(String) as string,
      source: { line: 3 },
    });
    expect(sent).toEqual([]);
  });

  test('lets through what it allows, and a change that comes to nothing', async () => {
    const world = await World.open();
    const desired = await demo(bigSize, rule('after.ram <= 16'));
    const first = await applyWatched(world, desired);
    expect([errorOf(first.end), first.sent]).toEqual([undefined, ['POST']]);
    const other = await demo(
      bigSize.replaceAll('lan', 'wan'),
      rule('after.ram <= 16 && action != "update"'),
      'lan: , wan',
    );
    const second = await applyWatched(world, other);
    expect([errorOf(second.end), second.sent]).toEqual([undefined, []]);
  });

  test('is judged anew where the change turns out to be another', async () => {
    const world = await World.open();
    await world.apply(await demo(web(`${vm}, name: old`)));
    const fields = vm.replace('c1-r1-d20', late('c1-r1-d20').replaceAll('lan', 'wan'));
    const desired = await demo(
      web(`${fields}, name: new`),
      rule('action == "replace"'),
      'lan: , wan',
    );
    const { end, sent } = await applyWatched(world, desired);
    expect([errorOf(end)?.code, sent]).toEqual(['policy-violated', []]);
  });

  test('asks for approvals before the apply, and fails where it turns out that it would have had to', async () => {
    const asking = (assert: string) => `rule: { for: vms, assert: '${assert}', approve: 2 }`;
    const world = await World.open();
    const undecided = await demo(bigSize, asking('after.ram <= 4'));
    const { plan } = await world.plan(undecided);
    expect(plan.findings).toContainEqual(
      expect.objectContaining({
        ...{ severity: 'warning', code: 'policy-undecided' },
        approvals: { needed: 2, policy: 'rule' },
      }),
    );
    const approved = await applyWatched(world, undecided);
    expect([errorOf(approved.end), approved.sent]).toEqual([undefined, ['POST']]);
    const fields = vm.replace('c1-r1-d20', late('c1-r1-d20').replaceAll('lan', 'wan'));
    const other = await demo(
      web(`${fields}, name: new`),
      asking('action == "replace" || action == "rebuild"'),
      'lan: , wan',
    );
    expect((await world.plan(other)).plan.findings.map(({ code }) => code)).not.toContain(
      'policy-violated',
    );
    await world.apply(await demo(web(`${vm}, name: old`)));
    const { end, sent } = await applyWatched(world, other);
    expect([errorOf(end)?.code, sent]).toEqual(['policy-violated', []]);
  });

  test('keeps the old one that was to be replaced', async () => {
    const world = await World.open();
    await world.apply(await demo(web(vm)));
    const desired = await demo(
      bigSize.replaceAll('lan', 'wan'),
      rule('after.ram <= 4'),
      'lan: , wan',
    );
    const { end, sent } = await applyWatched(world, desired);
    expect([errorOf(end)?.code, sent]).toEqual(['policy-violated', []]);
  });

  test('judges what is imported and changed', async () => {
    const world = await World.open();
    await world.apply(await demo(web(`${vm}, name: theirs`)));
    await world.loseState();
    const imports = `\nimports:\n  - { to: projects.demo, name: demo }\n  - { to: projects.demo.networks.lan, name: lan }\n  - { to: projects.demo.vms.web, name: theirs }`;
    const body = `projects: { demo: { networks: { lan: , wan: }, ${web(`${vm}, name: ${late('forbidden').replaceAll('lan', 'wan')}`)} } }`;
    const desired = await configure(
      `${body}\npolicies: { ${rule('after.name != "forbidden"')} }${imports}`,
    );
    const { end, sent } = await applyWatched(world, desired);
    expect([errorOf(end)?.code, sent]).toEqual(['policy-violated', []]);
  });

  test('skips what depends on it, and fails alone', async () => {
    const world = await World.open();
    const body = `${bigSize.replace('web: {', 'other: { image: debian-12, configuration: c1-r1-d20, tariff: monthly }, web: {')}, publicIps: { edge: { forwards: { https: { protocol: tcp, publicPort: 443, vmPort: 443, vm: web } } } }`;
    const { end } = await applyWatched(world, await demo(body, rule('after.ram <= 4')));
    if (end.kind !== 'ended') throw new Error(end.kind);
    const results = end.summary.changes.map(({ address, result }) => `${address} ${result.kind}`);
    expect(results).toContain('projects.demo.vms.other applied');
    expect(results).toContain('projects.demo.publicIps.edge.forwards.https skipped');
  });

  test('never lets it through, wherever a run is killed', async () => {
    const desired = await demo(bigSize, rule('after.ram <= 4'));
    await killEverywhere({
      open: () => World.open(),
      desired,
      goOn: async (world) => {
        const { end, sent } = await applyWatched(world, desired);
        return [
          ...sent,
          ...(errorOf(end)?.code === 'policy-violated' ? [] : ['it was let through']),
        ];
      },
    });
  });

  test('only warns where it is to warn', async () => {
    const world = await World.open();
    const desired = await demo(bigSize, rule('after.ram <= 4', ', severity: warn'));
    const told: string[] = [];
    const { end, sent } = await applyWatched(world, desired, {
      onDiagnostics: (all) => told.push(...all.map(({ severity, code }) => `${severity} ${code}`)),
    });
    expect([errorOf(end), sent, told]).toEqual([undefined, ['POST'], ['warning policy-violated']]);
  });
});

describe('a policy that denies and cannot be judged before its request goes out', () => {
  test.each([
    ['what the service assigns', web(`${vm}, networks: [lan]`), 'after.internalIp != "10.0.0.9"'],
    ['what its own change makes', web(vm), 'projects.demo.vms.web.id != ""'],
    ['the cost of all', web(vm.replace('monthly', late('hourly'))), 'plan.cost.after < 1.0'],
  ])('refuses the plan: %s', async (_what, body, assert) => {
    const world = await World.open();
    const desired = await demo(`${body}, publicIps: { edge: }`, rule(assert));
    const { end, sent } = await applyWatched(world, desired);
    expect(errorOf(end)).toMatchObject({
      code: 'policy-undecided',
      address: 'projects.demo.vms.web',
      source: { line: 3 },
      hint: expect.any(String) as string,
    });
    expect([end.kind, sent]).toEqual(['refused', []]);
  });
});
