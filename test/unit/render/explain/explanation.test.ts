import { expect, it } from 'vitest';
import type { Change } from '../../../../src/model/plan/plan.ts';
import type { ValueOrigin } from '../../../../src/model/provenance.ts';
import type { Dependency, DependencyReason, Task } from '../../../../src/model/plan/task.ts';
import { defaultTimeouts } from '../../../../src/model/resource.ts';
import { describeChangeExplanation } from '../../../../src/render/explain/explanation-json.ts';
import { renderChangeExplanationText } from '../../../../src/render/explain/explanation-text.ts';
import { explainResourceChange } from '../../../../src/render/explain/view-explanation.ts';
import { makeChange, makeFinding, makePlan, plain } from '../sample-plan.ts';

const web = 'projects.shop.vms.web';
const lan = 'projects.shop.networks.lan';

function makeTask(address: string, given: Partial<Task> = {}): Task {
  const phase = given.phase ?? 'apply';
  return {
    ...{ id: `${address}#${phase}`, address, phase, commands: [], dependsOn: [] },
    ...{ timeouts: defaultTimeouts, ...given },
  };
}
const on = (address: string, reason: DependencyReason, phase = 'apply'): Dependency => ({
  on: `${address}#${phase}`,
  reason,
});

const replaced = makeChange({
  action: 'replace',
  before: { configuration: 'c2', cpu: 2 },
  after: { configuration: 'c4' },
  unknown: ['cpu', 'id'],
  fields: [{ name: 'configuration', effect: 'replace' }],
  losses: ['Everything on its disk (20 GB) is lost.'],
  source: { file: 'main.yaml', line: 3, column: 5, endLine: 3, endColumn: 8 },
});

function explain(change: Change, tasks: readonly Task[] = [], others: readonly Change[] = []) {
  const findings = [makeFinding({ address: web }), makeFinding({ address: lan })];
  return explainResourceChange(makePlan([change, ...others], { tasks, findings }), change, []);
}

it('says which field forces a replacement, what follows from it and what is lost', () => {
  expect(renderChangeExplanationText(explain(replaced), plain)).toMatchInlineSnapshot(`
    "  # projects.shop.vms.web must be replaced
      # Warning: Everything on its disk (20 GB) is lost.
    -/+ vm "web" {
          ~ configuration = "c2" -> "c4" # forces replacement
            # configuration forces replacement, so cpu (was 2) and id (was "vm-1")
            # change
        }

    Defined at main.yaml:3:5.

    Why it changes:
      configuration forces replacement, so cpu, ram, disk, id and internalIp
        change too

    What is lost:
      Everything on its disk (20 GB) is lost.

    ╷
    │ Error: Too many cores [quota-exceeded]
    │
    │   with projects.shop.vms.web
    ╵
    "
  `);
});

it('tells the edges of the graph from both ends', () => {
  const network = makeChange({ address: lan, kind: 'network', action: 'create', after: {} });
  const tasks = [
    makeTask(lan),
    makeTask(web, { phase: 'destroy' }),
    makeTask(web, { dependsOn: [on(lan, 'reference'), on(web, 'replacement', 'destroy')] }),
    makeTask('projects.shop.publicIps.edge', { dependsOn: [on(web, 'quota', 'destroy')] }),
    makeTask('projects.shop', { phase: 'destroy', dependsOn: [on(web, 'dependent', 'destroy')] }),
    makeTask('projects.shop.vms.db', { phase: 'prepare', dependsOn: [on(web, 'claim')] }),
  ];
  const { waitsFor, waitedForBy } = explain(replaced, tasks, [network]);
  expect(waitsFor).toEqual([{ address: lan, step: 'created', reason: 'reference' }]);
  expect(waitedForBy).toEqual([
    { address: 'projects.shop.publicIps.edge', step: 'created', reason: 'quota' },
    { address: 'projects.shop', step: 'destroyed', reason: 'dependent' },
    { address: 'projects.shop.vms.db', step: 'moved aside', reason: 'claim' },
  ]);
});

it.each([
  ['update', 'updated'],
  ['rebuild', 'rebuilt'],
  ['create', 'created'],
] as const)('calls the step of %s %s, and names the first command that waits', (action, step) => {
  const change = makeChange({ address: lan, kind: 'network', action, before: {}, after: {} });
  const command = { kind: 'deleteVm', project: { id: 'p' }, vm: { id: 'v' } } as const;
  const wait = { ...on(lan, 'reference'), fromCommand: 0 };
  const tasks = [makeTask(lan), makeTask(web, { commands: [command], dependsOn: [wait] })];
  const explained = explain(replaced, tasks, [change]);
  expect(explained.waitsFor).toEqual([
    { address: lan, step, reason: 'reference', fromCommand: 'deleteVm' },
  ]);
  expect(renderChangeExplanationText(explained, plain)).toContain(
    `${lan} is ${step}: this resource refers to it`,
  );
});

