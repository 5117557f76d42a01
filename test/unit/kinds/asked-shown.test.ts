import { describe, expect, it } from 'vitest';
import {
  isFailedField,
  substituteRequestedValues,
  recordRequestedAndShownFields,
} from '../../../src/kinds/asked-shown.ts';
import {
  hasUnexpectedFieldValue,
  hasRespelledCommandValues,
} from '../../../src/kinds/carry-out.ts';
import { isServiceSpelling } from '../../../src/kinds/spelling.ts';
import type { LiveResource } from '../../../src/model/account/live.ts';
import type { KindName } from '../../../src/model/kind-places.ts';
import type { AskedAndShownValues } from '../../../src/model/state/shown.ts';
import type { ManagedResource } from '../../../src/model/state/state.ts';
import type { Attributes, Value } from '../../../src/model/value.ts';
import { defaultCatalog as catalog } from '../../support/account.ts';

const live = (name: string): LiveResource => ({
  ...{ kind: 'network', id: 'n', projectId: 'p', name, status: 'active', cidr: '10.0.0.0/24' },
});
const managed = (more: Partial<ManagedResource> = {}): ManagedResource => ({
  ...{ address: 'projects.p.networks.lan', kind: 'network', id: 'n', projectId: 'p' },
  ...{ attributes: { name: 'Lan', cidr: '10.0.0.0/24' }, configured: ['name'] },
  ...more,
});

it.each<[KindName, string, Value, Value, boolean]>([
  ['network', 'name', ' Lan ', 'lan', true],
  ['network', 'name', 'cafe\u0301', 'CAF\u00E9', true],
  ['network', 'name', 'Lan', 'wan', false],
  ['network', 'cidr', '10.0.0.0/24', '10.0.0.0/24', false],
  ['vm', 'image', 'debian-12', 'img-debian-12', true],
  ['vm', 'image', 'debian-12', 'ubuntu-24.04', false],
  ['vm', 'plugins', ['Backup', 'monitoring'], ['monitoring', 'backup'], true],
  ['vm', 'plugins', ['a', 'A'], ['a', 'b'], false],
  ['vm', 'plugins', ['a'], [], false],
  ['vm', 'networks', ['Lan'], ['lan'], false],
  ['portForward', 'publicPort', 443, '443', true],
  ['portForward', 'vm', 'Web', 'web', false],
  ['sshKey', 'publicKey', 'ssh-rsa AAAA', 'ssh-rsa aaaa', false],
  ['account', 'notifications', { a: true }, { a: false }, false],
])('the closed list of spellings: %s.%s: %j as %j', (kind, name, asked, shown, expected) => {
  expect(isServiceSpelling(kind, name, asked, shown, catalog)).toBe(expected);
});

describe('a live resource as it was asked for', () => {
  const kept = managed({ shown: { name: 'lan' } });
  const secret = managed({ attributes: {}, sensitive: ['name'] });

  it.each<[string, ManagedResource | undefined, string, string | undefined, string]>([
    ['while the account is as shown', kept, 'lan', 'Lan', 'Lan'],
    ['where another is wanted', kept, 'lan', 'backend', 'Lan'],
    ['where nothing is wanted', kept, 'lan', undefined, 'Lan'],
    ['but what is shown where that is wanted', kept, 'lan', 'lan', 'lan'],
    ['but what is live where somebody changed it', kept, 'LAN', 'Lan', 'LAN'],
    ['but what is live where nothing was shown', managed(), 'lan', 'Lan', 'lan'],
    ['but what is live of what is not managed', undefined, 'lan', 'Lan', 'lan'],
    ['by what is wanted where that is a secret', secret, 'lan', 'Lan', 'Lan'],
    ['but what is live where it is no spelling of the secret', secret, 'lan', 'wan', 'lan'],
  ])('%s', (_what, record, name, wanted, expected) => {
    const read = { id: 'n', name };
    const asked = substituteRequestedValues(
      read,
      record,
      wanted === undefined ? {} : { name: wanted },
    );
    expect(asked).toEqual({ id: 'n', name: expected });
  });
});

describe('what is recorded after a change', () => {
  const had = managed({
    attributes: { name: 'old', plugins: ['b'], image: 'debian-12' },
    ...{ shown: { plugins: [] }, accepted: ['plugins'] },
  });
  const wanted = { name: 'Web', plugins: ['b'], image: 'debian-12' };

  /** What is read, what the change has set, what is ignored, and the record; what is untold stays in it. */
  it.each<[string, Attributes, readonly string[], readonly string[], AskedAndShownValues]>([
    ['as asked', { name: 'Web' }, ['name'], [], { attributes: { name: 'Web' } }],
    [
      ...(['spelled', { name: 'web' }, ['name'], []] as const),
      { attributes: { name: 'Web' }, shown: { name: 'web' } },
    ],
    [
      ...(['otherwise', { name: 'W' }, ['name'], []] as const),
      { attributes: { name: 'Web' }, shown: { name: 'W' } },
    ],
    ['as before', { name: 'old' }, ['name'], [], { attributes: { name: 'old' } }],
    [
      ...(['an essential field otherwise', { image: 'rocky-9' }, ['image'], []] as const),
      { attributes: { image: 'rocky-9' } },
    ],
    [
      ...(['as shown before, not set', { plugins: [] }, [], []] as const),
      { attributes: { plugins: ['b'] }, shown: { plugins: [] }, accepted: ['plugins'] },
    ],
    [
      ...(['changed outside, not set', { plugins: ['x'] }, [], []] as const),
      { attributes: { plugins: ['b'] }, shown: { plugins: [] }, accepted: ['plugins'] },
    ],
    ['as asked by now', { plugins: ['b'] }, [], [], { attributes: { plugins: ['b'] } }],
    [...(['ignored', { name: 'by-hand' }, [], ['name']] as const), { attributes: { name: 'old' } }],
  ])('%s', (_what, read, set, ignored, expected) => {
    const after = {
      ...{ kind: 'vm' as const, catalog, read, before: { name: 'old', image: 'debian-12' } },
      ...{ had, wanted, configured: Object.keys(wanted) },
      ...{ set: new Set(set), ignored: new Set(ignored) },
    };
    const kept = { shown: { ...expected.shown, plugins: [] }, accepted: ['plugins'] };
    expect(recordRequestedAndShownFields(after, true)).toEqual(
      'plugins' in read ? expected : { ...expected, ...kept },
    );
  });

  it('fails a change of what is essential, or of what shows what it showed before', () => {
    const other = { asked: 'a', shown: 'b', isAsBefore: false };
    expect(isFailedField('vm', { ...other, name: 'name' })).toBe(false);
    expect(isFailedField('vm', { ...other, name: 'name', isAsBefore: true })).toBe(true);
    for (const name of ['image', 'configuration', 'tariff', 'publicIp'])
      expect(isFailedField('vm', { ...other, name })).toBe(true);
  });
});

describe('a rename', () => {
  const rename = { kind: 'renameNetwork', project: 'p', network: 'n', name: 'Lan' } as const;

  it.each([
    ['lan', true, true],
    ['Lan', false, true],
    ['wan', false, true],
    ['old', false, false],
  ])('that shows as %j', (shown, isSpelled, isAnother) => {
    expect(hasRespelledCommandValues(rename, live(shown))).toBe(isSpelled);
    expect(hasUnexpectedFieldValue(rename, live(shown), live('old'))).toBe(isAnother);
  });

  it('is no create', () => {
    const create = { kind: 'createNetwork', project: 'p', name: 'Lan' } as const;
    expect(hasRespelledCommandValues(create, live('lan'))).toBe(false);
  });
});
