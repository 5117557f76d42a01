import { describe, expect, it } from 'vitest';
import type { ResourceAddress } from '../../../../src/model/address.ts';
import { noPlanOptions, type Change } from '../../../../src/model/plan/plan.ts';
import type { Attributes } from '../../../../src/model/value.ts';
import { buildPlan } from '../../../../src/plan/build-plan.ts';
import type { DeferredChangeResolution } from '../../../../src/plan/deferred/resolve-change.ts';
import { publicKeyOf, type ProjectConfig, type VmConfig } from '../../../support/desired.ts';
import { defer, expressionOf } from '../../../support/defer.ts';
import { changeLines, checkedPlanOf } from '../../../support/plan-lines.ts';
import { resolveWith } from '../../../support/resolve-with.ts';
import { applyPlan } from '../../../support/simulate.ts';
import { editProject, lifecycleOf, patchDesired, type World } from '../../../support/world.ts';

const lan = 'projects.p.networks.lan';
const web = 'projects.p.vms.web';

/** A project that gets a network whose id and cidr are not known yet, with a deferred field. */
function deferred(
  before: ProjectConfig,
  after: ProjectConfig,
  address: ResourceAddress,
  name: string,
  text: string,
): World {
  const world = editProject(before, { ...after, networks: { ...after.networks, lan: {} } });
  return defer(world, address, name, expressionOf(text, [`${lan}.id`, `${lan}.cidr`]));
}

/** What a change comes to once these values of the network are known. */
const resolve = (
  world: World,
  address: ResourceAddress,
  known: Attributes = { id: 'n-9', cidr: '10.0.9.0/24' },
  isGone = false,
): DeferredChangeResolution =>
  resolveWith(
    world,
    address,
    (resource, other) =>
      other === lan
        ? { ...resource, values: { ...resource.values, ...known }, unknown: [] }
        : resource,
    isGone,
  );

function changeOf(outcome: DeferredChangeResolution): Change {
  if (outcome.kind !== 'known') throw new Error(JSON.stringify(outcome));
  return outcome.change;
}

function commandsOf(outcome: DeferredChangeResolution): string[] {
  if (outcome.kind !== 'known') throw new Error(JSON.stringify(outcome));
  return [...outcome.commands].map(
    ([phase, commands]) => `${phase}: ${commands.map(({ kind }) => kind).join(', ')}`,
  );
}

const same = `${lan}.id == "" ? "" : `;

/** A VM whose field is put off. */
const ofWeb = (before: VmConfig, after: VmConfig, field: string, text: string) =>
  deferred({ vms: { web: before } }, { vms: { web: after } }, web, field, text);

describe('a change with deferred values', () => {
  it('has its values, and the commands for them', () => {
    const outcome = resolve(ofWeb({}, {}, 'name', `${lan}.cidr`), web);
    expect(changeOf(outcome)).toMatchObject({
      action: 'update',
      after: { name: '10.0.9.0/24' },
      unknown: [],
      fields: [{ name: 'name' }],
    });
    expect(commandsOf(outcome)).toEqual(['apply: renameVm']);
  });

  it('that comes to what is there already does nothing', () => {
    const outcome = resolve(ofWeb({}, {}, 'name', `${same}"web"`), web);
    expect(changeOf(outcome)).toMatchObject({ action: 'no-op', fields: [] });
    expect(commandsOf(outcome)).toEqual([]);
  });

  it('compares what is a set as one', () => {
    const plugins = { plugins: ['b', 'a'] };
    const text = `["a", "b"] + [${lan}.id].filter(x, x == "")`;
    const world = ofWeb(plugins, plugins, 'plugins', text);
    expect(changeLines(buildPlan(world).plan)).toContain(`replace p.vms.web: plugins!`);
    expect(changeOf(resolve(world, web)).action).toBe('no-op');
  });

  it('stays a creation', () => {
    const world = deferred({}, { vms: { web: {} } }, web, 'name', `"of-" + ${lan}.id`);
    const outcome = resolve(world, web);
    expect(changeOf(outcome)).toMatchObject({ action: 'create', after: { name: 'of-n-9' } });
    expect(commandsOf(outcome)).toEqual(['apply: createVm']);
  });

  it('stays a replacement where something else asks for one', () => {
    const world = ofWeb({}, { tariff: 'yearly' }, 'name', `${same}"web"`);
    expect(changeOf(resolve(world, web))).toMatchObject({ action: 'replace' });
    const asked = ofWeb({}, {}, 'name', `${same}"web"`);
    const planOptions = { ...noPlanOptions, replace: [web] };
    expect(changeOf(resolve({ ...asked, planOptions }, web)).action).toBe('replace');
  });

  it('is not known before what it reads is', () => {
    const world = deferred({}, { vms: { web: {} } }, web, 'name', `${lan}.id`);
    expect(resolveWith(world, web, (planned) => planned)).toEqual({
      kind: 'unknown',
      reference: `${lan}.id`,
    });
  });
});

