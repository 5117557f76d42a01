// A pull request that takes away a guard, policy, check or budget together with what it forbids is told of it first.
import { describe, expect, test } from 'vitest';
import { configure, World } from '../scenario/world.ts';
import { readRows } from '../support/read-rows.ts';

const policy = (assert: string, given = '') =>
  `policies: { small: { for: vms, assert: ${assert}${given} } }`;
const small = policy('after.ram <= 4');
const created = policy('action == "create"');
const limit = (ram: number) => `locals: { most: ${ram} }\n${policy('after.ram <= local.most')}`;
const check = `checks: { two: { assert: 'true', severity: deny } }`;
const budget = (monthly: string) =>
  `budget: { currency: EUR, severity: deny, monthly: ${monthly} }`;
const project = 'projects: { p: }\n';

async function tellAfter(
  before: string,
  after: string,
  planOptions = {},
): Promise<readonly string[]> {
  const world = await World.open();
  await world.apply(await configure(project + before));
  const { plan } = await world.plan(await configure(project + after), 'apply', planOptions);
  return plan.findings.map(({ severity, code, summary }) => `${severity} ${code}: ${summary}`);
}

describe('what the last apply was held to', () => {
  test.each(
    readRows(`
    a removed policy | ${small} |  | policy-lifted: Policy small was removed
    another condition | ${small} | ${policy('after.ram <= 64')} | policy-lifted: Policy small has another condition
    another kind | ${created} | ${created.replace('vms', 'networks')} | policy-lifted: Policy small has another condition
    a policy that only warns | ${small} | ${policy('after.ram <= 4', ', severity: warn')} | policy-lifted: Policy small no longer denies
    a removed check | ${check} |  | check-lifted: Check two was removed
    a removed guard | guards: { maxDeletes: 3 } |  | guard-lifted: Guard maxDeletes was removed
    a raised guard | guards: { maxDeletes: 3 } | guards: { maxDeletes: 30 } | guard-lifted: Guard maxDeletes was raised from 3 to 30
    a guard from more resources on | guards: { maxDeletes: 30% } | guards: { maxDeletes: 30%, minResources: 10 } | guard-lifted: Guard maxDeletes was raised from 30 % to 30 % from 10
    a guard that only warns | guards: { dataLoss: deny } | guards: { dataLoss: warn } | guard-lifted: Guard dataLoss was removed
    a raised budget | ${budget('500')} | ${budget('500.01')} | budget-raised: The budget was raised from 500.00 EUR to 500.01 EUR
    a removed budget | ${budget('500')} |  | budget-raised: The budget was removed
  `),
  )('is told first where it is lifted: %s', async (_what, before, after, line) => {
    const [first] = await tellAfter(before, after);
    expect(first).toBe(`warning ${line} since the last apply`);
  });

  test('is told first where it is lifted: another local', async () => {
    const [first] = await tellAfter(limit(4), limit(64));
    expect(first).toContain('policy-lifted: Policy small has another condition');
  });

  test.each(
    readRows(`
    the same | ${small} | ${policy('"after.ram  <=  4"', ', message: Too big')}
    under another name | ${small} | ${small.replace('small', 'tiny')}
    stricter | guards: { maxDeletes: 3 } | guards: { maxDeletes: 2, dataLoss: deny }
    a lower budget | ${budget('500')} | ${budget('499.99')}
    a policy more |  | ${small}
  `),
  )('is not told where it holds as much: %s', async (_what, before, after) => {
    expect(await tellAfter(before, after)).toEqual([]);
  });

  test('stands before errors, and is told until an apply of everything has succeeded', async () => {
    const world = await World.open();
    const rules = policy('action == "update"');
    const vms = (size: string) =>
      `vms: { web: { image: debian-12, configuration: ${size}, tariff: monthly } }`;
    const bad = await configure(`projects: { p: { ${vms('none-such')} } }\n`);
    await world.apply(await configure(project + rules));
    const codes = async (desired: Awaited<ReturnType<typeof configure>>) =>
      (await world.plan(desired)).plan.findings.map(({ code }) => code);
    expect(await codes(bad)).toEqual(['policy-lifted', 'unknown-configuration']);
    const good = await configure(`projects: { p: { ${vms('c1-r1-d20')} } }\n`);
    // Neither a failed apply nor that of a part makes it forgotten.
    await world.apply(good, {
      meddle: (request, pass) =>
        request.method === 'POST' ? Promise.resolve(new Response('{}', { status: 422 })) : pass(),
    });
    expect(await codes(good)).toContain('policy-lifted');
    const selection = { targets: ['projects.p'], excludes: [] };
    await world.apply(good, { planOptions: { selection } });
    expect(await codes(good)).toContain('policy-lifted');
    await world.apply(good);
    expect(await codes(good)).not.toContain('policy-lifted');
    expect((await world.store.reopen()).state.safeguards).toBeUndefined();
  });

  test('is remembered without what is sensitive', async () => {
    const world = await World.open();
    const secret = 'variables: { most: { default: hunter2, sensitive: true } }\n';
    await world.apply(await configure(project + secret + policy('after.name != var.most')));
    expect((await world.store.reopen()).state.safeguards).toEqual({
      'policies.small': {
        severity: 'deny',
        digest: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
      },
    });
    const other = await configure(
      project + secret.replace('hunter2', 'hunter3') + policy('after.name != var.most'),
    );
    expect((await world.plan(other)).plan.findings).toEqual([]);
  });
});
