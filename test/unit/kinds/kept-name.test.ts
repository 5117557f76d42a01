import { describe, expect, it } from 'vitest';
import { hasRespelledName, readAskedName, rememberName } from '../../../src/kinds/kept-name.ts';
import type { LiveResource } from '../../../src/model/account/live.ts';
import type { ManagedResource } from '../../../src/model/state/state.ts';

const live = (name: string): LiveResource => ({
  ...{ kind: 'network', id: 'n', projectId: 'p', name, status: 'active', cidr: '10.0.0.0/24' },
});
const managed = (more: Partial<ManagedResource> = {}): ManagedResource => ({
  ...{ address: 'projects.p.networks.lan', kind: 'network', id: 'n', projectId: 'p' },
  ...{ attributes: { name: 'Lan', cidr: '10.0.0.0/24' }, configured: ['name'] },
  ...more,
});

describe('what the state remembers of a name', () => {
  it.each([
    ['lan', 'Lan', 'Lan', 'lan'],
    ['Lan', ' Lan ', ' Lan ', 'Lan'],
    ['caf\u00E9', 'cafe\u0301', 'cafe\u0301', 'caf\u00E9'],
    // As it is: nothing to tell apart.
    ['Lan', 'Lan', 'Lan', undefined],
    // Another name altogether.
    ['wan', 'Lan', 'wan', undefined],
  ])('kept as %j, asked for as %j', (kept, asked, name, keptName) => {
    const before = managed({ attributes: { name: kept }, keptName: 'stale' });
    const after = rememberName(before, live(kept), asked);
    expect(after.attributes).toEqual({ name });
    expect(after.keptName).toBe(keptName);
    expect('keptName' in after).toBe(keptName !== undefined);
  });

  it('is nothing where none was asked for', () =>
    expect(rememberName(managed(), live('lan'), undefined)).toEqual(managed()));

  it('is nothing for what has no name', () => {
    const ip = { kind: 'publicIp', id: 'i', projectId: 'p', status: 'active' } as const;
    const before = managed({ attributes: {} });
    expect(rememberName(before, { ...ip, address: '203.0.113.1', vmId: null }, 'x')).toEqual(
      before,
    );
  });
});

describe('the name of a live resource', () => {
  const kept = managed({ keptName: 'lan' });
  const secret = managed({ attributes: {}, sensitive: ['name'] });

  it.each<[string, ManagedResource | undefined, string, string | undefined, string]>([
    ['is the one that was asked for', kept, 'lan', 'Lan', 'Lan'],
    ['is the one that was asked for where another is wanted', kept, 'lan', 'backend', 'Lan'],
    ['is the one that was asked for where nothing is wanted', kept, 'lan', undefined, 'Lan'],
    ['is the live one where that is wanted', kept, 'lan', 'lan', 'lan'],
    ['is the live one where somebody changed it', kept, 'by-hand', 'Lan', 'by-hand'],
    ['is the live one where somebody changed its case', kept, 'LAN', 'Lan', 'LAN'],
    ['is the live one where the service keeps names', managed(), 'lan', 'Lan', 'lan'],
    ['is the live one of what is not ours', undefined, 'lan', 'Lan', 'lan'],
    ['is the wanted one where that is a secret', secret, 'lan', 'Lan', 'Lan'],
    ['is the live one where it does not come from the secret', secret, 'lan', 'wan', 'lan'],
    [
      'is the live one where the remembered one is another by now',
      managed({ keptName: 'lan', attributes: { name: 'wan' } }),
      'lan',
      'Lan',
      'lan',
    ],
  ])('%s', (_what, before, name, wanted, shown) => {
    const read = { id: 'n', name };
    expect(readAskedName(read, before, wanted === undefined ? {} : { name: wanted })).toEqual({
      id: 'n',
      name: shown,
    });
  });

  it('may be none', () => expect(readAskedName({ id: 'n' }, kept)).toEqual({ id: 'n' }));
});

describe('a rename', () => {
  const rename = (name: string) =>
    ({ kind: 'renameNetwork', project: 'p', network: 'n', name }) as const;

  it.each([
    ['Lan', 'lan', true],
    ['Lan', 'Lan', false],
    ['Lan', 'wan', false],
  ])('to %j that shows as %j', (asked, shown, expected) => {
    expect(hasRespelledName(rename(asked), live(shown))).toBe(expected);
  });

  it('is no create', () => {
    const create = { kind: 'createNetwork', project: 'p', name: 'Lan' } as const;
    expect(hasRespelledName(create, live('lan'))).toBe(false);
  });
});
