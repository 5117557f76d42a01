import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  makeChildAddress,
  compareResourceAddresses,
  makeDeposedAddress,
  isAtOrBelowAddress,
  formatResourceKey,
  isModuleAddress,
  parseResourceAddress,
  parseDeposedAddress,
  makeTopLevelAddress,
  type InstanceKey,
} from '../../../src/model/address.ts';
import { isKindOutsideProjects, kindNames } from '../../../src/model/kind-places.ts';

it.each<[string, InstanceKey | undefined, string]>([
  ['web', undefined, 'web'],
  ['web', 0, 'web[0]'],
  ['web', 12, 'web[12]'],
  ['web', 'a', 'web["a"]'],
  ['web', 'a"b', String.raw`web["a\"b"]`],
  ['web', '', 'web[""]'],
])('localKey: %s with %j is %s', (key, instance, local) =>
  expect(formatResourceKey(key, instance)).toBe(local),
);

describe('what stood under an address before', () => {
  const [web, other] = ['projects.shop.vms.web[0]', 'projects.shop.vms.web'];
  const deposed = makeDeposedAddress(web, 'vm-1');

  it('has an address of its own, of the same kind and place', () => {
    expect(deposed).toBe('projects.shop.vms.web[0] (deposed object vm-1)');
    expect(parseDeposedAddress(deposed)).toEqual({ base: web, id: 'vm-1' });
    expect(parseDeposedAddress(web)).toBeUndefined();
    expect(parseResourceAddress(deposed)).toEqual({
      ...parseResourceAddress(web),
      local: 'web[0] (deposed object vm-1)',
    });
    expect(parseResourceAddress('shop (deposed object vm-1)')).toBeUndefined();
    expect(parseResourceAddress(`${deposed}.forwards.f`)).toBeUndefined();
  });

  it.each([
    [web, web, true],
    [web, other, true],
    [deposed, other, true],
    [deposed, web, true],
    [deposed, 'projects.shop', true],
    [makeDeposedAddress(other, 'vm-2'), other, true],
    [`${other}-2`, other, false],
    [makeDeposedAddress(`${other}-2`, 'vm-2'), other, false],
    [other, web, false],
  ])('%s is at or below %s: %s', (address, name, expected) => {
    expect(isAtOrBelowAddress(address, name)).toBe(expected);
  });
});

describe('parseAddress', () => {
  it.each([
    ['projects.shop', 'project', undefined, 'shop'],
    ['projects.shop.sshKeys.alice', 'sshKey', 'projects.shop', 'alice'],
    ['projects.shop.networks.back-end', 'network', 'projects.shop', 'back-end'],
    ['projects.shop.publicIps.edge', 'publicIp', 'projects.shop', 'edge'],
    ['projects.shop.vms.web', 'vm', 'projects.shop', 'web'],
    ['projects.shop.vms.web[3]', 'vm', 'projects.shop', 'web[3]'],
    ['projects.shop.vms.web["a.b"]', 'vm', 'projects.shop', 'web["a.b"]'],
    [String.raw`projects.s.vms.web["a\"]"]`, 'vm', 'projects.s', String.raw`web["a\"]"]`],
    ['projects._s.publicIps.e.forwards.f_1', 'portForward', 'projects._s.publicIps.e', 'f_1'],
    ['projects.shop.vms.(outside)["vm-9"]', 'vm', 'projects.shop', '(outside)["vm-9"]'],
    [
      'projects.s.publicIps.(outside)["i"].forwards.(outside)["f"]',
      'portForward',
      'projects.s.publicIps.(outside)["i"]',
      '(outside)["f"]',
    ],
  ])('takes %s apart', (text, kind, parent, local) => {
    const parsed = parseResourceAddress(text);
    const project = text.split('.').slice(0, 2).join('.');
    expect(parsed).toEqual({ kind, project, parent, local });
  });

  it.each([
    ['nothing', ''],
    ['a project without a key', 'projects.'],
    ['a project without its collection', 'shop'],
    ['a key that begins with a digit', 'projects.1shop'],
    ['a collection without a key', 'projects.shop.vms'],
    ['a collection that does not exist', 'projects.shop.disks.web'],
    ['a forward of a VM', 'projects.shop.vms.web.forwards.https'],
    ['a forward without a key', 'projects.shop.publicIps.edge.forwards'],
    ['something below a forward', 'projects.shop.publicIps.edge.forwards.https.x'],
    ['an index that does not end', 'projects.shop.vms.web[0'],
    ['an index that is no number', 'projects.shop.vms.web[x]'],
    ['two indexes', 'projects.shop.vms.web[0][1]'],
    ['a space before it', ' projects.shop'],
    ['a line behind it', 'projects.shop\n'],
    ['the mark of what nobody configured without its id', 'projects.shop.vms.(outside)'],
    ['a project that nobody configured', 'projects.(outside)["p"]'],
  ])('refuses %s', (_what, text) => expect(parseResourceAddress(text)).toBeUndefined());

  const key = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,8}$/);
  const instance = fc.option(
    fc.oneof(fc.nat(), fc.string({ unit: 'grapheme' }), fc.constantFrom('"', '\\', ']', 'a.b')),
    { nil: undefined },
  );
  const collection = fc.constantFrom(
    ...kindNames.filter((kind) => !isKindOutsideProjects(kind) && kind !== 'portForward'),
  );

  test.prop([key, collection, key, instance])('gives back what made it', (shop, kind, web, one) => {
    const project = makeTopLevelAddress('project', shop);
    const local = formatResourceKey(web, one);
    const address = makeChildAddress(project, kind, local);
    expect(parseResourceAddress(address)).toEqual({ kind, project, parent: project, local });
    const forward = makeChildAddress(address, 'portForward', web);
    expect(parseResourceAddress(forward)).toEqual(
      kind === 'publicIp'
        ? { kind: 'portForward', project, parent: address, local: web }
        : undefined,
    );
  });

  test.prop([fc.string()])('never throws', (text) => {
    expect(() => parseResourceAddress(text)).not.toThrow();
  });
});

