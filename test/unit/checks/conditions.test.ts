import { describe, expect, it } from 'vitest';
import { evaluateChecks } from '../../../src/checks/configured-checks.ts';
import { ProjectedScope } from '../../../src/expressions/deferred/projected-scope.ts';
import type { CheckEntry, Deferred, PolicyEntry } from '../../../src/model/deferred.ts';
import { noPlanOptions, type Plan } from '../../../src/model/plan/plan.ts';
import { checkedPlanOf, findingLine } from '../../support/plan-lines.ts';
import { afterApply, destroyAll, makeWorld, reconfigure, type World } from '../../support/world.ts';

const source = { file: 'main.yaml', line: 9, column: 3, endLine: 9, endColumn: 4 };

function expression(text: string, isTemplate = false): Deferred {
  return { kind: 'expression', text, isTemplate, source, references: [], names: [], prefix: '' };
}

function policy(assert: string, given: Partial<PolicyEntry> = {}): PolicyEntry {
  const condition = expression(assert);
  return {
    name: 'rule',
    for: 'vm',
    prefix: '',
    assert: condition,
    severity: 'deny',
    source,
    ...given,
  };
}

const check = (assert: string, given: Partial<CheckEntry> = {}): CheckEntry => ({
  name: 'rule',
  prefix: '',
  assert: expression(assert),
  severity: 'warn',
  source,
  ...given,
});

const vm = { configuration: 'c2-r4-d40' };
const config = { p: { vms: { web: vm } } };
const created = makeWorld({ config });
const stands = afterApply(config);
const renamed = reconfigure(stands, { p: { vms: { web: { ...vm, name: 'other' } } } });

/** The world with its VM's name kept secret. */
function secretly(world: World): World {
  const resources = world.desired.resources.map((one) =>
    one.kind === 'vm' ? { ...one, sensitive: ['name'] } : one,
  );
  return { ...world, desired: { ...world.desired, resources } };
}

function judge(world: World, ...policies: PolicyEntry[]): string[] {
  const plan: Plan = checkedPlanOf({ ...world, desired: { ...world.desired, policies } });
  return plan.findings.filter(({ code }) => code.startsWith('policy-')).map(findingLine);
}

const at = 'at 9:3 p.vms.web';

describe('a value that the service does not offer', () => {
  const wrong = { p: { vms: { web: { configuration: 'c99' } } } };
  const conditions = {
    policies: [policy('after.ram <= 64'), policy('after.cpu < 4 && after.disk < 50')],
    checks: [check('projects.p.vms.web.ram <= 64')],
  };

  it.each<[string, World]>([
    ['of a VM that is made', makeWorld({ config: wrong })],
    ['of a VM that stands in another size', reconfigure(stands, wrong)],
  ])('is told once, whatever reads what follows from it: %s', (_what, world) => {
    const plan = checkedPlanOf({ ...world, desired: { ...world.desired, ...conditions } });
    const told = plan.findings.filter(({ code }) => code !== 'data-loss');
    expect(told.map(({ code }) => code)).toEqual(['unknown-configuration']);
    expect(plan.changes.find(({ kind }) => kind === 'vm')?.unknown).toEqual(
      expect.arrayContaining(['cpu', 'ram', 'disk']),
    );
  });
});

describe('a policy over imports', () => {
  const adopting = {
    ...stands,
    state: makeWorld({ config }).state,
    planOptions: { ...noPlanOptions, adoptsAll: true },
  };

  it('judges what a plan adopts and leaves as it is', () => {
    expect(judge(adopting, policy('after.ram < 4'))).toEqual([
      `error policy-violated ${at}: Policy rule: \`after.ram < 4\` does not hold`,
    ]);
    expect(judge(adopting, policy('isImported && action == "no-op"'))).toEqual([]);
    expect(judge(stands, policy('after.ram < 4'))).toEqual([]);
  });
});

