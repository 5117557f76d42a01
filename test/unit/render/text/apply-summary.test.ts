import { describe, expect, test } from 'vitest';
import type {
  AppliedChange,
  ApplyEvent,
  ChangeResult,
  ChangeLock,
} from '../../../../src/model/plan/result.ts';
import { listEffects } from '../../../../src/model/effects.ts';
import type { Action } from '../../../../src/model/plan/plan.ts';
import { renderApplySummary } from '../../../../src/render/text/apply-summary.ts';
import { formatElapsed } from '../../../../src/render/format/elapsed.ts';
import {
  renderEventLine,
  renderStillRunningLine,
  type RunningChange,
} from '../../../../src/render/progress/progress-lines.ts';
import { makeFinding, plain } from '../sample-plan.ts';

const layout = { ...plain, mode: 'apply' } as const;
const applied: ChangeResult = { kind: 'applied', id: 'vm-1' };

function end(address: string, action: Action, result: ChangeResult): AppliedChange {
  const losses = action === 'rebuild' ? ['Its disk is lost.'] : [];
  const done = result.kind === 'applied' ? listEffects({ action, losses }) : [];
  return { address: `projects.shop.vms.${address}`, action, result, done, elapsedMs: 1000 };
}

describe('the end of an apply', () => {
  test.each<[string, readonly Action[], 'apply' | 'destroy', string]>([
    [
      'all kinds',
      ['create', 'update', 'rebuild', 'replace', 'delete', 'forget'],
      'apply',
      'Apply complete! Resources: 2 added, 1 changed, 1 rebuilt (1 disk lost), 2 destroyed, 1 forgotten.',
    ],
    ['nothing', [], 'apply', 'Apply complete! Resources: 0 added, 0 changed, 0 destroyed.'],
    [
      'a destroy',
      ['delete', 'delete', 'delete'],
      'destroy',
      'Destroy complete! Resources: 3 destroyed.',
    ],
    [
      'a destroy that leaves something alone',
      ['delete', 'forget'],
      'destroy',
      'Destroy complete! Resources: 1 destroyed, 1 forgotten.',
    ],
  ])('%s', (_, actions, mode, line) => {
    const changes = actions.map((action, index) => end(`web[${index}]`, action, applied));
    const summary = { changes, isInterrupted: false };
    expect(renderApplySummary(summary, { ...layout, mode })).toBe(`${line}\n`);
  });

  test('an end that nobody knows is no complete apply', () => {
    const diagnostic = makeFinding({ severity: 'warning', code: 'unknown-outcome' });
    const changes = [end('a', 'create', { kind: 'unknown', diagnostic })];
    expect(renderApplySummary({ changes, isInterrupted: false }, layout)).toContain(
      'Apply incomplete! Resources: 0 added, 0 changed, 0 destroyed, 1 unknown.',
    );
  });

  test('many failures for one reason are told once; --verbose tells each', () => {
    const failed = (address: string, summary: string) =>
      end(address, 'create', { kind: 'failed', diagnostic: makeFinding({ summary }) });
    const changes = [
      failed('db', 'No room'),
      ...Array.from({ length: 20 }, (_, index) => failed(`web[${index}]`, 'No address is free')),
      failed('app["a"]', 'No address is free'),
    ];
    const text = renderApplySummary({ changes, isInterrupted: false }, layout);
    expect(text.match(/^│ Error.*|^│ {3}with.*|^The same.*|^ {2}- .*/gm)).toEqual([
      '│ Error: No room [quota-exceeded]',
      '│   with projects.shop.vms.db',
      '│ Error: No address is free [quota-exceeded]',
      '│   with projects.shop.vms.web[0]',
      'The same happened to 20 more:',
      '  - projects.shop.vms.web[1..19]',
      '  - projects.shop.vms.app["a"]',
    ]);
    const all = renderApplySummary(
      { changes, isInterrupted: false },
      { ...layout, isVerbose: true },
    );
    expect(all.match(/^│ Error/gm)).toHaveLength(22);
  });

  test('with a rebuild that was taken back', () => {
    const diagnostic = makeFinding({ summary: 'It was not ready' });
    const changes = [end('a', 'rebuild', { kind: 'failed', diagnostic, restoredFrom: 'b-1' })];
    const text = renderApplySummary({ changes, isInterrupted: false }, layout);
    expect(text).toContain(
      'Restored from the backup before the rebuild:\n  - projects.shop.vms.a\n',
    );
    expect(text).toContain('1 failed, 1 restored.');
  });

  test('with failures: what failed, what was skipped, what to do', () => {
    const changes = [
      end('a', 'create', {
        kind: 'failed',
        diagnostic: makeFinding({ code: 'service-error', summary: 'The service refused the VM' }),
      }),
      end('b', 'update', applied),
      end('c', 'create', {
        kind: 'unknown',
        diagnostic: makeFinding({
          severity: 'warning',
          code: 'unknown-outcome',
          summary: 'The connection broke',
        }),
      }),
      end('d', 'create', { kind: 'skipped', causedBy: 'projects.shop.vms.a' }),
      end('e', 'create', { kind: 'skipped', causedBy: 'projects.shop.vms.a' }),
      end('f', 'create', { kind: 'skipped', causedBy: 'projects.shop.vms.c' }),
    ];
    expect(renderApplySummary({ changes, isInterrupted: false }, layout)).toMatchInlineSnapshot(`
      "╷
      │ Error: The service refused the VM [service-error]
      │
      │   with projects.shop.vms.a
      ╵
      ╷
      │ Warning: The connection broke [unknown-outcome]
      │
      │   with projects.shop.vms.c
      ╵

      Skipped, because projects.shop.vms.a was not done:
        - projects.shop.vms.d
        - projects.shop.vms.e

      Skipped, because projects.shop.vms.c was not done:
        - projects.shop.vms.f

      Apply incomplete! Resources: 0 added, 1 changed, 0 destroyed, 1 failed, 1 unknown, 3 skipped.

      The state has all completed changes. The result of 1 change is unknown: the next
      run checks first. Fix the errors above, then run "hostwright apply" again: it
      continues from here.
      "
    `);
  });

  test('interrupted: long lists are cut', () => {
    const rest = Array.from({ length: 12 }, (_, index) =>
      end(`web-${index}`, 'delete', { kind: 'interrupted' }),
    );
    const summary = { changes: [end('a', 'delete', applied), ...rest], isInterrupted: true };
    expect(renderApplySummary(summary, { ...layout, mode: 'destroy' })).toMatchInlineSnapshot(`
      "Not started, because the run was interrupted:
        - projects.shop.vms.web-0
        - projects.shop.vms.web-1
        - projects.shop.vms.web-2
        - projects.shop.vms.web-3
        - projects.shop.vms.web-4
        - projects.shop.vms.web-5
        - projects.shop.vms.web-6
        - projects.shop.vms.web-7
        - projects.shop.vms.web-8
        - projects.shop.vms.web-9
        - and 2 more

      Destroy interrupted! Resources: 1 destroyed, 12 not started.

      The state has all completed changes. Run "hostwright destroy" again: it
      continues from here.
      "
    `);
  });

  test('stopped by a state that cannot be written', () => {
    const changes = [
      end('a', 'create', applied),
      end('b', 'create', { kind: 'interrupted', isBegun: true }),
      end('c', 'create', { kind: 'interrupted' }),
    ];
    const summary = { changes, isInterrupted: false, isUnwritten: true };
    expect(renderApplySummary(summary, layout)).toMatchInlineSnapshot(`
      "Started and not finished, because the state could not be written:
        - projects.shop.vms.b

      Not started, because the state could not be written:
        - projects.shop.vms.c

      Apply incomplete! Resources: 1 added, 0 changed, 0 destroyed, 1 not finished, 1 not started.

      The state could not be written to its backend: see below. Run "hostwright apply"
      again: it continues from here.
      "
    `);
  });

  test('interrupted after the last change was done', () => {
    const summary = { changes: [end('a', 'create', applied)], isInterrupted: true };
    expect(renderApplySummary(summary, layout).split('\n')[0]).toBe(
      'Apply interrupted! Resources: 1 added, 0 changed, 0 destroyed.',
    );
  });

  test('a diagnostic that names its own address keeps it', () => {
    const diagnostic = makeFinding({ address: 'projects.other' });
    const changes = [end('a', 'create', { kind: 'failed', diagnostic })];
    const text = renderApplySummary({ changes, isInterrupted: false }, layout);
    expect(text).toContain('with projects.other');
  });
});

