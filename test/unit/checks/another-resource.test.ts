import { describe, expect, it } from 'vitest';
import type { LiveResource } from '../../../src/model/account/live.ts';
import { kindRegistry } from '../../../src/kinds/registry.ts';
import { kindNames } from '../../../src/model/kind-places.ts';
import { findingsOf } from '../../support/findings.ts';
import { afterApply, patchManaged, touch, type World } from '../../support/world.ts';

const shop = 'projects.shop';
const applied = afterApply({
  shop: {
    sshKeys: { alice: {} },
    networks: { lan: {} },
    vms: { web: {}, db: { name: 'db' } },
    publicIps: { edge: { http: { publicPort: 80, vm: 'web', vmPort: 8080 } } },
  },
});

/** Every fact that tells one of its kind from others. */
const others: Readonly<Record<string, Partial<LiveResource>>> = {
  [`${shop}.sshKeys.alice`]: { name: 'bob', publicKey: 'ssh-ed25519 AAAA', fingerprint: 'x' },
  [`${shop}.networks.lan`]: { name: 'dmz', cidr: '192.168.0.0/24' },
  [`${shop}.vms.web`]: { name: 'mail', imageId: 'img-debian-12', configurationId: 'cfg-c4r8d80' },
  [`${shop}.publicIps.edge.forwards.http`]: {
    ...{ protocol: 'udp', publicPort: 53, vmId: 'vm-shop-db', vmPort: 53 },
  },
};
const asked = (world: World) => findingsOf(world, 'another-resource').map(({ address }) => address);

describe('what stands under the id of a managed resource', () => {
  it.each(Object.entries(others))('%s: is another one if it shares nothing', (address, patch) => {
    const world = touch(applied, address, patch);
    expect(asked(world)).toEqual([address]);
    expect(asked({ ...world, mode: 'destroy' })).toEqual([address]);
    expect(asked({ ...world, mode: 'refresh' })).toEqual([address]);
  });

  it.each(
    Object.entries(others).flatMap(([address, patch]) =>
      Object.keys(patch).map((kept) => [address, kept, patch] as const),
    ),
  )('%s: is the same with the %s that it had', (address, kept, patch) => {
    const rest = Object.fromEntries(Object.entries(patch).filter(([name]) => name !== kept));
    // A fingerprint is that of a key.
    if (kept !== 'fingerprint') expect(asked(touch(applied, address, rest))).toEqual([]);
  });

  it('is judged by what is told', () => {
    const { name, imageId } = others[`${shop}.vms.web`] as Record<string, string>;
    const thin = { name, imageId: undefined, configurationId: undefined };
    expect(asked(touch(applied, `${shop}.vms.web`, thin as Partial<LiveResource>))).toEqual([]);
    const told = { name, imageId, configurationId: undefined };
    expect(asked(touch(applied, `${shop}.vms.web`, told as Partial<LiveResource>))).toEqual([
      `${shop}.vms.web`,
    ]);
  });

  it('is not judged by what was not recorded', () => {
    const address = `${shop}.vms.web`;
    const world = touch(applied, address, others[address] ?? {});
    const thin = patchManaged(world, address, { attributes: { name: 'web' } });
    for (const mode of ['apply', 'destroy', 'refresh'] as const)
      expect(asked({ ...thin, mode })).toEqual([]);
  });

  it('is asked about with both sides, and with two ways on', () => {
    const address = `${shop}.vms.web`;
    const [finding] = findingsOf(touch(applied, address, others[address] ?? {}), 'another-');
    expect(finding).toMatchObject({
      severity: 'error',
      detail:
        "In the account its name is `mail`, and was `web`; its image is `debian-12`, and was `ubuntu-24.04`; its configuration is `c4-r8-d80`, and was `c1-r1-d20`. It may be somebody else's, so nothing is done to it.",
      hint: expect.stringContaining(`hostwright state rm '${address}'`) as string,
    });
  });

  it('tells enough of each kind that can be told apart', () => {
    const one = kindNames.filter((kind) => !kindRegistry[kind].traits.identifiedBy);
    expect(one).toEqual(['project', 'publicIp', 'account']);
  });
});
