import { parse } from 'yaml';
import { listEffects } from '../../../src/model/effects.ts';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  actions,
  type Change,
  type Drift,
  type OutputChange,
  type Plan,
} from '../../../src/model/plan/plan.ts';
import type {
  AppliedChange,
  ApplyEvent,
  ApplySummary,
  ChangeLock,
} from '../../../src/model/plan/result.ts';
import type { RunningChange } from '../../../src/render/progress/progress-lines.ts';
import {
  describeApplyEvent,
  describeStillRunningEvent,
  describeApplySummaryEvents,
} from '../../../src/render/json/apply-events-json.ts';
import {
  describeDiagnosticEvent,
  describeVersionEvent,
  type StreamEventJson,
} from '../../../src/render/json/event-json.ts';
import { renderPlanJson } from '../../../src/render/json/json.ts';
import { describePlanEvents } from '../../../src/render/json/plan-events-json.ts';
import { makeChange, makeFinding, makePlan } from './sample-plan.ts';
import { makeRehearsal } from './sample-rehearsal.ts';
import { readRows } from '../../support/read-rows.ts';

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const validate = ajv.compile(
  JSON.parse(
    readFileSync(new URL('../../../schemas/events.schema.json', import.meta.url), 'utf8'),
  ) as object,
);

/** The events as a reader gets them, each checked against the schema. */
function read(events: readonly StreamEventJson[]): StreamEventJson[] {
  for (const event of events) {
    validate(event);
    expect(validate.errors, JSON.stringify(event)).toBeNull();
  }
  return JSON.parse(JSON.stringify(events)) as StreamEventJson[];
}

const at = Date.UTC(2027, 0, 2, 3, 4, 5);
const planned = (plan: Plan) => read([...describePlanEvents(plan, at)]);
const only = (events: readonly StreamEventJson[], type: string) =>
  events.filter((event) => event.type === type);

