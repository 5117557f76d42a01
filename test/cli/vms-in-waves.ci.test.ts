// Work on all VMs of a block: in the waves of its rollout, as an apply would go.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { RunProbeOnce } from '../../src/model/plan/readiness.ts';
import { DayTwoWorld, web0, web1, type RunOptions } from '../support/day-two.ts';
import { expectFailure, expectWords } from '../support/expect-words.ts';

let world: DayTwoWorld;
afterEach(() => world.close());

const all = 'projects.shop.vms.web[*]';

async function open(rollout: string, options: Parameters<typeof DayTwoWorld.open>[0] = {}) {
  world = await DayTwoWorld.open(options);
  const path = join(world.directory, 'main.yaml');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('count: 2,', `count: 2, ${rollout}`));
}

interface Several {
  readonly command: string;
  readonly vms: readonly { readonly address: string; readonly outcome: string }[];
}

async function run(argv: readonly string[], options?: RunOptions) {
  const ran = await world.run(['vm', ...argv, '--json'], options);
  const { vms, command } = ran.json as Several;
  const ends = vms.map(({ address, outcome }) => `${address.slice(-3)} ${outcome}`);
  return { ...ran, command, ends };
}

/** True where two operations of a type were under way together. */
async function overlap(type: string): Promise<boolean> {
  const operations = await world.client.listOperations(world.projectId);
  const [one, other] = operations.filter((operation) => operation.type === type);
  return one!.createdAt! < other!.completedAt! && other!.createdAt! < one!.completedAt!;
}

const failing = (id: () => string) => ({
  planFailure: ({ type, resourceId }: { type: string; resourceId: string }) =>
    type === 'Reboot' && resourceId === id() ? ('internal' as const) : null,
});

