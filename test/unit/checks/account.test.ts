import { describe, expect, it } from 'vitest';
import type { AccountInput } from '../../support/account.ts';
import { findingsOf } from '../../support/findings.ts';
import { findingLine } from '../../support/plan-lines.ts';
import {
  afterApply,
  destroyAll,
  forget,
  lose,
  makeWorld,
  reconfigure,
  touch,
  type World,
} from '../../support/world.ts';

describe('what the catalog does not offer', () => {
  const vm = (given: object) => ({ shop: { sshKeys: { alice: {} }, vms: { web: given } } });
  const empty = (given: object, account: AccountInput = {}) =>
    makeWorld({ config: vm(given), account });
  /** Left the catalog since the VM was made. */
  const old = { image: 'img-old', configuration: 'cfg-old', tariff: 'trf-old' };
  const standing = (given: object) => reconfigure(afterApply(vm(old)), vm({ ...old, ...given }));
  const twins = {
    catalog: {
      images: [
        { id: 'img-1', name: 'twin' },
        { id: 'img-2', name: 'twin' },
        { id: 'id', name: 'other' },
        { id: 'img-3', name: 'id' },
        { id: 'img-4', name: 'id' },
      ],
    },
  };
  const ids = { image: 'img-debian-12', configuration: 'cfg-c1r2d20', tariff: 'trf-yearly' };
  const noSuchImage = 'error unknown-image at 3:20 shop.vms.web: The service has no image';

  it.each<[string, World, string[]]>([
    ['is nothing where all is offered', empty({}), []],
    ['is nothing where ids are written', empty(ids), []],
    [
      'is reported, each at its place',
      empty({ image: 'ubuntu', configuration: 'huge', tariff: 'weekly' }),
      [
        'error unknown-image at 3:20 shop.vms.web: The service has no image "ubuntu"',
        'error unknown-configuration at 3:30 shop.vms.web: The service has no configuration "huge"',
        'error unknown-tariff at 3:40 shop.vms.web: The service has no tariff "weekly"',
      ],
    ],
    ['may stand already', standing({}), []],
    ['may stand already beside another change', standing({ power: 'stopped' }), []],
    ['is reported where it is new', standing({ image: 'ubuntu' }), [`${noSuchImage} "ubuntu"`]],
    [
      'is reported of the image that a rebuild asks for again',
      standing({ sshKeys: ['alice'], rebuildOn: ['sshKeys'] }),
      [`${noSuchImage} "img-old"`],
    ],
    [
      'is reported of all that a replacement asks for again',
      standing({ configuration: 'c1-r1-d20' }),
      [
        `${noSuchImage} "img-old"`,
        'error unknown-tariff at 3:40 shop.vms.web: The service has no tariff "trf-old"',
      ],
    ],
    [
      'is two of one name',
      empty({ image: 'twin' }, twins),
      ['error ambiguous-image at 3:20 shop.vms.web: The service has 2 images called "twin"'],
    ],
    ['is not two of one name where it is an id', empty({ image: 'id' }, twins), []],
    ['is nothing when everything goes', destroyAll(afterApply(vm(old))), []],
  ])('%s', (_what, world, expected) => {
    const found = ['unknown-', 'ambiguous-'].flatMap((code) => findingsOf(world, code));
    expect(found.map(findingLine)).toEqual(expected);
  });

  it('says what there is', () => {
    const [image] = findingsOf(empty({ image: 'ubuntu' }), 'unknown-image');
    expect(image).toMatchObject({
      detail:
        'It offers: alma-9, debian-12, debian-13, fedora-42, rocky-9, ubuntu-22.04, ubuntu-24.04.',
      hint: 'Use one of these names, or an id from "hostwright catalog images".',
    });
    const [near] = findingsOf(empty({ image: 'ubunut-24.04' }), 'unknown-image');
    expect(near?.hint).toMatch(/^Did you mean "ubuntu-24\.04"\? /);
    const [gone] = findingsOf(empty({ configuration: 'c3-r4-d40' }), 'unknown-configuration');
    expect(gone?.detail).toMatch(
      /\. The nearest: c2-r4-d40 \(2 cores, 4 GB RAM, 40 GB disk\), .* disk\)\.$/,
    );
    const [other] = findingsOf(empty({ configuration: 'large' }), 'unknown-configuration');
    expect(other?.detail).not.toContain('nearest');
    const [none] = findingsOf(empty({}, { catalog: { tariffs: [] } }), 'unknown-tariff');
    expect(none?.detail).toBe('It offers: none.');
    const [two] = findingsOf(empty({ image: 'twin' }, twins), 'ambiguous-image');
    expect(two).toMatchObject({
      detail: 'Their ids: img-1, img-2.',
      hint: 'Write the id of one of them.',
    });
  });
});