describe('lines while it runs', () => {
  const address = 'projects.shop.vms.web';
  const line = (event: ApplyEvent) => renderEventLine(event, plain.style);

  const started = (step: ApplyEvent['step'], id: string | null) =>
    ({ kind: 'started', step, id, address, at: 0 }) as const;
  const completed = (step: ApplyEvent['step'], elapsedMs: number) =>
    ({ kind: 'completed', step, id: 'vm-1', elapsedMs, address, at: 0 }) as const;
  const errored = { kind: 'errored', step: 'create', elapsedMs: 2000, address, at: 0 } as const;
  test.each<[ApplyEvent, string]>([
    [started('create', null), 'Creating...'],
    [started('update', 'vm-1'), 'Modifying... [id=vm-1]'],
    [started('rebuild', 'vm-1'), 'Rebuilding... [id=vm-1]'],
    [started('delete', '\u001b[2J'), 'Destroying... [id=\\u001b[2J]'],
    [completed('create', 3200), 'Creation complete after 3s [id=vm-1]'],
    [completed('update', 3200), 'Modifications complete after 3s [id=vm-1]'],
    [completed('rebuild', 70_000), 'Rebuild complete after 1m10s [id=vm-1]'],
    [completed('delete', 400), 'Destruction complete after 0s'],
    [{ ...errored, diagnostic: makeFinding() }, 'Creation errored after 2s: Too many cores'],
  ])('%j', (event, text) => expect(line(event)).toBe(`${address}: ${text}`));

  test('progress says nothing by itself', () =>
    expect(
      line({ kind: 'progress', step: 'create', status: 'Running', address, at: 0 }),
    ).toBeUndefined());

  const other = 'projects.shop.vms.other';
  const backup = { kind: 'operation', type: 'CreateBackup', id: 'op-7' } as const;
  const still = (step: ApplyEvent['step'], more: Partial<RunningChange> = {}): RunningChange => ({
    ...{ address, step, id: null, elapsedMs: 10_000, ...more },
  });
  const locked = (lock: ChangeLock) =>
    still('update', { status: 'waiting for a lock: updating', lock });
  const byChange = { kind: 'change', address: other } as const;
  test.each<[RunningChange, string]>([
    [still('create'), 'creating... [10s elapsed]'],
    [still('update', { id: 'vm-1', elapsedMs: 20_000 }), 'modifying... [id=vm-1, 20s elapsed]'],
    [still('rebuild', { status: 'Rebuild Queued' }), 'rebuilding... [10s elapsed] Rebuild Queued'],
    [still('delete'), 'destroying... [10s elapsed]'],
    [locked({ by: byChange }), `modifying... [10s elapsed] locked by the change of ${other}`],
    [
      locked({ resource: address, by: byChange }),
      `modifying... [10s elapsed] locked by the change of ${other}`,
    ],
    [
      locked({ resource: other, by: { ...backup, since: Date.UTC(2026, 10, 21, 12, 0, 5) } }),
      `modifying... [10s elapsed] ${other} is locked by CreateBackup, not of this run, since 12:00:05 UTC (op-7)`,
    ],
    [
      locked({ resource: address, by: { ...backup, id: '\u001b', since: null } }),
      'modifying... [10s elapsed] locked by CreateBackup, not of this run (\\u001b)',
    ],
    [locked({ resource: address }), 'modifying... [10s elapsed] waiting for a lock: updating'],
  ])('%j', (running, text) => {
    expect(renderStillRunningLine(running, plain.style)).toBe(`${address}: Still ${text}`);
  });

  test.each<[number, string]>([
    [-5, '0s'],
    [0, '0s'],
    [499, '0s'],
    [10_000, '10s'],
    [60_000, '1m0s'],
    [70_000, '1m10s'],
    [3_605_000, '1h0m5s'],
  ])('%i ms are %s', (ms, text) => expect(formatElapsed(ms)).toBe(text));
});
