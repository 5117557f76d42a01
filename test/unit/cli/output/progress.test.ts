import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createApplyProgress } from '../../../../src/cli/output/progress.ts';
import type { Task } from '../../../../src/model/plan/task.ts';
import type { Runtime } from '../../../../src/model/runtime.ts';
import { createAnsiStyle } from '../../../../src/render/format/style.ts';
import { Screen } from '../../../support/screen.ts';
import { silentRuntime } from '../../../support/silent-runtime.ts';
import { dependOn } from '../../../support/depend-on.ts';

const at = (index: number) => `projects.shop.vms.web[${index}]`;
const network = 'projects.shop.networks.lan';
const task = (address: string, dependsOn: readonly string[] = []): Task => ({
  ...{
    id: `${address}#apply`,
    address,
    phase: 'apply',
    commands: [],
    dependsOn: dependOn(dependsOn),
  },
  timeouts: { createMs: 1, updateMs: 1, deleteMs: 1 },
});
/** A network and VMs in it. */
const tasks = (count: number) => [
  task(network),
  ...Array.from({ length: count }, (_, index) => task(at(index), [`${network}#apply`])),
];

/** An apply whose time goes on when it is told to. */
function openApply(
  count: number,
  screen: Screen | undefined = new Screen(),
  isLog = false,
  env: Runtime['env'] = {},
) {
  let now = 0;
  let wake: (() => void) | undefined;
  const log: string[] = [];
  const works = new Set<() => void>();
  const suspensions = new Set<{ readonly before: () => void; readonly after: () => void }>();
  const interrupted = new AbortController();
  const runtime: Runtime = {
    ...silentRuntime,
    env,
    clock: {
      now: () => now,
      sleep: () =>
        new Promise<void>((resolve) => {
          wake = resolve;
        }),
    },
    stderr: isLog ? { ...silentRuntime.stderr, write: (text) => void log.push(text) } : screen,
    interrupted: interrupted.signal,
    beforeAbruptEnd: (work) => {
      works.add(work);
      return () => works.delete(work);
    },
    aroundSuspension: (work) => {
      suspensions.add(work);
      return () => suspensions.delete(work);
    },
  };
  const layout = { columns: 80, style: createAnsiStyle(true) };
  const progress = createApplyProgress(runtime, layout, tasks(count));
  const tell = (
    kind: 'started' | 'completed' | 'errored' | 'progress',
    address: string,
    endsAt?: number,
  ) =>
    progress.show({
      ...{ kind, address, step: 'create', id: kind === 'completed' ? 'id-1' : null, at: now },
      ...{ elapsedMs: now, status: 'Running', withinMs: 60_000, endsAt },
      diagnostic: { severity: 'error', code: 'no-room', summary: 'The cluster has no room' },
    });
  return {
    ...{ progress, screen, log, works, suspensions, interrupted, tell },
    /** Lets so much time pass in steps of the drawing. */
    pass: async (ms: number, stepMs = 120) => {
      for (const end = now + ms; now < end;) {
        now = Math.min(end, now + stepMs);
        wake?.();
        await new Promise(setImmediate);
      }
    },
  };
}

