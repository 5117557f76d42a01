import { describe, expect, test } from 'vitest';
import { runChecks } from '../../../src/checks/run-checks.ts';
import {
  hasSamePlanSecrets,
  maskPlanSecrets,
  fingerprintPlanSecrets,
} from '../../../src/commands/session/seal-secrets.ts';
import {
  hiddenValuePlaceholder,
  restoreConfigurationSecrets,
  redactConfigurationSecrets,
} from '../../../src/state/redact-plan.ts';
import { DiagnosticError } from '../../../src/model/errors.ts';
import type { Drift, Plan } from '../../../src/model/plan/plan.ts';
import type { DesiredGraph } from '../../../src/model/resource.ts';
import { buildPlan } from '../../../src/plan/build-plan.ts';
import { describeResourceChange } from '../../../src/render/json/change-json.ts';
import { configure } from '../../scenario/world.ts';
import { defer, expressionOf } from '../../support/defer.ts';
import { editProject, makeWorld } from '../../support/world.ts';

const secret = 'correct-horse-battery';

const write = (password: string, rest = '') => `
variables: { password: { default: ${password}, sensitive: true } }
locals: { tag: "\${var.password}-tag" }
projects:
  shop:
    networks:
      lan: { name: "\${var.password}-lan" }
      late: { name: "\${local.tag}-\${projects.shop.networks.lan.cidr}" }
    vms:
      web: { name: "of-\${projects.shop.networks.lan.name}", image: debian-12, configuration: c1-r1-d20, tariff: monthly }
${rest}`;

function planOf(desired: DesiredGraph) {
  const world = { ...makeWorld({}), desired };
  const built = buildPlan(world);
  const { live, state } = world;
  const plan = runChecks({ plan: built.plan, desired: built.desired, live, state });
  return { ...built, plan };
}

/** As a plan file has it. */
function save(desired: DesiredGraph) {
  const { plan } = planOf(desired);
  const seal = fingerprintPlanSecrets(desired, plan, 'the service');
  const text = JSON.stringify({
    desired: redactConfigurationSecrets(desired),
    plan: maskPlanSecrets(plan),
    seal,
  });
  return { text, seal, saved: JSON.parse(text) as { desired: DesiredGraph } };
}

describe('a plan file', () => {
  test('holds no sensitive value, whatever became of it', async () => {
    const { text, seal } = save(await configure(write(secret)));
    expect(text).not.toContain(secret);
    expect(seal).toBeDefined();
  });

  test('holds none of what changed outside either', () => {
    const side = { name: secret, cidr: '10.0.0.0/24' };
    const drift: Drift = {
      ...{ address: 'projects.shop.networks.lan', kind: 'network', project: 'projects.shop' },
      ...{ id: 'n-1', before: side, after: { ...side, name: `${secret}-2` }, names: ['name'] },
      sensitive: ['name'],
    };
    const { plan } = buildPlan(makeWorld({}));
    const masked = maskPlanSecrets({ ...plan, drift: [drift, { ...drift, after: null }] });
    expect(JSON.stringify(masked)).not.toContain(secret);
    expect(masked.drift?.map(({ before, after }) => [before.cidr, after?.cidr])).toEqual([
      ['10.0.0.0/24', '10.0.0.0/24'],
      ['10.0.0.0/24', undefined],
    ]);
  });

  test('holds what is decided of deferred values, but for the sensitive ones', async () => {
    const { text } = save(await configure(write(secret)));
    const { plan } = JSON.parse(text) as { plan: Plan };
    const late = plan.deferred?.find(({ address }) => address.endsWith('networks.late'));
    expect(late).toMatchObject({ desired: { deferred: { name: { kind: 'value', value: null } } } });
    expect(late?.desired.attributes).toEqual({});
  });

  test('holds no name that is made of a sensitive one', () => {
    const vm = (configuration: string) => ({ vms: { web: { configuration } } });
    const lan = 'projects.p.networks.lan';
    const edited = editProject(vm('c1-r1-d20'), { ...vm('c1-r1-d20'), networks: { lan: {} } });
    const world = defer(
      edited,
      'projects.p.vms.web',
      'configuration',
      expressionOf(`${lan}.cidr`, [`${lan}.cidr`]),
    );
    const named = world.desired.resources.map((one) =>
      one.kind === 'vm' ? { ...one, sensitive: ['name'] } : one,
    );
    const { plan } = buildPlan({ ...world, desired: { ...world.desired, resources: named } });
    const [own] = plan.deferred ?? [];
    expect(own?.spareName).toContain('web');
    const [kept] = maskPlanSecrets(plan).deferred ?? [];
    expect(kept).toMatchObject({
      spareName: hiddenValuePlaceholder,
      held: { ...own?.held, name: hiddenValuePlaceholder },
      desired: { attributes: { name: hiddenValuePlaceholder }, deferred: own?.desired.deferred },
    });
  });

  test('gets its values back from the configuration, and says when they are others', async () => {
    const desired = await configure(write(secret));
    const { saved, seal } = save(desired);
    const restored = restoreConfigurationSecrets(saved.desired, desired);
    expect(JSON.parse(JSON.stringify(restored))).toEqual(JSON.parse(JSON.stringify(desired)));
    expect(hasSamePlanSecrets(seal, restored, planOf(restored).plan)).toBe(true);
    // A line more above changes where everything stands, and nothing else.
    const moved = restoreConfigurationSecrets(
      saved.desired,
      await configure(`\n\n${write(secret)}`),
    );
    expect(hasSamePlanSecrets(seal, moved, planOf(moved).plan)).toBe(true);
    const other = restoreConfigurationSecrets(
      saved.desired,
      await configure(write('another-secret')),
    );
    expect(hasSamePlanSecrets(seal, other, planOf(other).plan)).toBe(false);
    expect(hasSamePlanSecrets(undefined, other, planOf(other).plan)).toBe(false);
  });

  test('is stale where the configuration has such a value no longer', async () => {
    const { saved } = save(await configure(write(secret)));
    const without = await configure('projects: { shop: {} }');
    expect(() => restoreConfigurationSecrets(saved.desired, without)).toThrow(DiagnosticError);
  });

  test('without anything sensitive has no seal', async () => {
    const desired = await configure('projects: { shop: {} }');
    const { seal } = save(desired);
    expect(seal).toBeUndefined();
    expect(hasSamePlanSecrets(seal, desired, planOf(desired).plan)).toBe(true);
  });
});

describe('a sensitive value', () => {
  test('makes sensitive what reads it through a resource, also where it is not known yet', async () => {
    const { plan } = planOf(await configure(write(secret)));
    const at = (end: string) => plan.changes.find(({ address }) => address.endsWith(end));
    expect(at('vms.web')?.sensitive).toEqual(['name']);
    const late = at('networks.late');
    expect(late?.unknown).toContain('name');
    const json = late && describeResourceChange(late, new Set());
    expect(json?.change.after_sensitive).toEqual({ name: true });
  });

  test('is quoted by no finding', async () => {
    const long = `${secret}-${'x'.repeat(300)}`;
    const { plan } = planOf(await configure(write(long)));
    expect(plan.findings.map(({ code }) => code)).toContain('name-too-long');
    expect(JSON.stringify(plan.findings)).not.toContain(secret);
  });
});