describe('what was to be replaced and stays', () => {
  const swapped = (extra: ProjectConfig['networks'] = {}) =>
    deferred(
      { vms: { web: { name: 'x' } } },
      { vms: { web: { name: 'y' }, other: { name: 'x' } }, networks: extra },
      web,
      'configuration',
      `${same}"c1-r1-d20"`,
    );

  it('lets go of a name that another one takes', () => {
    const outcome = resolve(swapped(), web);
    expect(changeOf(outcome).action).toBe('update');
    expect(commandsOf(outcome)).toEqual(['prepare: renameVm', 'apply: renameVm']);
  });

  it('keeps it where nobody takes it', () => {
    const world = ofWeb({ name: 'x' }, { name: 'y' }, 'tariff', `${same}"monthly"`);
    expect(commandsOf(resolve(world, web))).toEqual(['apply: renameVm']);
  });

  it('keeps what is ignored, which a replacement would have had as configured', () => {
    const changed = { name: 'y', image: 'debian-12' };
    const world = ofWeb({ name: 'x' }, changed, 'tariff', `${same}"monthly"`);
    const lifecycle = lifecycleOf({ ignoreChanges: ['name', 'image'] });
    const ignoring = patchDesired(world, web, { lifecycle });
    expect(changeLines(buildPlan(ignoring).plan)).toContain(
      'replace p.vms.web: name, image, tariff!',
    );
    const outcome = resolve(ignoring, web);
    expect(changeOf(outcome)).toMatchObject({
      ...{ action: 'no-op', fields: [], after: { name: 'x', image: 'ubuntu-24.04' } },
    });
    expect(changeOf(outcome).waiting).toBeUndefined();
    expect(changeOf(resolve(ignoring, web, undefined, true))).toMatchObject({
      ...{ action: 'replace', after: { name: 'y', image: 'debian-12' } },
    });
  });

  it('lets go of a network that is deleted', () => {
    const world = deferred(
      { networks: { old: {} }, vms: { web: { networks: ['old'] } } },
      { vms: { web: { networks: [] } } },
      web,
      'tariff',
      `${same}"monthly"`,
    );
    expect(commandsOf(resolve(world, web))).toEqual(['prepare: detachVm', 'apply: ']);
    expect(changeLines(checkedPlanOf(applyPlan(world, checkedPlanOf(world))))).toEqual([]);
  });

  it('is replaced after all where it holds a port that another one takes', () => {
    const forwards = (edge: Record<string, { publicPort: number; vm: string }>): ProjectConfig => ({
      vms: { web: {} },
      publicIps: { edge },
    });
    const at = (publicPort: number) => ({ publicPort, vm: 'web', vmPort: 1 });
    const a = 'projects.p.publicIps.edge.forwards.a';
    const [before, after] = [forwards({ a: at(80) }), forwards({ a: at(81), b: at(80) })];
    const world = deferred(before, after, a, 'protocol', `${same}"tcp"`);
    expect(changeOf(resolve(world, a)).action).toBe('replace');
    expect(changeLines(checkedPlanOf(applyPlan(world, checkedPlanOf(world))))).toEqual([]);
  });

  it('is made again where it is gone already', () => {
    const outcome = resolve(ofWeb({}, {}, 'tariff', `${same}"monthly"`), web, undefined, true);
    expect(changeOf(outcome).action).toBe('replace');
    expect(commandsOf(outcome)).toContain('apply: createVm');
  });
});

