import { expect, test } from 'vitest';
import { describeApplyResult } from '../../src/render/text/apply-summary.ts';
import { configure, World, type RunEnd, type RunOptions } from './world.ts';
import { expectApplied } from './expect-built.ts';

const vms = (count: number, configuration = 'c1-r1-d20', image = 'debian-12') => `
projects:
  demo:
    vms:
      web: { count: ${count}, image: ${image}, configuration: ${configuration}, tariff: monthly }
`;

const closingOf = (end: RunEnd) =>
  end.kind === 'ended' ? describeApplyResult(end.summary, end.planned.plan.mode) : end.kind;

/** How many steps of each sort an apply tells of as complete. */
async function listen(world: World, yaml: string, options: RunOptions = {}) {
  const completed: Record<string, number> = {};
  const end = await world.apply(await configure(yaml), {
    ...options,
    onEvent({ kind, step }) {
      if (kind === 'completed') completed[step] = (completed[step] ?? 0) + 1;
    },
  });
  return { end, completed };
}

async function openWith(yaml: string): Promise<World> {
  const world = await World.open();
  await expectApplied(world, await configure(yaml));
  return world;
}

test('nine VMs are replaced and two creates fail: what was destroyed counts all the same', async () => {
  const world = await openWith(vms(9));
  const { end, completed } = await listen(world, vms(9, 'c1-r2-d20'), {
    async meddle(request, pass) {
      const body = request.method === 'POST' ? await request.clone().text() : '';
      return /web-[34]"/.test(body) ? Response.json({ title: 'no' }, { status: 403 }) : pass();
    },
  });
  expect(completed).toEqual({ delete: 9, create: 7 });
  expect(closingOf(end)).toBe(
    'Apply incomplete! Resources: 7 added, 0 changed, 9 destroyed, 2 failed.',
  );
});

test('an interrupted replacement counts what it got to', async () => {
  const world = await openWith(vms(1));
  const interrupted = new AbortController();
  const { end } = await listen(world, vms(1, 'c1-r2-d20'), {
    interrupted: interrupted.signal,
    meddle(request, pass) {
      if (request.method === 'DELETE') interrupted.abort();
      return pass();
    },
  });
  expect(closingOf(end)).toBe(
    'Apply interrupted! Resources: 0 added, 0 changed, 1 destroyed, 1 not finished.',
  );
});

test('rebuilds are counted with the disks that they lose', async () => {
  const world = await openWith(vms(2));
  const { end } = await listen(world, vms(2, 'c1-r1-d20', 'ubuntu-24.04'));
  expect(closingOf(end)).toBe(
    'Apply complete! Resources: 0 added, 0 changed, 2 rebuilt (2 disks lost), 0 destroyed.',
  );
});

test('what is imported is counted, and what is forgotten', async () => {
  const world = await openWith(vms(3));
  const given = `${vms(2)}removed: [ { from: 'projects.demo.vms.web[2]', destroy: false } ]\n`;
  const forgotten = await listen(world, given);
  expect(closingOf(forgotten.end)).toBe(
    'Apply complete! Resources: 0 added, 0 changed, 0 destroyed, 1 forgotten.',
  );
  const imported = await listen(world, vms(3), { planOptions: { adoptsAll: true } });
  expect(closingOf(imported.end)).toBe(
    'Apply complete! Resources: 1 imported, 0 added, 0 changed, 0 destroyed.',
  );
});