describe('the stream of a plan', () => {
  it('says how it was rehearsed', () => {
    const trials = { count: 4, whole: 3, medianMs: 1, worstMs: 2, failures: [] };
    for (const rehearsal of [makeRehearsal(), makeRehearsal({ trials })]) {
      const events = read([...describePlanEvents(makePlan([]), at, rehearsal)]);
      expect(only(events, 'rehearsal')).toMatchObject([{ hostwright: { changes: 3 } }]);
    }
    expect(only(planned(makePlan([])), 'rehearsal')).toEqual([]);
  });

  it('says who writes it', () =>
    expect(read([describeVersionEvent('1.2.3', at)])[0]).toMatchObject({
      '@message': 'Hostwright 1.2.3',
      '@timestamp': '2027-01-02T03:04:05.000Z',
      ...{ type: 'version', ui: '1.2', hostwright: '1.2.3' },
    }));

  it.each(
    readRows(`
    { action: create } | { action: create }
    { action: rebuild } | { action: update }
    { action: replace, reason: requested } | { action: replace, reason: requested }
    { action: replace, isCreatedFirst: true, reason: triggered } | { action: replace, reason: replace_triggered_by }
    { action: delete, reason: not-configured } | { action: delete, reason: delete_because_no_resource_config }
    { action: forget } | { action: remove }
    { action: import, isImported: true } | { action: import, importing: { id: vm-1 } }
    { action: move, movedFrom: 'projects.shop.vms.old[1]' } | { action: move, previous_resource: { resource_name: old, resource_key: 1 } }
  `),
  )('has %s', (given, expected) => {
    const { action, ...rest } = parse(given) as { action: Change['action'] | 'import' | 'move' };
    const isNoOp = action === 'import' || action === 'move';
    const change = makeChange({ ...rest, action: isNoOp ? 'no-op' : action });
    const [event] = only(planned(makePlan([change])), 'planned_change');
    expect(event).toMatchObject({ change: parse(expected) as object });
    expect(event?.['@message']).toBe(`projects.shop.vms.web: Plan to ${action}`);
    expect(event && 'hostwright' in event).toBe(action === 'rebuild');
  });

  it.each([
    ['projects.shop.vms.web[0]', '', 'projects.shop.vms.web[0]'],
    ['modules.eu["a.b"].projects.p.vms.web', 'modules.eu["a.b"]', 'projects.p.vms.web'],
    ['modules.a.modules.b.tokens.ci', 'modules.a.modules.b', 'tokens.ci'],
  ])('takes %s apart', (addr, module, resource) => {
    const [event] = only(
      planned(makePlan([makeChange({ address: addr, action: 'update' })])),
      'planned_change',
    );
    expect(event).toMatchObject({ change: { resource: { addr, module, resource } } });
  });

  it('has findings, drift, changes, counts and outputs, in this order', () => {
    const output: OutputChange = {
      ...{ name: 'o', action: 'update', before: 1, after: 2 },
      ...{ isUnknown: false, wasSensitive: false, isSensitive: false },
    };
    const drift: Omit<Drift, 'after'> = {
      address: 'projects.shop.vms.web',
      kind: 'vm',
      project: 'projects.shop',
      id: 'vm-1',
      ...{ before: {}, names: [], sensitive: [] },
    };
    const events = planned(
      makePlan([makeChange({ action: 'update' })], {
        findings: [
          makeFinding({ severity: 'note' }),
          makeFinding(),
          makeFinding({ severity: 'warning' }),
        ],
        drift: [
          { ...drift, after: null },
          { ...drift, after: {} },
        ],
        outputs: [
          output,
          { ...output, name: 'gone', action: 'delete', after: null },
          { ...output, name: 'same', action: 'no-op' },
          { ...output, name: 'secret', isSensitive: true, after: 'SECRET' },
        ],
      }),
    );
    expect(events.map(({ type }) => type)).toEqual([
      ...['diagnostic', 'diagnostic', 'diagnostic', 'resource_drift', 'resource_drift'],
      ...['planned_change', 'change_summary', 'outputs'],
    ]);
    expect(events.map((event) => event['@level']).slice(0, 3)).toEqual(['error', 'warn', 'info']);
    expect(events[3]?.['@message']).toBe('projects.shop.vms.web: Drift detected (delete)');
    expect(events.at(-1)).toMatchObject({
      '@message': 'Outputs: 4',
      outputs: {
        o: { action: 'update', type: 'number', value: 2 },
        gone: { action: 'delete', value: 1 },
        same: { action: 'noop' },
        secret: { action: 'update', sensitive: true },
      },
    });
    expect(JSON.stringify(events)).not.toContain('SECRET');
  });

  it('ends with what a plan says that changes nothing', () => {
    const [event] = planned(makePlan([makeChange({ action: 'no-op' })]));
    expect(event?.['@message']).toBe('No changes. Your infrastructure matches the configuration.');
    expect(event).toMatchObject({ changes: { add: 0, change: 0, import: 0, remove: 0 } });
  });

  const plan = fc
    .array(
      fc.record({
        action: fc.constantFrom(...actions),
        isImported: fc.boolean(),
        key: fc.string(),
      }),
      { maxLength: 8 },
    )
    .map((given) =>
      makePlan(
        given.map(({ key, ...rest }, index) =>
          makeChange({
            ...rest,
            address: `projects.a.vms.web[${JSON.stringify(`${index}${key}`)}]`,
          }),
        ),
      ),
    );
  test.prop([plan])('says the same as the JSON of the plan', (given) => {
    const events = planned(given);
    const json = renderPlanJson(given, { version: '0', plannedAt: 0, fingerprints: {} });
    const { summary } = json.hostwright;
    expect(only(events, 'change_summary')[0]).toMatchObject({
      changes: {
        ...{ add: summary.add, change: summary.change + summary.rebuild },
        ...{ import: summary.import, remove: summary.destroy, operation: 'plan' },
      },
      hostwright: {
        ...{ change: summary.change, rebuild: summary.rebuild },
        ...{ disks_lost: summary.disksLost, forget: summary.forget },
      },
    });
    expect(
      only(events, 'planned_change').map(
        ({ change }) => (change as { resource: { addr: string } }).resource.addr,
      ),
    ).toEqual(
      json.resource_changes
        .filter(({ change, hostwright }) => {
          return change.actions[0] !== 'no-op' || change.importing || hostwright.action === 'due';
        })
        .map(({ address }) => address),
    );
  });
});