describe('a change fails', () => {
  const vms = { web: {} };
  it.each<[string, string, string, string]>([
    ['an expression that fails', 'name', `${lan}.cidr.split("/")[7]`, 'unknown-name'],
    ['a value that does not fit', 'name', `size(${lan}.cidr)`, 'invalid-late-value'],
    ['one of few words that it is not', 'power', `${lan}.cidr`, 'invalid-late-value'],
    ['what the service does not offer', 'image', `${lan}.cidr`, 'unknown-image'],
    [
      'a name that is too long',
      'name',
      `[1, 2, 3, 4, 5, 6, 7, 8, 9].map(x, ${lan}.cidr).join("")`,
      'name-too-long',
    ],
    ['a name that another one will have', 'name', `${same}"db"`, 'taken-on-apply'],
  ])('for %s', (_, field, text, code) => {
    const world = deferred({ vms }, { vms: { web: {}, db: {} } }, web, field, text);
    expect(resolve(world, web)).toMatchObject({
      kind: 'fault',
      findings: [{ severity: 'error', code, address: web }],
    });
  });

  it('without a word of what is sensitive', () => {
    const of = (text: string, code: string) => {
      const world = deferred({ vms }, { vms }, web, 'name', text);
      const hidden = patchDesired(world, web, { sensitive: ['name'] });
      const outcome = resolve(hidden, web, { id: 'n-9', cidr: 'hunter2' });
      expect(outcome).toMatchObject({ kind: 'fault', findings: [{ code }] });
      expect(JSON.stringify(outcome)).not.toContain('hunter2');
    };
    of(`{"a": 1}[${lan}.cidr] == 1 ? "a" : "b"`, 'unknown-name');
    of(
      `[1, 2, 3, 4, 5, 6, 7, 8, 9].map(x, ${lan}.cidr + "${'x'.repeat(30)}").join("")`,
      'name-too-long',
    );
  });
});

describe('a deferred public key', () => {
  const alice = 'projects.p.sshKeys.alice';
  const keys = { sshKeys: { alice: {} } };

  it('is taken without the space around it', () => {
    const key = publicKeyOf('alice');
    const text = `${same}"\\n${key} \\n"`;
    expect(changeOf(resolve(deferred(keys, keys, alice, 'publicKey', text), alice)).action).toBe(
      'no-op',
    );
  });

  it('is one', () => {
    const outcome = resolve(deferred(keys, keys, alice, 'publicKey', `[${lan}.id]`), alice);
    expect(outcome).toMatchObject({ kind: 'fault', findings: [{ code: 'invalid-late-value' }] });
  });
});

describe('a deferred name', () => {
  const vms = { vms: { web: {} } };

  it('is taken in normal form C', () => {
    const text = `"cafe\u0301-" + ${lan}.id`;
    expect(changeOf(resolve(deferred(vms, vms, web, 'name', text), web)).after).toMatchObject({
      name: 'caf\u00E9-n-9',
    });
  });

  it('is refused with white space at its ends', () => {
    const outcome = resolve(deferred(vms, vms, web, 'name', `${lan}.id + " "`), web);
    expect(outcome).toMatchObject({
      kind: 'fault',
      findings: [{ code: 'name-outer-blanks', address: web }],
    });
  });

  it('is that of another where the two are one in normal form C', () => {
    const both = { vms: { web: {}, other: { name: 'caf\u00E9' } } };
    const text = `${lan}.id == "" ? "x" : "cafe\u0301"`;
    const outcome = resolve(deferred(both, both, web, 'name', text), web);
    expect(outcome).toMatchObject({ kind: 'fault', findings: [{ code: 'taken-on-apply' }] });
  });
});