describe('on a terminal', () => {
  test('a line for what runs, what waits for it, and a bar; what ended stays above', async () => {
    const { progress, screen, tell, pass } = openApply(3);
    tell('started', network);
    tell('progress', network);
    await pass(2_040);
    expect(screen.lines).toMatchInlineSnapshot(`
      [
        "  projects.shop.networks.lan: Still creating... [2s elapsed] Running",
        "  3 waiting: 3 for projects.shop.networks.lan",
        "  ░░░░░░░░░░░░░░░░░░░░░░░░ 0 of 4 done, 1 running, 2s",
      ]
    `);
    tell('completed', network);
    tell('started', at(0));
    tell('started', at(1));
    await pass(1_080);
    expect(screen.lines).toMatchInlineSnapshot(`
      [
        "✓ projects.shop.networks.lan: Creation complete after 2s [id=id-1]",
        "  projects.shop.vms.web[0]: Still creating... [1s elapsed]",
        "  projects.shop.vms.web[1]: Still creating... [1s elapsed]",
        "  1 waiting: 1 for its turn",
        "  ██████░░░░░░░░░░░░░░░░░░ 1 of 4 done, 2 running, 3s",
      ]
    `);
    tell('errored', at(0));
    progress.stop();
    expect(screen.lines).toMatchInlineSnapshot(`
      [
        "✓ projects.shop.networks.lan: Creation complete after 2s [id=id-1]",
        "✗ projects.shop.vms.web[0]: Creation errored after 3s: The cluster has no room",
      ]
    `);
  });

  test('a thousand at once: never more lines than there are, and few writes', async () => {
    const { progress, screen, tell, pass } = openApply(2_000);
    tell('started', network);
    tell('completed', network);
    for (let index = 0; index < 1_000; index += 1) tell('started', at(index));
    await pass(120);
    const before = screen.writes;
    await pass(10_200);
    expect(screen.lines.length).toBeLessThanOrEqual(screen.rows);
    expect(screen.lines.slice(-3)).toMatchInlineSnapshot(`
      [
        "  and 983 more",
        "  1000 waiting: 1000 for their turn",
        "  ░░░░░░░░░░░░░░░░░░░░░░░░ 1 of 2001 done, 1000 running, 10s",
      ]
    `);
    // Nothing but the seconds changes.
    expect(screen.writes - before).toBeLessThanOrEqual(11);
    for (let index = 0; index < 1_000; index += 1) tell('completed', at(index));
    const crowded = screen.writes;
    await pass(120);
    expect(screen.writes - crowded).toBe(1);
    progress.stop();
    expect(screen.lines).toHaveLength(1_001);
  });

  test.each([
    [80, 40],
    [40, 80],
    [80, 20],
  ])('made %d, then %d columns wide: nothing is left behind', async (wide, narrow) => {
    const { progress, screen, tell, pass } = openApply(3, new Screen(wide, 24));
    tell('started', network);
    await pass(3_000);
    screen.columns = narrow;
    await pass(2_040);
    for (const line of screen.lines) expect(line.length).toBeLessThan(narrow);
    expect(screen.lines).toHaveLength(3);
    tell('completed', network);
    progress.stop();
    for (const line of screen.lines) expect(line.length).toBeLessThanOrEqual(narrow);
    expect(screen.lines.join('').replaceAll(' ', '')).toBe(
      `✓${network}:Creationcompleteafter5s[id=id-1]`,
    );
  });

  test('what has to be said meanwhile stands above', async () => {
    const { progress, screen, tell, pass } = openApply(1);
    tell('started', network);
    await pass(120);
    progress.interject('╷\n│ Note\n╵\n');
    expect(screen.lines.slice(0, 3)).toEqual(['╷', '│ Note', '╵']);
    expect(screen.lines[3]).toContain(network);
    progress.stop();
    expect(screen.lines).toHaveLength(3);
  });

  test('ended in the middle: what ended stays, what runs is taken away', async () => {
    const { progress, screen, works, tell, pass } = openApply(1);
    tell('started', network);
    await pass(2_040);
    tell('completed', network);
    tell('started', at(0));
    for (const work of [...works]) work();
    expect(screen.lines).toEqual([`✓ ${network}: Creation complete after 2s [id=id-1]`]);
    await pass(1_080);
    progress.stop();
    expect(screen.lines).toHaveLength(1);
    expect(works.size).toBe(0);
  });

  test('suspended: nothing is left on the screen, and what runs is drawn anew below', async () => {
    const { progress, screen, suspensions, tell, pass } = openApply(1);
    tell('started', network);
    await pass(120);
    expect(screen.modes).toEqual(new Set(['25']));
    for (const { before } of suspensions) before();
    expect(screen.lines).toEqual([]);
    expect(screen.modes).toEqual(new Set());
    // What the shell says meanwhile.
    screen.write('$ fg\n');
    for (const { after } of suspensions) after();
    await pass(120);
    expect(screen.lines[0]).toBe('$ fg');
    expect(screen.lines[1]).toContain(network);
    progress.stop();
    expect(screen.lines).toEqual(['$ fg']);
    expect(screen.modes).toEqual(new Set());
    expect(suspensions.size).toBe(0);
  });

  test('tells what failed, what is skipped for it, and how long the rest will take', async () => {
    const { screen, tell, pass } = openApply(3);
    tell('started', network);
    tell('completed', network, 64_000);
    tell('started', at(0));
    tell('started', at(1));
    tell('errored', at(0), 64_000);
    await pass(4_080);
    expect(screen.lines.at(-1)).toContain('1 of 4 done, 1 failed, 1 running, 4s, about 1m0s left');
    expect(screen.lines.join('\n')).toContain(
      `✗ ${at(0)}: Creation errored after 0s: The cluster has no room`,
    );
  });

  test('once interrupted, for how long at most', async () => {
    const { screen, interrupted, tell, pass } = openApply(1);
    tell('started', network);
    interrupted.abort();
    await pass(120);
    expect(screen.lines.at(-1)).toContain('Interrupted: waiting for 1 change, at most 1m0s');
  });

  test('what nobody planned is shown all the same', async () => {
    const { progress, screen, tell, pass } = openApply(0);
    tell('progress', 'projects.other');
    tell('started', 'projects.other');
    await pass(120);
    expect(screen.lines[0]).toContain('projects.other: Still creating');
    tell('completed', 'projects.other');
    progress.stop();
    expect(screen.lines).toHaveLength(1);
  });
});

test.each([{ CI: 'true' }, { TERM: 'dumb' }, { HOSTWRIGHT_LOG: 'debug' }])(
  'nothing is drawn over again with %j',
  async (env) => {
    const { screen, tell, pass } = openApply(1, new Screen(), false, env);
    tell('started', network);
    await pass(10_500, 500);
    expect(screen.lines).toEqual([
      `${network}: Creating...`,
      `${network}: Still creating... [10s elapsed]`,
    ]);
  },
);

test('in a log: a line at its start, every ten seconds, and at its end', async () => {
  const { progress, log, interrupted, tell, pass } = openApply(1, undefined, true);
  tell('started', network);
  tell('progress', network);
  await pass(21_000, 500);
  progress.interject('A note.\n');
  interrupted.abort();
  await pass(1_000, 500);
  tell('completed', network);
  progress.stop();
  expect(log.map(stripVTControlCharacters)).toMatchInlineSnapshot(`
    [
      "projects.shop.networks.lan: Creating...
    ",
      "projects.shop.networks.lan: Still creating... [10s elapsed] Running
    ",
      "projects.shop.networks.lan: Still creating... [20s elapsed] Running
    ",
      "A note.
    ",
      "Interrupted: waiting for 1 change, at most 39s: projects.shop.networks.lan
    ",
      "projects.shop.networks.lan: Creation complete after 22s [id=id-1]
    ",
    ]
  `);
});
