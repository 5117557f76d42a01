import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { quotaNames } from '../../../../src/model/account/live.ts';
import type { Action, Change, Drift, Plan } from '../../../../src/model/plan/plan.ts';
import { renderPlanJson, generatePlanJsonText } from '../../../../src/render/json/json.ts';
import { makeChange, makeFinding, makePlan } from '../sample-plan.ts';
import { makeFailure, makeRehearsal, seconds, vm } from '../sample-rehearsal.ts';

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const schema = JSON.parse(
  readFileSync(new URL('../../../../schemas/plan.schema.json', import.meta.url), 'utf8'),
) as {
  readonly $defs: {
    readonly quota: {
      readonly properties: { readonly name: { readonly enum: readonly string[] } };
    };
  };
};
const validate = ajv.compile(schema);

const meta = {
  version: '0.1.0',
  plannedAt: Date.UTC(2025, 0, 2, 3, 4, 5),
  fingerprints: { live: 'b', config: 'a' },
};

/** The plan as a reader of the file gets it, checked against the schema. */
function render(changes: readonly Change[], given: Partial<Plan> = {}, extra: object = {}) {
  const json = renderPlanJson(makePlan(changes, given), { ...meta, ...extra });
  expect(JSON.parse(JSON.stringify(json))).toEqual(json);
  validate(json);
  expect(validate.errors).toBeNull();
  return json;
}

const changeOf = (change: Change) => render([change]).resource_changes[0]!.change;

test('the quotas of the schema are those that there are', () =>
  expect([...schema.$defs.quota.properties.name.enum].sort()).toEqual([...quotaNames].sort()));

describe('resource_changes', () => {
  test.each<[Action, readonly string[]]>([
    ['create', ['create']],
    ['update', ['update']],
    ['rebuild', ['update']],
    ['replace', ['delete', 'create']],
    ['delete', ['delete']],
    ['no-op', ['no-op']],
  ])('%s', (action, actions) => {
    const before = action === 'create' ? null : { name: 'web' };
    const after = action === 'delete' ? null : { name: 'web' };
    const json = render([makeChange({ action, before, after })]);
    expect(json.resource_changes[0]?.change.actions).toEqual(actions);
    expect(json.hostwright.actions).toEqual({ 'projects.shop.vms.web': action });
  });

  test.each<[string, string, string, unknown]>([
    ['projects.shop', 'hostwright_project', 'shop', undefined],
    ['projects.shop.sshKeys.alice', 'hostwright_ssh_key', 'alice', undefined],
    ['projects.shop.networks.back-end', 'hostwright_network', 'back-end', undefined],
    ['projects.shop.publicIps.edge[1]', 'hostwright_public_ip', 'edge', 1],
    ['projects.shop["e.u]"].vms.web["a.\\"b"]', 'hostwright_vm', 'web', 'a."b'],
    [
      'projects.shop.publicIps.edge["x"].forwards.https',
      'hostwright_port_forward',
      'https',
      undefined,
    ],
  ])('%s', (address, type, name, index) => {
    const [change] = render([
      makeChange({ address, action: 'create', after: {} }),
    ]).resource_changes;
    expect(change).toMatchObject({
      address,
      mode: 'managed',
      type,
      name,
      provider_name: 'hostwright',
    });
    expect(change?.index).toBe(index);
  });

  test('what follows from a changing field changes with it', () => {
    const change = makeChange({
      action: 'update',
      before: { b: 1, follows: 1, lost: true },
      after: { b: 2, follows: 2, new: 1 },
      fields: [{ name: 'b', effect: 'update' }],
    });
    expect(changeOf(change).after).toEqual({ id: 'vm-1', b: 2, follows: 2, new: 1 });
  });

  test('sensitive values are marked and left out', () => {
    const change = makeChange({
      action: 'update',
      before: { token: 'old-secret', name: 'x' },
      after: { token: 'new-secret', name: 'x' },
      sensitive: ['token'],
      configured: ['token'],
      fields: [{ name: 'token', effect: 'update' }],
    });
    const json = render([change]);
    expect(JSON.stringify(json)).not.toContain('secret');
    expect(json.resource_changes[0]?.change).toMatchObject({
      before_sensitive: { token: true },
      after_sensitive: { token: true },
    });
  });

  const reasonOf = (given: Partial<Change> & Pick<Change, 'action'>, ...others: Change[]) => {
    const after = given.action === 'delete' ? null : {};
    return render([makeChange({ before: {}, after, ...given }), ...others]).resource_changes[0]
      ?.action_reason;
  };

  test.each<[Change['action'], Change['reason'], string | undefined]>([
    ['replace', undefined, 'replace_because_cannot_update'],
    ['replace', 'creation-failed', 'replace_because_tainted'],
    ['delete', 'not-configured', 'delete_because_no_resource_config'],
    ['delete', 'parent-replaced', undefined],
    ['update', undefined, undefined],
  ])('the reason of %s, %s: %s', (action, reason, expected) => {
    expect(reasonOf({ action, ...(reason && { reason }) })).toBe(expected);
  });

  test('the reason of what a smaller count leaves out', () => {
    const at = (index: number) => ({ address: `projects.shop.vms.web[${index}]` });
    const first = makeChange({ action: 'no-op', before: {}, after: {}, ...at(0) });
    expect(reasonOf({ action: 'delete', reason: 'not-configured', ...at(1) }, first)).toBe(
      'delete_because_count_index',
    );
  });
});