it('explains a create, a reason without a field, and what does not change', () => {
  const created = makeChange({ action: 'create', after: {} });
  expect(renderChangeExplanationText(explain(created), plain)).toContain(
    'It is configured, and neither the state nor the account has it.',
  );
  const requested = makeChange({ action: 'replace', reason: 'requested', before: {}, after: {} });
  const text = renderChangeExplanationText(explain(requested), plain);
  expect(text).toContain('Why it changes:\n  as requested by --replace\n');
  const same = makeChange({ action: 'no-op', before: {}, after: {} });
  expect(renderChangeExplanationText(explain(same), plain)).toContain(`# ${web} does not change`);
});

it.each([
  [['cpu'], 'configuration forces replacement, so cpu changes too\n'],
  [['cpu', 'ram'], 'configuration forces replacement, so cpu and ram change too\n'],
  [[], 'configuration forces replacement\n'],
])('tells what follows from a field: %j', (follows, told) => {
  const fields = [{ name: 'configuration', effect: 'replace', follows } as const];
  expect(renderChangeExplanationText({ ...explain(replaced), fields }, plain)).toContain(told);
});

it('draws where values come from, each below what reads it', () => {
  const source = { file: 'a.yaml', line: 7, column: 14, endLine: 7, endColumn: 20 };
  const origins: readonly ValueOrigin[] = [
    {
      name: 'image',
      kind: 'written',
      value: 'debian-12',
      source,
      written: '${var.image}',
      reads: [
        { name: 'var.image', kind: 'given', givenBy: '--var image', value: 'debian-12', reads: [] },
        {
          name: 'var.secret',
          kind: 'given',
          givenBy: 'a.yaml',
          isSensitive: true,
          source,
          reads: [],
        },
        { name: 'var.open', kind: 'given', givenBy: 'HOSTWRIGHT_VAR_open', reads: [] },
        { name: 'projects.shop.vms.db.id', kind: 'service', reads: [] },
        { name: 'var.long', kind: 'default-value', value: 'x'.repeat(100), source, reads: [] },
      ],
    },
    { name: 'power', kind: 'default', value: 'running', reads: [] },
  ];
  const plan = makePlan([replaced]);
  const text = renderChangeExplanationText(explainResourceChange(plan, replaced, origins), plain);
  expect(text.slice(text.indexOf('Where'), text.indexOf('What is lost'))).toMatchInlineSnapshot(`
    "Where its values come from:
      image = "debian-12"  # a.yaml:7:14  \${var.image}
        var.image = "debian-12"  # --var image
        var.secret = (sensitive value)  # a.yaml:7:14
        var.open = (unknown)  # HOSTWRIGHT_VAR_open
        projects.shop.vms.db.id = (known after apply)  # assigned by the service
        var.long = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…xxxxxxxxxxxxxxxxxxxxxxx"
          # a.yaml:7:14  default of the variable
      power = "running"  # default

    "
  `);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

it('is the same as JSON', () => {
  const source = { file: 'a.yaml', line: 7, column: 14, endLine: 7, endColumn: 20 };
  const read = { name: 'var.image', kind: 'default-value', value: 'u', source, reads: [] } as const;
  const origin = { name: 'image', kind: 'written', value: 'u', reads: [read] } as const;
  const plan = makePlan([replaced]);
  expect(describeChangeExplanation(explainResourceChange(plan, replaced, [origin]))).toMatchObject({
    address: web,
    source: { file: 'main.yaml', line: 3, column: 5 },
    action: 'replace',
    fields: [{ name: 'configuration', effect: 'replace' }],
    values: [{ name: 'image', reads: [{ source: { file: 'a.yaml', line: 7, column: 14 } }] }],
  });
});

it('says once why an instance goes, by what the rest of the plan has', () => {
  const gone = makeChange({
    action: 'delete',
    address: `${web}[1]`,
    before: {},
    after: null,
    reason: 'not-configured',
  });
  const kept = makeChange({ action: 'no-op', address: `${web}[0]`, before: {}, after: {} });
  const explained = explain(gone, [], [kept]);
  expect(explained.reason).toBe('(because index [1] is out of range for count)');
  expect(explained.change?.reason).toBe(explained.reason);
});
