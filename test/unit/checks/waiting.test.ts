import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../support/findings.ts';
import type { Config } from '../../support/desired.ts';
import { afterApply, makeWorld, reconfigure, type World } from '../../support/world.ts';

const names = (count: number) => Array.from({ length: count }, (_, at) => `vm${at}`);
const sshKeys = { alice: {}, bob: {} };

/** So many VMs, each with the keys that are given for its place. */
const shop = (count: number, keysOf: (at: number) => readonly string[]): Config => ({
  shop: {
    sshKeys: { ...sshKeys, ...Object.fromEntries(names(12).map((one) => [`key-${one}`, {}])) },
    vms: Object.fromEntries(names(count).map((name, at) => [name, { sshKeys: keysOf(at) }])),
  },
});
const edited = (
  count: number,
  before: (at: number) => readonly string[],
  after: (at: number) => readonly string[],
): World => reconfigure(afterApply(shop(count, before)), shop(count, after));

const noteOf = (world: World) => {
  const [note, ...others] = findingsOf(world, 'waits-for-rebuild');
  expect(others).toEqual([]);
  return note;
};

describe('keys that wait for a rebuild', () => {
  it('are no news where none waits', () => {
    const same = edited(
      1,
      () => ['alice'],
      () => ['alice'],
    );
    expect(noteOf(same)).toBeUndefined();
  });

  it('are told of one VM with its address and the key that still opens it', () => {
    const note = noteOf(
      edited(
        1,
        () => ['alice'],
        () => ['bob'],
      ),
    );
    expect(note).toMatchObject({
      address: 'projects.shop.vms.vm0',
      summary: 'projects.shop.vms.vm0 keeps the sshKeys that it was created with',
      hint: 'Set rebuild: { on: [image, sshKeys] } to apply this by a rebuild, which wipes the disk.',
    });
    expect(note?.detail).toMatch(/Old keys that still open it: alice \(SHA256:\S+\)\.$/);
  });

  it('are told in one note of several VMs, each value once', () => {
    const note = noteOf(
      edited(
        12,
        () => ['alice'],
        (at) => (at === 0 ? [] : ['bob']),
      ),
    );
    expect(note).not.toHaveProperty('address');
    expect(note?.summary).toBe('12 VMs keep the sshKeys that they were created with');
    const lines = note?.detail?.split('\n') ?? [];
    expect(lines.filter((line) => line.endsWith('# applies at the next rebuild'))).toEqual([
      'sshKeys = [] # applies at the next rebuild',
      'sshKeys = ["bob"] # applies at the next rebuild',
    ]);
    expect(lines[3]).toMatch(/vms\.vm10 and 1 more$/);
    expect(lines.at(-1)).toMatch(
      /^Old keys that still open them: alice \(SHA256:\S+\) on 12 VMs\.$/,
    );
    expect(note?.hint).toMatch(/wipes the disks\.$/);
  });

  it('are cut after ten values and ten old keys', () => {
    const note = noteOf(
      edited(
        12,
        (at) => [`key-vm${at}`],
        (at) => [`key-vm${(at + 1) % 12}`],
      ),
    );
    expect(note?.detail).toContain('\nand 2 more values\n');
    expect(note?.detail).toMatch(/on 1 VM and 2 more\.$/);
  });

  it('are told by their names in the account where the key is not ours, by its id where it is gone', () => {
    const account = {
      projects: {
        'p-1': {
          name: 'shop',
          sshKeys: { 'k-1': { name: 'carol' } },
          vms: { 'vm-1': { name: 'web', sshKeys: ['k-1'] } },
        },
      },
    };
    const config: Config = { shop: { sshKeys, vms: { web: { sshKeys: ['bob'] } } } };
    const memory = {
      resources: { 'projects.shop': { id: 'p-1' }, 'projects.shop.vms.web': { id: 'vm-1' } },
    };
    const note = noteOf(makeWorld({ config, account, memory }));
    expect(note?.detail).toMatch(/Old keys that still open it: carol \(SHA256:\S+\)\.$/);
  });
});