describe('a plan that ends above a quota', () => {
  const networks = (count: number) => ({
    shop: {
      networks: Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, {}])),
    },
  });
  const vm = (configuration: string) => ({ shop: { vms: { web: { configuration } } } });
  const empty = (config: object, quotas: NonNullable<AccountInput['quotas']>) =>
    makeWorld({ config: { ...config }, account: { quotas } });
  const tight = { quotas: { networks: 2 } };

  it.each<[string, World, string[]]>([
    ['at its limit', empty(networks(2), { networks: 2 }), []],
    [
      'one above it',
      empty(networks(3), { networks: 2 }),
      ['The plan exceeds the quota "networks": 3 at its peak, limit 2, used 0'],
    ],
    [
      'above it because of what is not ours',
      empty(networks(1), { networks: { limit: 2, used: 2 } }),
      [
        'The plan exceeds the quota "networks": 3 at its peak, limit 2, used 2 (2 not managed here)',
      ],
    ],
    [
      'above it with a replacement',
      reconfigure(afterApply(vm('c1-r1-d20'), { quotas: { vmRam: 2 } }), vm('c2-r4-d40')),
      ['The plan exceeds the quota "VM RAM": 4 GB at its peak, limit 2, used 1'],
    ],
    ['above it already, and no more', afterApply(networks(3), tight), []],
    ['above it already, and less', reconfigure(afterApply(networks(4), tight), networks(3)), []],
    ['where the service gives none', empty(networks(9), { networks: null }), []],
    [
      'above several',
      empty(vm('c8-r32-d320'), { vmCpu: 4, vmRam: 16, vmDisk: 100, projects: 0 }),
      [
        'The plan exceeds the quota "projects": 1 at its peak, limit 0, used 0',
        'The plan exceeds the quota "VM cores": 8 cores at its peak, limit 4, used 0',
        'The plan exceeds the quota "VM RAM": 32 GB at its peak, limit 16, used 0',
        'The plan exceeds the quota "VM disk": 320 GB at its peak, limit 100, used 0',
      ],
    ],
  ])('%s', (_what, world, expected) => {
    expect(findingsOf(world, 'quota-exceeded').map(({ summary }) => summary)).toEqual(expected);
  });

  it('says by how much, and what to do', () => {
    expect(findingsOf(empty(vm('c2-r4-d40'), { vmRam: 1 }), 'quota-exceeded')).toEqual([
      {
        severity: 'error',
        code: 'quota-exceeded',
        summary: 'The plan exceeds the quota "VM RAM": 4 GB at its peak, limit 1, used 0',
        detail:
          'After this plan the account would hold 4 GB, 3 GB too many: the service would refuse the last creates. Free now: 1 GB, room for none of the 1 that the plan creates. Sizes with which it fits: c1-r1-d20 (1 core, 1 GB RAM, 20 GB disk).',
        hint: 'Plan fewer or smaller resources, remove unused ones, or ask the service to raise the quota.',
      },
    ]);
  });
});

describe('a state of which nothing is live', () => {
  const applied = afterApply({ shop: { vms: { web: {} } } });
  const empty = lose(applied, 'projects.shop');
  const elsewhere = { ...empty, state: { ...empty.state, service: 'https://other.test/v1' } };
  const why =
    'Either everything was deleted outside of Hostwright, or the state belongs to another account.';
  const anew =
    'Check the address and the token before you apply: everything would be created again.';

  it.each<[string, World, [detail: string, hint: string] | undefined]>([
    ['is no matter when something is', applied, undefined],
    ['is no matter when it is empty', makeWorld({ config: { shop: {} } }), undefined],
    ['is told', empty, [why, anew]],
    [
      'is told with the address that it was made with',
      elsewhere,
      [`${why} It was last applied to https://other.test/v1.`, anew],
    ],
    [
      'is told when nothing is wanted either',
      reconfigure(empty, {}),
      [why, 'Check the address and the token.'],
    ],
  ])('%s', (_what, world, expected) => {
    const [detail, hint] = expected ?? [];
    const summary = 'None of the 2 resources in the state exists in this account';
    const finding = { severity: 'warning', code: 'nothing-of-state-live', summary, detail, hint };
    expect(findingsOf(world, 'nothing-of-state-live')).toEqual(expected ? [finding] : []);
  });

  it.each([
    ['refuses a refresh, which would drop all of it', false, 'error', 'use --force.'],
    ['warns of a refresh that is forced', true, 'warning', 'Check the address and the token.'],
  ])('%s', (_what, isForced, severity, hint) => {
    const planOptions = {
      ...{ adoptsAll: false, isForced, replace: [] },
      selection: { targets: [], excludes: [] },
    };
    const refresh: World = { ...empty, mode: 'refresh', planOptions };
    expect(findingsOf(refresh, 'nothing-of-state-live')).toMatchObject([
      { severity, hint: expect.stringMatching(new RegExp(`${hint}$`)) as string },
    ]);
  });
});