describe('the rest of the representation', () => {
  const web = (index: number, given: Partial<Change> = {}) =>
    makeChange({
      address: `projects.shop.vms.web[${index}]`,
      action: 'create',
      after: { name: `web-${index}`, image: 'ubuntu', sshKeys: [{ b: 1, a: 2 }] },
      unknown: ['cidr'],
      configured: ['name', 'image', 'sshKeys', 'cidr'],
      ...given,
    });

  test('values before and after', () => {
    const json = render([
      makeChange({ action: 'delete', id: 'vm-9', before: { name: 'old' } }),
      web(0, { sensitive: ['image', 'absent'] }),
    ]);
    expect(json['prior_state']).toMatchObject({
      values: { root_module: { resources: [{ values: { id: 'vm-9', name: 'old' } }] } },
    });
    expect(json['planned_values']).toMatchObject({
      root_module: {
        resources: [{ values: { name: 'web-0' }, sensitive_values: { image: true } }],
      },
    });
  });

  test('what stands in modules lies in theirs, on the side that it is on', () => {
    const address = 'modules.a["x.y"].modules.b[1].projects.shop';
    const changes = [
      makeChange({ address, action: 'create', after: {} }),
      makeChange({ address: 'modules.c.projects.old', action: 'delete', before: {} }),
      makeChange({ address: 'projects.root', action: 'create', after: {} }),
    ];
    const json = render(changes);
    const lists = (name: string): unknown[] => [expect.objectContaining({ address: name })];
    const before = {
      resources: [],
      child_modules: [{ address: 'modules.c', resources: lists('modules.c.projects.old') }],
    };
    expect(json['planned_values']).toEqual({
      root_module: {
        resources: lists('projects.root'),
        child_modules: [
          {
            address: 'modules.a["x.y"]',
            resources: [],
            child_modules: [
              { address: 'modules.a["x.y"].modules.b[1]', resources: lists(address) },
            ],
          },
        ],
      },
    });
    expect(json['prior_state']).toMatchObject({ values: { root_module: before } });
    expect(JSON.parse([...generatePlanJsonText(makePlan(changes), meta)].join(''))).toEqual(json);
  });

  test.each<[string, readonly Change[], Partial<Plan>, [boolean, boolean, boolean]]>([
    ['changes', [web(0)], {}, [true, true, false]],
    ['no changes', [], {}, [false, true, false]],
    ['a part', [web(0)], { isPartial: true }, [true, false, false]],
    ['something to forget', [], { gone: ['projects.shop.vms.x'] }, [true, true, false]],
    ['an error', [web(0)], { findings: [makeFinding()] }, [false, false, true]],
    [
      'a warning',
      [web(0)],
      { findings: [makeFinding({ severity: 'warning' })] },
      [true, true, false],
    ],
  ])('flags with %s', (_, changes, given, flags) => {
    const json = render(changes, given);
    expect([json.applyable, json.complete, json.errored]).toEqual(flags);
  });

  test('drift: what changed outside with both sides, what is gone with one, nothing secret', () => {
    const address = 'projects.shop.vms.x';
    const before = { name: 'x', power: 'running', script: 'secret' };
    const drift: Drift = {
      ...{ address, kind: 'vm', project: 'projects.shop', id: 'vm-9', before },
      ...{ after: { ...before, power: 'stopped' }, names: ['power'], sensitive: ['script'] },
    };
    const gone = ['projects.shop.vms.x'];
    const json = render([], { gone, drift: [drift, { ...drift, after: null, names: [] }] });
    expect(json['resource_drift']).toMatchObject([
      {
        address,
        type: 'hostwright_vm',
        change: {
          actions: ['update'],
          before: { id: 'vm-9', name: 'x', power: 'running' },
          after: { id: 'vm-9', name: 'x', power: 'stopped' },
          after_sensitive: { script: true },
        },
      },
      { change: { actions: ['delete'], after: null, after_sensitive: false } },
    ]);
    expect(JSON.stringify(json)).not.toContain('secret');
    expect(json.hostwright.gone).toEqual(gone);
  });

  test('variables and time come from outside', () => {
    const json = render([], {}, { variables: { b: 1, a: ['x'] } });
    expect(json['timestamp']).toBe('2025-01-02T03:04:05.000Z');
    expect(JSON.stringify(json['variables'])).toBe('{"a":{"value":["x"]},"b":{"value":1}}');
  });

  test('our own key', () => {
    const web = 'projects.shop.vms.web';
    const change = makeChange({
      action: 'delete',
      before: {},
      reason: 'not-configured',
      losses: ['The disk is lost.'],
      asRecorded: ['image'],
      untold: ['tariff'],
    });
    const json = render([change], {
      findings: [makeFinding({ severity: 'note', code: 'n', summary: 'N' }), makeFinding()],
      quotas: [{ name: 'vmCpu', limit: 8, used: 4, after: 2, peak: 2, unordered: 2, ours: 4 }],
      tasks: [
        {
          id: 'projects.shop.vms.web#destroy',
          address: 'projects.shop.vms.web',
          phase: 'destroy',
          commands: [{ kind: 'deleteVm', project: { id: 'p' }, vm: { id: 'vm-1' } }],
          dependsOn: [{ on: 'x#apply', reason: 'dependent' }],
          timeouts: { createMs: 1, updateMs: 1, deleteMs: 1 },
        },
      ],
    });
    expect(json.hostwright).toMatchObject({
      ...{ mode: 'apply', version: '0.1.0', gone: [], fingerprints: { config: 'a', live: 'b' } },
      actions: { [web]: 'delete' },
      findings: [{ severity: 'error' }, { severity: 'note', code: 'n', summary: 'N', detail: '' }],
      losses: { [web]: ['The disk is lost.'] },
      order: [{ id: `${web}#destroy`, commands: ['deleteVm'], dependsOn: ['x#apply'] }],
      quotas: [{ name: 'vmCpu', limit: 8, used: 4, after: 2, peak: 2, unordered: 2, ours: 4 }],
      reasons: { [web]: 'not-configured' },
      summary: { add: 0, destroy: 1, disksLost: 0 },
      untold: { [web]: { image: 'state', tariff: 'configuration' } },
    });
  });

  test('equal plans give equal text, whatever the order of their keys', () => {
    const one = makeChange({
      action: 'create',
      after: { a: { x: 1, y: 2 }, b: 1 },
      unknown: ['q', 'p'],
    });
    const two = makeChange({
      action: 'create',
      after: { b: 1, a: { y: 2, x: 1 } },
      unknown: ['p', 'q'],
    });
    expect(JSON.stringify(render([one]))).toBe(JSON.stringify(render([two])));
  });
});

