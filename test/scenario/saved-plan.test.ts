import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ManagedResource } from '../../src/model/state/state.ts';
import { readAttributeText } from '../../src/model/value.ts';
import type { SavedPlan } from '../../src/state/plan-file.ts';
import { openStateStore } from '../../src/state/store.ts';
import { DayTwoWorld } from '../support/day-two.ts';
import { openLocalBackend } from '../../src/state/backends/local.ts';

const vm = 'image: debian-12, configuration: c1-r1-d20, tariff: monthly';
const configuration = `version: 1
variables: { word: { type: string, sensitive: true } }
projects:
  late:
    networks:
      front: { name: lan }
      back: { name: 'of-\${projects.late.networks.front.cidr}' }
      hidden: { name: '\${var.word}-\${projects.late.networks.front.cidr}' }
    vms: { web: { ${vm}, name: 'on-\${projects.late.networks.back.name}' } }
`;

let world: DayTwoWorld;
beforeEach(async () => {
  world = await DayTwoWorld.open();
  await writeFile(join(world.directory, 'main.yaml'), configuration);
});
afterEach(() => world.close());

const run = (...argv: readonly string[]) =>
  world.run(argv, { env: { HOSTWRIGHT_VAR_word: 'hunter22' } });
const target = ['--target', 'projects.late'];

async function managedAt(local: string): Promise<ManagedResource> {
  const store = await openStateStore(openLocalBackend(world.directory), { isReadOnly: true });
  const managed = store.state.resources.get(`projects.late.${local}`);
  await store.close();
  if (!managed) throw new Error(`${local} is not managed`);
  return managed;
}

describe('a saved plan with values that are only known after apply', () => {
  test('holds what is decided of them, and is carried out as it was approved', async () => {
    expect(await run('plan', ...target, '--out', 'plan.hwp')).toMatchObject({
      code: 0,
      writes: [],
    });
    const text = await readFile(join(world.directory, 'plan.hwp'), 'utf8');
    expect(text).not.toContain('hunter22');
    const { plan } = JSON.parse(text) as SavedPlan;
    expect(plan.deferred?.map(({ address }) => address.replace('projects.late.', ''))).toEqual([
      'networks.back',
      'networks.hidden',
      'vms.web',
    ]);
    expect(plan.tasks.flatMap(({ commands }) => commands)).toHaveLength(5);
    const applied = await run('apply', 'plan.hwp', ...target);
    expect(applied).toMatchObject({ code: 0 });
    expect(applied.writes).toHaveLength(5);
    const cidr = readAttributeText((await managedAt('networks.front')).attributes, 'cidr');
    expect((await managedAt('networks.back')).attributes.name).toBe(`of-${cidr}`);
    expect((await managedAt('vms.web')).attributes.name).toBe(`on-of-${cidr}`);
    expect(await run('plan', ...target, '--detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test('is refused where the account moved, or a sensitive value is another', async () => {
    expect(await run('plan', ...target, '--out', 'first.hwp')).toMatchObject({ code: 0 });
    const other = await world.run(['apply', 'first.hwp', ...target], {
      env: { HOSTWRIGHT_VAR_word: 'x' },
    });
    expect(other).toMatchObject({ code: 1, writes: [] });
    expect(other.stderr).toContain('A sensitive value is no longer the one');
    expect(await run('apply', 'first.hwp', ...target)).toMatchObject({ code: 0 });
    // The configuration reads a network that is new, so that nobody knows yet whether the VM is replaced.
    const next = configuration
      .replace('back:', 'side:\n      back:')
      .replace('c1-r1-d20', '\'${size(projects.late.networks.side.cidr) > 0 ? "c2-r4-d40" : ""}\'');
    await writeFile(join(world.directory, 'main.yaml'), next);
    expect(await run('plan', ...target, '--out', 'next.hwp')).toMatchObject({ code: 0 });
    const { id, projectId } = await managedAt('vms.web');
    await world.client.send({ kind: 'renameVm', project: projectId, vm: id, name: 'by-hand' });
    const moved = await run('apply', 'next.hwp', ...target);
    expect(moved).toMatchObject({ code: 1, writes: [] });
    expect(moved.stderr).toContain('projects.late.vms.web: name');
  });

  test('is refused where another run changed the state, though it left alone what the plan changes', async () => {
    const other = '  early: { networks: { lan: {} } }\n';
    await writeFile(join(world.directory, 'main.yaml'), configuration + other);
    expect(await run('plan', ...target, '--out', 'plan.hwp')).toMatchObject({ code: 0 });
    const early = await run('apply', '--target', 'projects.early', '--auto-approve');
    expect(early).toMatchObject({ code: 0 });
    const refused = await run('apply', 'plan.hwp', ...target);
    expect(refused).toMatchObject({ code: 1, writes: [] });
    expect(refused.stderr).toContain('The state was changed by another run');
  });
});