describe('a policy over the plan', () => {
  it.each([
    ['plan.counts.add == 2 && plan.counts.create == 2 && plan.counts.destroy == 0'],
    ['plan.changes.exists(c, c.kind == "project") && size(plan.changes) == 2'],
    ['plan.changes.all(c, c.kind != "vm" || c.after.ram == 4 && c.before == null)'],
  ])('reads %s', (text) => {
    expect(judge(created, policy(text))).toEqual([]);
    expect(judge(created, policy(`!(${text})`))).toHaveLength(1);
  });

  it('cannot read what is only known after apply', () =>
    expect(judge(created, policy('plan.changes.all(c, c.after.id != "")'))).toEqual([
      `error policy-undecided ${at}: Policy rule cannot be judged in time`,
    ]));
});

describe('a policy', () => {
  it.each<[string, World, PolicyEntry, string[]]>([
    [
      'that holds says nothing',
      created,
      policy('after.ram == 4 && before == null && action == "create"'),
      [],
    ],
    [
      'that does not hold refuses the plan',
      created,
      policy('after.ram < 4'),
      [`error policy-violated ${at}: Policy rule: \`after.ram < 4\` does not hold`],
    ],
    [
      'may only warn',
      created,
      policy('after.ram < 4', { severity: 'warn' }),
      [`warning policy-violated ${at}: Policy rule: \`after.ram < 4\` does not hold`],
    ],
    [
      'says what it was told to',
      created,
      policy('false', { message: expression('${after.name} of ${kind} ${address}', true) }),
      [`error policy-violated ${at}: Policy rule: web of vm projects.p.vms.web`],
    ],
    [
      'whose message has no value says how it is written',
      created,
      policy('false', { message: expression('${after.id}', true) }),
      [`error policy-violated ${at}: Policy rule: \${after.id}`],
    ],
    [
      'whose message is no text says what does not hold',
      created,
      policy('false', { message: { kind: 'value', value: 1 } }),
      [`error policy-violated ${at}: Policy rule: \`false\` does not hold`],
    ],
    [
      'on what its own request brings refuses the plan',
      created,
      policy('after.id != ""'),
      [`error policy-undecided ${at}: Policy rule cannot be judged in time`],
    ],
    [
      'on what its own request brings may only say so',
      created,
      policy('after.id != ""', { severity: 'warn' }),
      [`note policy-undecided ${at}: Policy rule cannot be judged before apply`],
    ],
    [
      'on a local of what its project is given is judged during the apply',
      created,
      policy('', {
        assert: {
          ...expression('local.a == ""'),
          names: [
            [['local', 'a'], { ...expression('projects.p.id'), references: ['projects.p.id'] }],
          ],
        } as Deferred,
      }),
      [`note policy-undecided ${at}: Policy rule is judged during the apply`],
    ],
    [
      'tells what is made from what goes, though not all of it is known yet',
      created,
      policy('after == null || after.ram < 4'),
      [
        `error policy-violated ${at}: Policy rule: \`after == null || after.ram < 4\` does not hold`,
      ],
    ],
    ['that decides without it does not', created, policy('after.ram == 4 || after.id != ""'), []],
    [
      'on an attribute that is not there is told',
      created,
      policy('after.rma < 4'),
      [`error policy-broken ${at}: Policy rule cannot be judged`],
    ],
    [
      'that gives no truth is told',
      created,
      policy('after.ram', { severity: 'warn' }),
      [`warning policy-broken ${at}: Policy rule cannot be judged`],
    ],
    [
      'that reads a local with a fault is told',
      created,
      policy('', {
        assert: {
          ...expression('local.a'),
          names: [[['local', 'a'], expression('nope')]],
        } as Deferred,
      }),
      [`error policy-broken ${at}: Policy rule cannot be judged`],
    ],
    ['about another kind says nothing', created, policy('false', { for: 'network' }), []],
    ['of another module says nothing', created, policy('false', { prefix: 'modules.m.' }), []],
    ['says nothing about what does not change', stands, policy('false'), []],
    [
      'sees both sides of an update',
      renamed,
      policy('before.name == "web" && after.name == "other" && action == "update"'),
      [],
    ],
    [
      'below `after` says nothing about a deletion',
      destroyAll(stands),
      policy('after.ram < 4'),
      [],
    ],
    ['below `before` says nothing about a create', created, policy('before.ram < 4'), []],
    [
      'may ask whether there is an `after`',
      destroyAll(stands),
      policy('after != null'),
      [`error policy-violated ${at}: Policy rule: \`after != null\` does not hold`],
    ],
    [
      'with another fault than a missing side is told',
      destroyAll(stands),
      policy('after.ram < 4 && before.name > 4'),
      [`error policy-broken ${at}: Policy rule cannot be judged`],
    ],
    [
      'sees a deletion',
      destroyAll(stands),
      policy('action != "delete" || before.ram < 4'),
      [
        `error policy-violated ${at}: Policy rule: \`action != "delete" || before.ram < 4\` does not hold`,
      ],
    ],
    [
      'does not show a sensitive attribute',
      secretly(created),
      policy('false', { message: expression('${after.name}', true) }),
      [`error policy-violated ${at}: Policy rule: (its message depends on a sensitive value)`],
    ],
    [
      'does not show a sensitive variable',
      created,
      policy('false', { isSensitive: true, message: { kind: 'value', value: 'hush' } }),
      [`error policy-violated ${at}: Policy rule: (its message depends on a sensitive value)`],
    ],
  ])('%s', (_, world, rule, lines) => expect(judge(world, rule)).toEqual(lines));

  it('that fails on a sensitive value does not quote it', () => {
    const rule = policy('{"a": 1}[after.name] == 1');
    const world = secretly(created);
    const plan = checkedPlanOf({ ...world, desired: { ...world.desired, policies: [rule] } });
    const [finding] = plan.findings;
    expect(finding).toMatchObject({ code: 'policy-broken' });
    expect(finding?.detail).toContain('sensitive value');
    expect(finding?.detail).not.toContain('`web`');
  });
});

