import { describe, expect, it } from 'vitest';
import {
  removeInstanceKey,
  compareResourceAddresses,
  listEnclosingAddresses,
  parseResourceAddress,
} from '../../../src/model/address.ts';

describe('addresses within modules', () => {
  it.each([
    [
      'modules.a.projects.p',
      { kind: 'project', project: 'modules.a.projects.p', local: 'p', module: 'modules.a' },
    ],
    [
      'modules.a["x.y"].modules.b[0].projects.p.vms.v[1]',
      {
        kind: 'vm',
        project: 'modules.a["x.y"].modules.b[0].projects.p',
        parent: 'modules.a["x.y"].modules.b[0].projects.p',
        local: 'v[1]',
        module: 'modules.a["x.y"].modules.b[0]',
      },
    ],
    [
      'modules.a.projects.p.publicIps.e.forwards.f',
      {
        kind: 'portForward',
        parent: 'modules.a.projects.p.publicIps.e',
        local: 'f',
        module: 'modules.a',
      },
    ],
  ])('%s', (text, parsed) => expect(parseResourceAddress(text)).toMatchObject(parsed));

  it.each(['modules.a', 'modules.projects.p.vms', 'module.a.projects.p', 'modules..projects.p'])(
    '%s is none',
    (text) => expect(parseResourceAddress(text)).toBeUndefined(),
  );

  it('outside of modules say nothing of them', () =>
    expect(parseResourceAddress('projects.p')).not.toHaveProperty('module'));

  it('are sorted by their numbers', () =>
    expect(compareResourceAddresses('modules.a[2].projects.p', 'modules.a[10].projects.p')).toBe(
      -1,
    ));
});

it.each([
  ['projects.p.vms.web', 'projects.p.vms.web'],
  ['projects.p.vms.web[12]', 'projects.p.vms.web'],
  ['projects.p.vms.web["a[0]"]', 'projects.p.vms.web'],
  ['projects.p.vms.web["a\\"]"]', 'projects.p.vms.web'],
  ['modules.a["x"].projects.p', 'modules.a["x"].projects.p'],
  ['account', 'account'],
])('%s without its instance is %s', (address, base) =>
  expect(removeInstanceKey(address)).toBe(base),
);

it.each([
  ['account', []],
  ['tokens.ci', ['tokens.ci']],
  [
    'modules.a["x.y"].modules.b[0].projects.p.publicIps.e.forwards.f',
    [
      'modules.a["x.y"]',
      'modules.a["x.y"].modules.b[0]',
      'modules.a["x.y"].modules.b[0].projects.p',
      'modules.a["x.y"].modules.b[0].projects.p.publicIps.e',
      'modules.a["x.y"].modules.b[0].projects.p.publicIps.e.forwards.f',
    ],
  ],
])('%s stands below others', (address, segments) => {
  expect(listEnclosingAddresses(address)).toEqual(segments);
});