describe('a rehearsal', () => {
  test('is absent where there was none', () =>
    expect(render([]).hostwright).not.toHaveProperty('rehearsal'));

  test('has its times from its own beginning, in milliseconds', () => {
    const address = vm('web');
    const failure = makeFailure(address);
    const rehearsal = makeRehearsal({
      path: [{ address, command: 'createVm', ...seconds(0, 40), waitedMs: 0 }],
      failures: [failure],
      skipped: [vm('db')],
      remaining: [{ address, action: 'create' }],
      findings: [makeFinding()],
      quotas: [{ name: 'vmCpu', peak: 3, limit: 4 }],
      held: [{ address, operation: null, since: null, endsAt: 60_000, isEndKnown: false }],
      durations: { learned: ['createVm'], assumed: [] },
      faults: { file: 'lost.yaml', each: [{ name: 'lost', count: 0, why: 'late' }] },
      trials: { count: 2, whole: 1, medianMs: 1, worstMs: 2, failures: [{ ...failure, count: 1 }] },
    });
    expect(render([], {}, { rehearsal }).hostwright.rehearsal).toMatchObject({
      ...{ whole: false, durationMs: 250_000, changes: 3 },
      criticalPath: [{ address, command: 'createVm', startMs: 0, endMs: 40_000, waitedMs: 0 }],
      timeline: [{ address, step: 'create', result: 'applied', startMs: 0, endMs: 250_000 }],
      failures: [{ address, command: 'createVm', diagnostic: { code: 'insufficient-capacity' } }],
      locked: [{ since: null, endsAt: '1970-01-01T00:01:00.000Z', endIsKnown: false }],
      trials: { count: 2, failures: [{ address, count: 1 }] },
    });
  });

  test('says since when something is locked', () => {
    const at = seconds(0, 0).startedAt;
    const held = { address: vm('web'), operation: 'Stop', since: at, endsAt: at, isEndKnown: true };
    const { rehearsal } = render([], {}, { rehearsal: makeRehearsal({ held: [held] }) }).hostwright;
    expect(rehearsal?.locked[0]?.since).toBe('2026-01-02T12:00:00.000Z');
  });
});