describe('what the service is not finished with', () => {
  const vms = { web: {}, db: {} };
  const applied = afterApply({ shop: { networks: { lan: {} }, vms } });
  const lan = 'projects.shop.networks.lan';
  const web = 'projects.shop.vms.web';
  const busy = touch(applied, web, { status: 'updating' });

  it.each<[string, World, string[]]>([
    ['is nothing where all is active', applied, []],
    ['is noted', busy, [`note not-settled at 3:1 shop.vms.web: ${web} is updating at the moment`]],
    [
      'is noted of a network',
      touch(applied, lan, { status: 'creating' }),
      [`note not-settled at 2:1 shop.networks.lan: ${lan} is creating at the moment`],
    ],
    [
      'is noted of a network that goes',
      destroyAll(touch(applied, lan, { status: 'updating' })),
      [`note not-settled shop.networks.lan: ${lan} is updating at the moment`],
    ],
    ['is not noted of what failed', touch(applied, web, { status: 'failed' }), []],
    [
      'is not noted of what is replaced anyway',
      reconfigure(busy, {
        shop: { networks: { lan: {} }, vms: { ...vms, web: { tariff: 'yearly' } } },
      }),
      [],
    ],
  ])('%s', (_what, world, expected) => {
    expect(findingsOf(world, 'not-settled').map(findingLine)).toEqual(expected);
  });
});

describe('what stands in our projects and is not ours', () => {
  const applied = afterApply({
    shop: {
      sshKeys: { a: {}, b: {} },
      publicIps: { edge: { https: { publicPort: 443, vm: 'web' } } },
      vms: { web: {}, db: { publicIp: 'new' } },
    },
    blog: { networks: { lan: {} } },
  });
  const p = 'projects.shop';
  const noted = (key: string, what: string) =>
    `note unmanaged-resources ${key}: projects.${key} also holds ${what} that this configuration does not name`;

  it.each<[string, World, string[]]>([
    ['is nothing where all is ours, with the address that came with a VM', applied, []],
    [
      'is counted by kind',
      forget(applied, `${p}.sshKeys.a`, `${p}.sshKeys.b`, `${p}.vms.web`),
      [noted('shop', '2 SSH keys, 1 VM')],
    ],
    [
      'is counted by project, in their order',
      forget(
        applied,
        ...[`${p}.publicIps.edge.forwards.https`, `${p}.vms.db`, 'projects.blog.networks.lan'],
      ),
      [noted('blog', '1 network'), noted('shop', '1 public IP, 1 VM, 1 port forward')],
    ],
    [
      'is not our business in a project that is not ours',
      makeWorld({
        account: { projects: { 'p-9': { name: 'other', networks: { 'n-9': { name: 'lan' } } } } },
      }),
      [],
    ],
  ])('%s', (_what, world, expected) => {
    expect(findingsOf(world, 'unmanaged').map(findingLine)).toEqual(expected);
  });

  it('is named as far as anybody reads, and left alone', () => {
    const [note] = findingsOf(forget(applied, `${p}.vms.web`), 'unmanaged');
    expect(note?.detail).toBe('They are left alone: the VM "web" (id vm-shop-web).');
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const many = afterApply({
      shop: { sshKeys: Object.fromEntries(keys.map((key) => [key, {}])) },
    });
    const all = forget(many, ...keys.map((key) => `${p}.sshKeys.${key}`));
    expect(findingsOf(all, 'unmanaged')[0]?.detail).toMatch(/^[^,]*(, [^,]*){4} and 2 more\.$/);
  });
});