it.each([
  ['modules.shop', true],
  ['modules.shop["eu"]', true],
  ['modules.shop[0].modules.part', true],
  ['modules.shop.projects.p', false],
  ['modules', false],
  ['projects.shop', false],
  ['modules.shop.', false],
])('isModuleAddress: %s: %s', (text, expected) => expect(isModuleAddress(text)).toBe(expected));

describe('compareAddresses', () => {
  it.each([
    ['numbers by value', ['projects.a.vms.web[2]', 'projects.a.vms.web[10]']],
    ['numbers within names', ['projects.a2', 'projects.a10']],
    ['the parent first', ['projects.a', 'projects.a.vms.web', 'projects.a-b', 'projects.ab']],
    ['a single before its instances', ['projects.a.vms.web', 'projects.a.vms.web[0]']],
    [
      'forwards behind their public IP',
      ['projects.a.publicIps.e', 'projects.a.publicIps.e.forwards.x', 'projects.a.publicIps.e2'],
    ],
    ['equal numbers by their spelling', ['projects.a.vms.web["07"]', 'projects.a.vms.web["7"]']],
  ])('puts %s', (_what, sorted) => {
    expect([...sorted].reverse().sort(compareResourceAddresses)).toEqual(sorted);
    expect([...sorted].sort(compareResourceAddresses)).toEqual(sorted);
  });

  it('takes an address for equal to itself alone', () => {
    expect(compareResourceAddresses('projects.a', 'projects.a')).toBe(0);
    expect(compareResourceAddresses('projects.a[1]', 'projects.a[01]')).toBe(1);
    expect(compareResourceAddresses('projects.a[01]', 'projects.a[1]')).toBe(-1);
  });

  const address = fc
    .array(fc.constantFrom('a', 'b', '1', '01', '10', '.', '[', ']', '-'), { maxLength: 6 })
    .map((parts) => `projects.${parts.join('')}`);

  test.prop([address, address, address])('is an order', (a, b, c) => {
    expect(Math.sign(compareResourceAddresses(a, b))).toBe(
      -Math.sign(compareResourceAddresses(b, a)) + 0,
    );
    if (compareResourceAddresses(a, b) <= 0 && compareResourceAddresses(b, c) <= 0) {
      expect(compareResourceAddresses(a, c)).toBeLessThanOrEqual(0);
    }
  });
});
