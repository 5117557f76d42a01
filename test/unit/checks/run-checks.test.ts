import { describe, expect, it } from 'vitest';
import { locateFinding } from '../../../src/model/place-of.ts';
import { runChecks } from '../../../src/checks/run-checks.ts';
import { findingsOf } from '../../support/findings.ts';
import { checkedPlanOf, planOf } from '../../support/plan-lines.ts';
import { afterApply, forget, makeWorld, patchDesired, type World } from '../../support/world.ts';

const p = 'projects.shop';

describe('the findings of all checks', () => {
  it('come the gravest first, behind what the plan had already', () => {
    const world = forget(
      afterApply({ shop: { networks: { lan: {} }, vms: { web: {} } } }),
      'projects.shop.vms.web',
    );
    const severities = checkedPlanOf(world).findings.map(({ severity }) => severity);
    expect(severities).toEqual(['error', 'note']);
    const before = { severity: 'note', code: 'before', summary: 'before' } as const;
    const plan = { ...planOf(world), findings: [before] };
    const { live, state } = world;
    expect(runChecks({ plan, desired: new Map(), live, state }).findings[0]).toBe(before);
    expect(plan.findings).toHaveLength(1);
  });

  it('point to an attribute, else to its resource, else nowhere', () => {
    const [shop] = makeWorld({ config: { shop: {} } }).desired.resources;
    const address = 'projects.shop';
    expect(locateFinding(shop, 'name')).toMatchObject({ address, source: { line: 1, column: 10 } });
    expect(locateFinding(shop, 'absent')).toMatchObject({
      address,
      source: { line: 1, column: 1 },
    });
    expect(locateFinding(shop)).toMatchObject({ address, source: { line: 1, column: 1 } });
    expect(locateFinding(undefined, 'name')).toEqual({});
  });
});

describe('one fault at one place', () => {
  /** As `count` makes them: all attributes stand at the same place. */
  const counted = (count: number): World => {
    const keys = Array.from({ length: count }, (_, index) => `web[${index}]`);
    const world = makeWorld({
      config: {
        shop: {
          vms: Object.fromEntries(
            keys.map((key, index) => [key, { image: 'ubuntu', name: `web-${index}` }]),
          ),
        },
      },
      account: { nameLengths: { vm: 4 } },
    });
    const attributeSources = world.desired.resources[1]!.attributeSources;
    return patchDesired(world, 'vm', { attributeSources });
  };
  const offers =
    'It offers: alma-9, debian-12, debian-13, fedora-42, rocky-9, ubuntu-22.04, ubuntu-24.04.';

  it.each<[number, string]>([
    [1, offers],
    [2, `${offers} The same holds for ${p}.vms.web[1].`],
    [3, `${offers} The same holds for ${p}.vms.web[1] and 1 more.`],
    [40, `${offers} The same holds for ${p}.vms.web[1] and 38 more.`],
  ])('is told once for %i instances', (count, detail) => {
    expect(findingsOf(counted(count), 'unknown-image')).toMatchObject([
      { address: `${p}.vms.web[0]`, detail },
    ]);
  });

  it('is told apart where it reads otherwise', () => {
    // web-0 to web-9 have five characters, web-10 and web-11 have six.
    expect(findingsOf(counted(12), 'name-too-long').map(({ address }) => address)).toEqual([
      `${p}.vms.web[0]`,
      `${p}.vms.web[10]`,
    ]);
  });
});
