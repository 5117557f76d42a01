import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { evaluateChecks, findUnmetChecks } from '../../../src/checks/configured-checks.ts';
import { checkPolicies, evaluatePoliciesDuringApply } from '../../../src/checks/policies.ts';
import { ProjectedScope } from '../../../src/expressions/deferred/projected-scope.ts';
import type { CheckEntry, DeferredValue, PolicyEntry } from '../../../src/model/deferred.ts';
import { noPlanOptions, type Plan } from '../../../src/model/plan/plan.ts';
import { checkedPlanOf, checkInputOf, findingLine } from '../../support/plan-lines.ts';
import { readRows } from '../../support/read-rows.ts';
import {
  afterApply,
  destroyAll,
  makeWorld,
  patchDesired,
  reconfigure,
  type World,
} from '../../support/world.ts';
import type { Finding } from '../../../src/model/diagnostic.ts';

const source = { file: 'main.yaml', line: 9, column: 3, endLine: 9, endColumn: 4 };

function expression(text: string, isTemplate = false): DeferredValue {
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
const secretly = (world: World) => patchDesired(world, 'vm', { sensitive: ['name'] });

function judge(world: World, ...policies: PolicyEntry[]): string[] {
  const plan: Plan = checkedPlanOf({ ...world, desired: { ...world.desired, policies } });
  return plan.findings.filter(({ code }) => code.startsWith('policy-')).map(findingLine);
}

const at = 'at 9:3 p.vms.web';
/** `error violated: it does not hold`, without what all of these findings say. */
const shorten = (line: string) =>
  line.replace(/ policy-(\w+) at 9:3 p\.vms\.web: Policy rule/, ' $1');

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

describe('an exemption', () => {
  const exempted = (addresses: readonly string[], until: string, more: Partial<PolicyEntry> = {}) =>
    policy('after.ram < 4', {
      exemptions: [{ name: 'old', addresses, reason: 'Moves in March', until }],
      ...more,
    });
  const note = `note policy-exempted ${at}: Policy rule: \`after.ram < 4\` does not hold (exempted until`;
  const error = `error policy-violated ${at}: Policy rule: \`after.ram < 4\` does not hold`;

  it.each([
    ['of the VM', ['projects.p.vms.web'], '2026-01-02', `${note} 2026-01-02)`],
    ['of its project', ['projects.x', 'projects.p'], '2026-12-31', `${note} 2026-12-31)`],
    ['that has ended', ['projects.p.vms.web'], '2026-01-01', error],
    ['of another VM', ['projects.p.vms.we', 'projects.p.vms.web2'], '2026-12-31', error],
    ['of one instance', ['projects.p.vms.web[0]'], '2026-12-31', error],
  ])('%s: what it holds for is told in a note', (_what, addresses, until, expected) => {
    expect(judge(created, exempted(addresses, until))).toEqual([expected]);
  });

  it('asks nobody for approvals, says its reason, and once it has ended that it has', () => {
    const findingOf = (until: string) => {
      const rule = exempted(['projects.p'], until, { severity: 'warn', approvals: 2 });
      const desired = { ...created.desired, policies: [rule] };
      return checkedPlanOf({ ...created, desired }).findings.find(({ code }) =>
        code.startsWith('policy-'),
      );
    };
    expect(findingOf('2026-12-31')).toEqual({
      severity: 'note',
      code: 'policy-exempted',
      address: 'projects.p.vms.web',
      source,
      summary: 'Policy rule: `after.ram < 4` does not hold (exempted until 2026-12-31)',
      detail: expect.stringContaining('The exemption old holds for it: Moves in March') as string,
    });
    expect(findingOf('2025-12-31')).toMatchObject({
      severity: 'warning',
      approvals: { needed: 2, policy: 'rule' },
      detail: expect.stringContaining('The exemption old ended with 2025-12-31.') as string,
    });
  });

  it('the one that ends last counts', () => {
    const one = (name: string, until: string) => ({
      ...{ name, until, addresses: ['projects.p'], reason: 'r' },
    });
    const exemptions = [one('a', '2026-02-01'), one('b', '2026-03-01'), one('c', '2025-01-01')];
    expect(judge(created, policy('after.ram < 4', { exemptions }))).toEqual([
      `${note} 2026-03-01)`,
    ]);
  });

  it('holds during the apply, too, for what is only known then', () => {
    const late = (until: string, address = 'projects.p.vms.web') => {
      const rule = { ...exempted([address], until), assert: expression('after.id == "x"') };
      const input = checkInputOf({ ...created, desired: { ...created.desired, policies: [rule] } });
      const judgeNow = evaluatePoliciesDuringApply(input, (one) =>
        one === 'projects.p.vms.web'
          ? { names: ['id'], values: { id: 'y' }, unknown: [] }
          : undefined,
      );
      const change = input.plan.changes.find(({ kind }) => kind === 'vm')!;
      return judgeNow({ ...change, unknown: [], after: { ...change.after, id: 'y' } }).map(
        findingLine,
      );
    };
    expect(late('2026-12-31')).toEqual([expect.stringContaining('note policy-exempted') as string]);
    expect(late('2025-12-31')).toEqual([
      expect.stringContaining('error policy-violated') as string,
    ]);
    expect(late('2026-12-31', 'projects.p.vms.other')).toEqual([
      expect.stringContaining('error policy-violated') as string,
    ]);
  });

  it('never holds where nobody knows the time, and without policies nothing is judged', () => {
    const policies = [exempted(['projects.p'], '2999-12-31')];
    const input = checkInputOf({ ...created, desired: { ...created.desired, policies } });
    expect(checkPolicies({ ...input, plannedAt: Number.NaN }).map(findingLine)).toEqual([error]);
    const free = { ...input, policies: undefined };
    expect(checkPolicies(free)).toEqual([]);
    const change = input.plan.changes[0]!;
    expect(evaluatePoliciesDuringApply(free, () => undefined)(change)).toEqual([]);
    expect(evaluatePoliciesDuringApply(input, () => undefined)(change)).toEqual([]);
  });

  it('says nothing where the policy holds', () => {
    const rule = {
      ...exempted(['projects.p'], '2026-12-31'),
      assert: expression('after.ram <= 4'),
    };
    expect(judge(created, rule)).toEqual([]);
  });
});

/** `{ severity: warn }`; a message is a template. */
const given = (text: string): Partial<PolicyEntry> => {
  const { message, ...rest } = parse(text) as { message?: string };
  return { ...rest, ...(message !== undefined && { message: expression(message, true) }) };
};
/** A condition that reads a local. */
const ofLocal = (text: string, local: DeferredValue): PolicyEntry =>
  policy('', {
    assert: { ...expression(text), names: [[['local', 'a'], local]] } as DeferredValue,
  });

describe('a policy', () => {
  const worlds: Readonly<Record<string, World>> = {
    ...{ created, stands, renamed, secret: secretly(created), destroyed: destroyAll(stands) },
  };

  it.each(
    readRows(`
    that holds says nothing | created | after.ram == 4 && before == null && action == "create" | {} |
    that does not hold refuses the plan | created | after.ram < 4 | {} | error violated: \`after.ram < 4\` does not hold
    may only warn | created | after.ram < 4 | { severity: warn } | warning violated: \`after.ram < 4\` does not hold
    says what it was told to | created | false | { message: "\${after.name} of \${kind} \${address}" } | error violated: web of vm projects.p.vms.web
    whose message has no value says how it is written | created | false | { message: "\${after.id}" } | error violated: \${after.id}
    that asks for approvals is a warning of the plan | created | after.ram < 4 | { severity: warn, approvals: 2 } | warning violated: \`after.ram < 4\` does not hold
    that asks for approvals does so on what is not known yet | created | after.id != "" | { severity: warn, approvals: 2 } | warning undecided cannot be judged before apply
    on what its own request brings refuses the plan | created | after.id != "" | {} | error undecided cannot be judged in time
    on what its own request brings may only say so | created | after.id != "" | { severity: warn } | note undecided cannot be judged before apply
    tells what is made from what goes, though not all of it is known | created | after == null || after.ram < 4 | {} | error violated: \`after == null || after.ram < 4\` does not hold
    that decides without it does not | created | after.ram == 4 || after.id != "" | {} |
    on an attribute that is not there is told | created | after.rma < 4 | {} | error broken cannot be judged
    that gives no truth is told | created | after.ram | { severity: warn } | warning broken cannot be judged
    about another kind says nothing | created | false | { for: network } |
    of another module says nothing | created | false | { prefix: modules.m. } |
    says nothing about what does not change | stands | false | {} |
    sees both sides of an update | renamed | before.name == "web" && after.name == "other" && action == "update" | {} |
    below \`after\` says nothing about a deletion | destroyed | after.ram < 4 | {} |
    below \`before\` says nothing about a create | created | before.ram < 4 | {} |
    may ask whether there is an \`after\` | destroyed | after != null | {} | error violated: \`after != null\` does not hold
    with another fault than a missing side is told | destroyed | after.ram < 4 && before.name > 4 | {} | error broken cannot be judged
    sees a deletion | destroyed | action != "delete" || before.ram < 4 | {} | error violated: \`action != "delete" || before.ram < 4\` does not hold
    does not show a sensitive attribute | secret | false | { message: "\${after.name}" } | error violated: (its message depends on a sensitive value)
  `),
  )('%s', (_, world, assert, more, said) => {
    const lines = judge(worlds[world]!, policy(assert, given(more)));
    expect(lines.map(shorten).join()).toBe(said);
  });

  it.each<[string, PolicyEntry, string]>([
    [
      'whose message is no text says what does not hold',
      policy('false', { message: { kind: 'value', value: 1 } }),
      'error violated: `false` does not hold',
    ],
    [
      'on a local of what its project is given is judged during the apply',
      ofLocal('local.a == ""', {
        ...expression('projects.p.id'),
        references: ['projects.p.id'],
      } as DeferredValue),
      'note undecided is judged during the apply',
    ],
    [
      'that reads a local with a fault is told',
      ofLocal('local.a', expression('nope')),
      'error broken cannot be judged',
    ],
    [
      'does not show a sensitive variable',
      policy('false', { isSensitive: true, message: { kind: 'value', value: 'hush' } }),
      'error violated: (its message depends on a sensitive value)',
    ],
  ])('%s', (_, rule, said) => expect(judge(created, rule).map(shorten)).toEqual([said]));

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
  const none = { values: {}, unknown: ['id'], sensitive: [] };
  const scope = new ProjectedScope(() => [
    { ...none, address: 'projects.p', names: ['id', 'name'], values: { name: 'p' } },
    { ...none, address: 'projects.q', names: ['id'], isMissing: true },
  ]);

  it.each(
    readRows(`
    that holds | projects.p.name == "p" | warn | pass |  |
    that does not | false | warn | fail | warning failed: it does not hold | warning failed: it does not hold
    that does not, and must | false | deny | fail | warning failed: it does not hold | error failed: it does not hold
    of what is known after apply | projects.p.id == "a" | warn | unknown | note undecided is known after apply | note undecided could not be evaluated
    of what is left out | projects.q.id == "a" | warn | unknown | note undecided could not be evaluated | note undecided could not be evaluated
    that fails | projects.p.nam == "" | warn | error | warning broken cannot be evaluated | warning broken cannot be evaluated
    that gives no truth, and must hold | 1 | deny | error | warning broken cannot be evaluated | error broken cannot be evaluated
  `),
  )('%s', (_, assert, severity, status, planned, applied) => {
    const entry = check(assert, { severity: severity as CheckEntry['severity'] });
    const account = { plan: {}, ...stands, desired: new Map() };
    const say = (findings: readonly Finding[]) =>
      findings.map((one) => findingLine(one).replace(/ check-(\w+) at 9:3: Check rule/, ' $1'));
    const before = evaluateChecks([entry], scope, 'planned', account);
    expect(before.results).toMatchObject([{ name: 'rule', status }]);
    expect(say(before.findings).join()).toBe(planned);
    expect(say(evaluateChecks([entry], scope, 'applied', account).findings).join()).toBe(applied);
  });

  it('says what it is told to', () => {
    const entry = check('false', { message: { kind: 'value', value: 'No.' } });
    const account = { plan: {}, ...stands, desired: new Map() };
    const { findings } = evaluateChecks([entry], scope, 'planned', account);
    expect(findings.map(findingLine)).toEqual(['warning check-failed at 9:3: Check rule: No.']);
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

describe('checks while an apply goes on', () => {
  const input = checkInputOf(created);
  const unmet = (...texts: readonly string[]) =>
    findUnmetChecks(
      texts.map((text) => check(text, { severity: 'deny' })),
      input.scope!,
      input,
    ).map(findingLine);

  it('are decided, but for one that reads what is not there yet', () => {
    expect(unmet('projects.p.vms.web.ram <= 4')).toEqual([]);
    expect(unmet('projects.p.vms.web.ram > 4', 'projects.p.vms.web.cpu > 2')).toHaveLength(2);
    expect(unmet('projects.p.vms.web.id != ""')).toHaveLength(1);
    expect(unmet('projects.p.vms.web.ram')).toHaveLength(1);
    expect(unmet('size(plan.downtime) == 0')).toEqual([]);
  });
});