describe('a check', () => {
  const scope = new ProjectedScope(() => [
    {
      address: 'projects.p',
      names: ['id', 'name'],
      values: { name: 'p' },
      unknown: ['id'],
      sensitive: [],
    },
    {
      address: 'projects.q',
      names: ['id'],
      values: {},
      unknown: ['id'],
      sensitive: [],
      isMissing: true,
    },
  ]);

  it.each<[string, CheckEntry, string, string[], string[]]>([
    ['that holds', check('projects.p.name == "p"'), 'pass', [], []],
    [
      'that does not',
      check('false', { message: { kind: 'value', value: 'No.' } }),
      'fail',
      ['warning check-failed at 9:3: Check rule: No.'],
      ['warning check-failed at 9:3: Check rule: No.'],
    ],
    [
      'that says nothing to it',
      check('false', { severity: 'deny' }),
      'fail',
      ['warning check-failed at 9:3: Check rule: it does not hold'],
      ['error check-failed at 9:3: Check rule: it does not hold'],
    ],
    [
      'of what is known after apply',
      check('projects.p.id == "a"'),
      'unknown',
      ['note check-undecided at 9:3: Check rule is known after apply'],
      ['note check-undecided at 9:3: Check rule could not be evaluated'],
    ],
    [
      'of what is left out',
      check('projects.q.id == "a"'),
      'unknown',
      ['note check-undecided at 9:3: Check rule could not be evaluated'],
      ['note check-undecided at 9:3: Check rule could not be evaluated'],
    ],
    [
      'that fails',
      check('projects.p.nam == ""'),
      'error',
      ['warning check-broken at 9:3: Check rule cannot be evaluated'],
      ['warning check-broken at 9:3: Check rule cannot be evaluated'],
    ],
    [
      'that gives no truth, and must hold',
      check('1', { severity: 'deny' }),
      'error',
      ['warning check-broken at 9:3: Check rule cannot be evaluated'],
      ['error check-broken at 9:3: Check rule cannot be evaluated'],
    ],
  ])('%s', (_, entry, status, planned, applied) => {
    const account = { plan: {}, ...stands, desired: new Map() };
    const before = evaluateChecks([entry], scope, 'planned', account);
    expect(before.results).toMatchObject([{ name: 'rule', status }]);
    expect(before.findings.map(findingLine)).toEqual(planned);
    expect(evaluateChecks([entry], scope, 'applied', account).findings.map(findingLine)).toEqual(
      applied,
    );
  });

  it('is not judged when everything is to be destroyed', () => {
    const world = destroyAll(stands);
    const plan = checkedPlanOf({
      ...world,
      desired: { ...world.desired, checks: [check('false')] },
    });
    expect(plan.checks).toBeUndefined();
  });
});