describe('the stream of an apply', () => {
  const base = { address: 'projects.shop.vms.web[0]', at } as const;
  const of = (event: ApplyEvent) => read(describeApplyEvent(event));

  it.each<[string, ApplyEvent, string, object]>([
    [
      'apply_start',
      { ...base, kind: 'started', step: 'create', id: null },
      'projects.shop.vms.web[0]: Creating...',
      { action: 'create' },
    ],
    [
      'apply_start',
      { ...base, kind: 'started', step: 'rebuild', id: 'vm-1' },
      'projects.shop.vms.web[0]: Rebuilding... [id=vm-1]',
      { action: 'update', id_key: 'id', id_value: 'vm-1' },
    ],
    [
      'apply_complete',
      { ...base, kind: 'completed', step: 'create', id: 'vm-1', elapsedMs: 12_900 },
      'projects.shop.vms.web[0]: Creation complete after 13s [id=vm-1]',
      { action: 'create', id_value: 'vm-1', elapsed_seconds: 13 },
    ],
  ])('has %s', (type, event, message, hook) => {
    const [line, ...rest] = of(event);
    expect(line).toMatchObject({ type, '@message': message, hook });
    expect(line).toMatchObject({
      hook: { resource: { resource_name: 'web', resource_key: 0, resource_type: 'hostwright_vm' } },
    });
    expect(rest).toEqual([]);
  });

  it('has a failure with its diagnostic, and nothing for what the service says on the way', () => {
    const diagnostic = { severity: 'error', code: 'x', summary: 'It broke' } as const;
    const failed = of({ ...base, kind: 'errored', step: 'delete', elapsedMs: 100, diagnostic });
    expect(failed.map(({ type }) => type)).toEqual(['apply_errored', 'diagnostic']);
    expect(failed[1]).toMatchObject({ diagnostic: { address: base.address, detail: '' } });
    const event = { ...base, kind: 'errored', step: 'probe', elapsedMs: 9, diagnostic } as const;
    expect(of({ ...event, restoredFrom: 'b-7' })[0]).toMatchObject({
      hostwright: { restored_from: 'b-7' },
    });
    expect(of({ ...base, kind: 'progress', step: 'create', status: 'Running' })).toEqual([]);
  });

  it('says that a change still runs', () => {
    const running = { ...base, step: 'update', id: 'vm-1', elapsedMs: 10_400 } as const;
    const [quiet] = read([describeStillRunningEvent(running, at)]);
    expect(quiet).toMatchObject({ type: 'apply_progress', hook: { elapsed_seconds: 10 } });
    expect(quiet).not.toHaveProperty('hostwright');
    const [told] = read([describeStillRunningEvent({ ...running, status: 'Resizing' }, at)]);
    expect(told).toMatchObject({ hostwright: { status: 'Resizing' } });
  });

  it('says what locks a change', () => {
    const running: RunningChange = {
      ...{ ...base, step: 'update', id: null, elapsedMs: 10_000 },
      status: 'waiting for a lock: updating',
    };
    const lockOf = (lock: ChangeLock) =>
      read([describeStillRunningEvent({ ...running, lock }, at)])[0]?.hostwright;
    const operation = { kind: 'operation', id: 'op-1', type: 'Stop' } as const;
    expect(lockOf({ resource: 'projects.a', by: { ...operation, since: 0 } })).toEqual({
      status: running.status,
      locked: {
        ...{ resource: 'projects.a', change: null },
        operation: { id: 'op-1', type: 'Stop', since: '1970-01-01T00:00:00.000Z' },
      },
    });
    expect(lockOf({ by: { ...operation, since: null } })).toMatchObject({
      locked: { resource: null, operation: { since: null } },
    });
    expect(lockOf({ by: { kind: 'change', address: 'projects.b' } })).toMatchObject({
      locked: { change: 'projects.b', operation: null },
    });
    expect(lockOf({})).toMatchObject({ locked: { change: null, operation: null } });
  });

  const applied = (action: Change['action']): AppliedChange => ({
    ...{ address: 'projects.a', action, elapsedMs: 1 },
    done: listEffects({ action, losses: action === 'rebuild' ? ['Its disk.'] : [] }),
    result: { kind: 'applied', id: null },
  });
  const end = (given: Partial<ApplySummary>, mode: Plan['mode'] = 'apply') =>
    read(describeApplySummaryEvents({ changes: [], isInterrupted: false, ...given }, mode, at));

  it('ends with the counts and the outputs', () => {
    const outputs = new Map([
      ['a', { sensitive: false, value: ['x'] }],
      ['b', { sensitive: true }],
    ]);
    const done = ['create', 'replace', 'update', 'rebuild', 'forget'] as const;
    expect(end({ changes: done.map(applied), outputs })).toMatchObject([
      {
        '@message':
          'Apply complete! Resources: 2 added, 1 changed, 1 rebuilt (1 disk lost), 1 destroyed, 1 forgotten.',
        changes: { add: 2, change: 2, import: 0, remove: 1, operation: 'apply' },
        hostwright: { change: 1, rebuild: 1, disks_lost: 1, forget: 1 },
      },
      { outputs: { a: { value: ['x'] }, b: { sensitive: true } } },
    ]);
    expect(end({ outputs: new Map() })).toHaveLength(1);
  });

  it('ends with what was not done, and with findings', () => {
    const skipped = { ...applied('no-op'), result: { kind: 'skipped', causedBy: 'x' } } as const;
    const begun = { ...applied('no-op'), result: { kind: 'interrupted', isBegun: true } } as const;
    const [finding, summary] = end({
      ...{ changes: [applied('update'), skipped, begun], isInterrupted: true },
      findings: [makeFinding()],
    });
    expect(finding?.type).toBe('diagnostic');
    expect(summary).toMatchObject({
      '@message':
        'Apply interrupted! Resources: 0 added, 1 changed, 0 destroyed, 1 skipped, 1 not finished.',
      hostwright: { skipped: 1, not_finished: 1 },
    });
  });

  it('has words of its own for a destroy, and for a state that was not written', () => {
    expect(end({ changes: [applied('delete')] }, 'destroy')[0]).toMatchObject({
      '@message': 'Destroy complete! Resources: 1 destroyed.',
      changes: { operation: 'destroy', remove: 1 },
    });
    expect(end({ isUnwritten: true })[0]?.['@message']).toMatch(/^Apply incomplete!/);
  });
});

test('a diagnostic has its place', () => {
  const source = { file: 'a.yaml', line: 1, column: 2, endLine: 1, endColumn: 3 };
  const [event] = read([describeDiagnosticEvent(makeFinding({ source, hint: 'Do it.' }), at)]);
  expect(event).toMatchObject({
    '@message': 'Error: Too many cores',
    diagnostic: { range: { filename: 'a.yaml', start: { line: 1, column: 2 } }, hint: 'Do it.' },
  });
});