describe('work on all VMs of a block', () => {
  test.each([
    ['', true],
    ['rollout: { atOnce: 2 },', true],
    ['rollout: { atOnce: 1 },', false],
    ['rollout: { atOnce: 1% },', false],
  ])('goes as %j says', async (rollout, isTogether) => {
    await open(rollout);
    const { code, ends, command } = await run(['reboot', all]);
    expect({ code, ends, command }).toEqual({
      code: 0,
      ends: ['[0] done', '[1] done'],
      command: 'vm reboot',
    });
    expect(await overlap('Reboot')).toBe(isTogether);
  });

  test.each([
    ['stop', ['[0] failed', '[1] skipped']],
    ['continue', ['[0] failed', '[1] done']],
  ])('on failure: %s', async (onFailure, expected) => {
    let first = '';
    await open(
      `rollout: { atOnce: 1, onFailure: ${onFailure} },`,
      failing(() => first),
    );
    first = world.vmIds[0]!;
    const { code, ends, stderr } = await run(['reboot', all]);
    expect([code, ends]).toEqual([1, expected]);
    expectWords(stderr, web0);
  });

  test('waits for the probes, and stops where they do not hold', async () => {
    await open(
      'rollout: { atOnce: 1, within: 1m, ready: [tcp: "203.0.113.7:${22 + each.index}"] },',
    );
    const asked: string[] = [];
    const ask =
      (failsAt: string): RunProbeOnce =>
      (probe, { address }) => {
        asked.push(`${address.slice(-3)} ${probe.kind === 'tcp' ? probe.port : ''}`);
        const kind = address === failsAt ? 'failing' : 'holds';
        return Promise.resolve(kind === 'holds' ? { kind } : { kind, seen: 'refused' });
      };
    const refused = await world.run(['vm', 'reboot', all]);
    expectFailure(refused, 'probe-not-allowed');
    expect(refused.writes).toEqual([]);
    const good = await run(['reboot', all, '--allow-probes'], { askProbe: ask('') });
    expect(good.ends).toEqual(['[0] done', '[1] done']);
    expect(asked).toEqual(['[0] 22', '[1] 23']);
    const bad = await run(['reboot', all, '--allow-probes'], { askProbe: ask(web0) });
    expect([bad.code, bad.ends]).toEqual([1, ['[0] failed', '[1] skipped']]);
    expectWords(bad.stderr, '[not-ready]');
    // What stops is not probed, and a probe needs no leave then.
    expect((await run(['stop', all])).ends).toEqual(['[0] done', '[1] done']);
  });

  test('remembers what was not seen ready, from before the request, until its probes hold', async () => {
    await open('rollout: { atOnce: 1, within: 1m, ready: [tcp: "203.0.113.7:22"] },');
    const answer =
      (kind: 'holds' | 'failing'): RunProbeOnce =>
      () =>
        Promise.resolve(kind === 'holds' ? { kind } : { kind, seen: 'refused' });
    const reboot = (kind: 'holds' | 'failing', options: RunOptions = {}) =>
      world.run(['vm', 'reboot', all, '--allow-probes'], { askProbe: answer(kind), ...options });
    const unready = async () => {
      const text = await readFile(join(world.directory, '.hostwright', 'state.json'), 'utf8');
      const { resources } = JSON.parse(text) as {
        resources: { address: string; isNotReady?: true }[];
      };
      return resources.flatMap(({ address, isNotReady }) => (isNotReady ? [address] : []));
    };
    const readJournals = async () => {
      const folder = join(world.directory, '.hostwright');
      const names = (await readdir(folder)).filter((name) => name.startsWith('journal.'));
      return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join(
        '',
      );
    };
    let noted: string | undefined;
    await reboot('failing', {
      meddle: async (request, pass) => {
        if (request.method !== 'GET') noted ??= await readJournals();
        return pass();
      },
    });
    expectWords(noted!, '"isNotReady":true', web0);
    expect(await unready()).toEqual([web0]);
    const { stdout } = await world.run(['plan', '--allow-probes']);
    expectWords(stdout, '[not-ready-yet]', web0);
    // A VM that was not asked for anything is as before.
    const declined = await world.run(['vm', 'start', all, '--allow-probes'], {
      askProbe: answer('holds'),
    });
    expect([declined.code, await unready()]).toEqual([0, [web0]]);
    expect((await reboot('holds')).code).toBe(0);
    expect(await unready()).toEqual([]);
  });

  test('starts only what is stopped', async () => {
    await open('rollout: { atOnce: 1 },');
    await world.run(['vm', 'stop', web1]);
    const { ends, writes } = await run(['start', all]);
    expect(ends).toEqual(['[0] unchanged', '[1] done']);
    expect(writes).toHaveLength(1);
  });

  test('leaves alone what is stopped on purpose', async () => {
    await open("power: \"${each.index == 1 ? 'stopped' : 'running'}\", rollout: { atOnce: 1 },");
    await world.run(['vm', 'stop', web1]);
    const { code, ends } = await run(['reboot', all]);
    expect([code, ends]).toEqual([0, ['[0] done', '[1] unchanged']]);
  });

  test('asks about each loss before anything is begun', async () => {
    await open('');
    await world.run(['vm', 'backup', all]);
    const declined = await run(['restore', all, '--latest'], { answers: ['yes', 'no'] });
    expect(declined.ends).toEqual(['[0] declined', '[1] declined']);
    expect(declined.writes).toEqual([]);
    const { ends } = await run(['restore', all, '--latest', '--auto-approve']);
    expect(ends).toEqual(['[0] done', '[1] done']);
  });

  test('refuses an address that means nothing, and not to wait within a rollout', async () => {
    await open('rollout: { atOnce: 1 },');
    expectFailure(await world.run(['vm', 'reboot', 'projects.shop.vms.db[*]']), 'not-in-state');
    const unwaited = await world.run(['vm', 'reboot', all, '--no-wait']);
    expectFailure(unwaited, 'conflicting-options');
    const text = await world.run(['vm', 'stop', 'projects.shop.vms.web[*]']);
    expect(text.stdout).toMatch(/2 of 2 VMs stopped\.\n$/);
  });
});
