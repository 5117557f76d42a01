import { expect, test } from 'vitest';
import { createAnsiStyle } from '../../../../src/render/format/style.ts';
import { renderLiveProgress } from '../../../../src/render/progress/live-progress.ts';
import { plain } from '../sample-plan.ts';

const running = [5, 30, 10].map((seconds) => ({
  address: `projects.shop.vms.web[${seconds}]`,
  step: 'create' as const,
  id: null,
  elapsedMs: seconds * 1000,
}));

test('those that run longest, and a bar over all', () => {
  const progress = { running, done: 5, failed: 0, total: 10, elapsedMs: 60_000, leftMs: 60_000 };
  expect(renderLiveProgress(progress, plain, 10).join('\n')).toMatchInlineSnapshot(`
    "  projects.shop.vms.web[30]: Still creating... [30s elapsed]
      projects.shop.vms.web[10]: Still creating... [10s elapsed]
      projects.shop.vms.web[5]: Still creating... [5s elapsed]
      ████████████░░░░░░░░░░░░ 5 of 10 done, 3 running, 1m0s, about 1m0s left"
  `);
});

test('on a narrow terminal the time left is said rather than how many run', () => {
  const progress = { running, done: 11, failed: 0, total: 58, elapsedMs: 3_000, leftMs: 12_000 };
  const last = renderLiveProgress(progress, { ...plain, columns: 40 }, 10).at(-1);
  expect(last).toBe('  11 of 58 done, 3s, about 12s left');
  const failing = { ...progress, failed: 2 };
  const shorter = renderLiveProgress(failing, { ...plain, columns: 40 }, 10).at(-1);
  expect(shorter).toMatch(/ 11 of 58 done, 2 failed$/);
  const drain = { ...progress, drainMs: 3_593_000 };
  expect(renderLiveProgress(drain, { ...plain, columns: 40 }, 10).at(-1)).toBe(
    '  Interrupted: waiting for 3 changes',
  );
  expect(renderLiveProgress(drain, { ...plain, columns: 50 }, 10).at(-1)).toBe(
    '  Interrupted: waiting for 3 changes, max 59m53s',
  );
});

test('never more lines than there are rows', () => {
  const progress = { running, done: 1, failed: 0, total: 10, elapsedMs: 60_000 };
  const lines = renderLiveProgress(progress, plain, 4);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain('web[30]');
  expect(lines[2]).toBe('  and 1 more');
  // Nobody knows how long it will take.
  expect(lines[3]).not.toContain('left');
});

test('a long address is cut', () => {
  const one = { ...running[0]!, address: `projects.${'p'.repeat(100)}` };
  const [line] = renderLiveProgress(
    { running: [one], done: 0, failed: 0, total: 1, elapsedMs: 0 },
    plain,
    9,
  );
  expect(line).toHaveLength(79);
});

test('what locks a change is told before its id', () => {
  const one = {
    ...{ address: 'projects.shop.vms.web[0]', step: 'update' as const, id: 'vm-1' },
    elapsedMs: 10_000,
    status: 'waiting for a lock: CreateBackup InProgress',
    lock: {
      resource: 'projects.shop.vms.web[0]',
      by: { kind: 'operation' as const, type: 'CreateBackup', id: 'op-x97b60gw', since: 0 },
    },
  };
  const [line] = renderLiveProgress(
    { running: [one], done: 0, failed: 0, total: 1, elapsedMs: 0 },
    plain,
    9,
  );
  expect(line).toBe(
    '  projects.shop.vms.web[0]: 10s, locked by CreateBackup, not of this run, sinc…',
  );
});

test('nothing to do is all done', () => {
  const [line] = renderLiveProgress(
    { running: [], done: 0, failed: 0, total: 0, elapsedMs: 0 },
    plain,
    9,
  );
  expect(line).toBe(`  ${'█'.repeat(24)} 0 of 0 done, 0 running, 0s`);
});

test('once interrupted, what is waited for and how long at most, in one line', () => {
  const progress = {
    running,
    done: 5,
    failed: 0,
    total: 10,
    elapsedMs: 60_000,
    drainMs: 1_140_000,
  };
  const last = renderLiveProgress(progress, plain, 10).at(-1) ?? '';
  expect(last).toMatch(/^ {2}Interrupted: waiting for 3 changes, at most 19m0s: projects\.shop/);
  expect(last.length).toBeLessThanOrEqual(80);
});

test('what failed and what is skipped for it are counted, and red', () => {
  const waits = { count: 0, skipped: 3, groups: [] };
  const progress = { running: [], done: 5, failed: 2, total: 10, elapsedMs: 60_000, waits };
  const [line = ''] = renderLiveProgress(
    progress,
    { columns: 80, style: createAnsiStyle(true) },
    9,
  );
  const red = '\u001b[31m';
  expect(line.replaceAll('\u001b', '')).toContain(
    '5 of 10 done, [31m2 failed, 3 skipped[39m, 0 running, 1m0s',
  );
  expect(line.split(red)).toHaveLength(3);
});
