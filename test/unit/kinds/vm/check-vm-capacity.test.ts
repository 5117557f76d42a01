import { describe, expect, it } from 'vitest';
import type { CatalogConfiguration } from '../../../../src/model/account/live.ts';
import type { Config, VmConfig } from '../../../support/desired.ts';
import { findingsOf } from '../../../support/findings.ts';
import { afterApply, makeWorld, reconfigure, type World } from '../../../support/world.ts';

const size = (
  name: string,
  cpu: number,
  given: Partial<CatalogConfiguration> = {},
): CatalogConfiguration => ({
  ...{
    id: `cfg-${name}`,
    name,
    cpu,
    ram: cpu,
    disk: 10,
    availability: 'available',
    maxCount: null,
  },
  ...given,
});
const vms = (count: number, given: VmConfig = {}): Config => ({
  p: {
    vms: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`web[${at}]`, { configuration: 's', ...given }]),
    ),
  },
});
const offering = (configurations: readonly CatalogConfiguration[]) => ({
  catalog: { configurations },
});
const empty = (config: Config, ...sizes: CatalogConfiguration[]): World =>
  makeWorld({ config, account: offering(sizes) });

describe('more VMs of a configuration than there is room for', () => {
  const creates = (count: number, room: string) =>
    `This plan creates ${count === 1 ? 'a VM' : `${count} VMs`} of configuration "s"; the cluster says it has room for ${room} at the moment`;
  const two = size('s', 1, { maxCount: 2 });
  const full = size('s', 1, { availability: 'unavailable' });

  it.each<[string, World, string[]]>([
    ['where no count is given', empty(vms(9), size('s', 1)), []],
    ['as many as there is room for', empty(vms(2), two), []],
    ['one more', empty(vms(3), two), [creates(3, '2')]],
    [
      'written by id or by name',
      empty({ ...vms(2), q: { vms: { a: { configuration: 'cfg-s' } } } }, two),
      [creates(3, '2')],
    ],
    ['none at all', empty(vms(1), full), [creates(1, 'none')]],
    ['what stands already', afterApply(vms(3), offering([two])), []],
    [
      'one replacement',
      reconfigure(afterApply(vms(1), offering([full])), vms(1, { tariff: 'yearly' })),
      [creates(1, 'none')],
    ],
    ['of what the catalog does not know', empty(vms(1, { configuration: 'nope' }), two), []],
  ])('%s', (_what, world, expected) => {
    expect(findingsOf(world, 'little-capacity').map(({ summary }) => summary)).toEqual(expected);
  });

  it('warns at the first of them, and names what has room', () => {
    const [finding] = findingsOf(
      empty(vms(3), two, size('m', 2), size('xs', 0), size('l', 4, { availability: null })),
      'little',
    );
    expect(finding).toMatchObject({
      severity: 'warning',
      address: 'projects.p.vms.web[0]',
      source: { line: 2, column: 30 },
      detail:
        'The service decides when they are created; some creates may be refused. Of at least that size and with room: m (2 cores, 2 GB RAM, 10 GB disk).',
    });
    expect(findingsOf(empty(vms(1), full), 'little')[0]?.detail).not.toContain('with room');
  });
});
