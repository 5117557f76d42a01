import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { noPlanOptions } from '../../../src/model/plan/plan.ts';
import type { AccountInput } from '../../support/account.ts';
import { findingsOf } from '../../support/findings.ts';
import { findingLine } from '../../support/plan-lines.ts';
import { readRows } from '../../support/read-rows.ts';
import { readStories, readWorld } from '../../support/read-stories.ts';
import {
  afterApply,
  forget,
  lose,
  makeWorld,
  reconfigure,
  type World,
} from '../../support/world.ts';

describe('what the catalog does not offer', () => {
  const vm = (given: string) => `sshKeys: {alice}, vms: {web: {${given}}}`;
  const empty = (given: string, account: AccountInput = {}) =>
    readWorld(`empty => ${vm(given)}`, account);
  /** Left the catalog since the VM was made. */
  const old = 'image: img-old, configuration: cfg-old, tariff: trf-old';
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
  const noSuch = (what: string) => `${what} at 3:20 p.vms.web: The service has no image`;

  it.each(
    readStories(`
    is nothing where all is offered
      empty => ${vm('')}
    is nothing where ids are written
      empty => ${vm('image: img-debian-12, configuration: cfg-c1r2d20, tariff: trf-yearly')}
    is reported, each at its place
      empty => ${vm('image: ubuntu, configuration: huge, tariff: weekly')}
      error unknown-image at 3:20 p.vms.web: The service has no image "ubuntu"
      error unknown-configuration at 3:30 p.vms.web: The service has no configuration "huge"
      error unknown-tariff at 3:40 p.vms.web: The service has no tariff "weekly"
    may stand already
      ${vm(old)}
    may stand already beside another change
      ${vm(old)} => ${vm(`${old}, power: stopped`)}
    is reported where it is new
      ${vm(old)} => ${vm(old.replace('img-old', 'ubuntu'))}
      ${noSuch('error unknown-image')} "ubuntu"
    is reported of the image that a rebuild asks for again
      ${vm(old)} => ${vm(`${old}, sshKeys: [alice], rebuildOn: [sshKeys]`)}
      ${noSuch('error unknown-image')} "img-old"
    is reported of all that a replacement asks for again
      ${vm(old)} => ${vm(old.replace('cfg-old', 'c1-r1-d20'))}
      ${noSuch('error unknown-image')} "img-old"
      error unknown-tariff at 3:40 p.vms.web: The service has no tariff "trf-old"
    is nothing when everything goes
      ${vm(old)} & destroy
    `),
  )('%s', (_what, world, expected) => expect(faultsOf(readWorld(world))).toEqual(expected));

  it('is two of one name, but not where it is an id', () => {
    expect(faultsOf(empty('image: twin', twins))).toEqual([
      'error ambiguous-image at 3:20 p.vms.web: The service has 2 images called "twin"',
    ]);
    expect(faultsOf(empty('image: id', twins))).toEqual([]);
  });

  function faultsOf(world: World) {
    const found = ['unknown-', 'ambiguous-'].flatMap((code) => findingsOf(world, code));
    return found.map(findingLine);
  }

  it('says what there is', () => {
    const [image] = findingsOf(empty('image: ubuntu'), 'unknown-image');
    expect(image).toMatchObject({
      detail:
        'It offers: alma-9, debian-12, debian-13, fedora-42, rocky-9, ubuntu-22.04, ubuntu-24.04.',
      hint: 'Use one of these names, or an id from "hostwright catalog images".',
    });
    const [near] = findingsOf(empty('image: ubunut-24.04'), 'unknown-image');
    expect(near?.hint).toMatch(/^Did you mean "ubuntu-24\.04"\? /);
    const [gone] = findingsOf(empty('configuration: c3-r4-d40'), 'unknown-configuration');
    expect(gone?.detail).toMatch(
      /\. The nearest: c2-r4-d40 \(2 cores, 4 GB RAM, 40 GB disk\), .* disk\)\.$/,
    );
    const [other] = findingsOf(empty('configuration: large'), 'unknown-configuration');
    expect(other?.detail).not.toContain('nearest');
    const [none] = findingsOf(empty('', { catalog: { tariffs: [] } }), 'unknown-tariff');
    expect(none?.detail).toBe('It offers: none.');
    const [two] = findingsOf(empty('image: twin', twins), 'ambiguous-image');
    expect(two).toMatchObject({
      detail: 'Their ids: img-1, img-2.',
      hint: 'Write the id of one of them.',
    });
  });
});

describe('a plan that ends above a quota', () => {
  const limits = 'The plan exceeds the quota';
  const summariesOf = (world: World) =>
    findingsOf(world, 'quota-exceeded').map(({ summary }) => summary);

  it.each(
    readStories(`
    at its limit
      {networks: 2} empty => networks: {a, b}
    one above it
      {networks: 2} empty => networks: {a, b, c}
      ${limits} "networks": 3 at its peak, limit 2, used 0
    above it because of what is not ours
      {networks: {limit: 2, used: 2}} empty => networks: {a}
      ${limits} "networks": 3 at its peak, limit 2, used 2 (2 not managed here)
    above it with a replacement
      {vmRam: 2} vms: {web: {configuration: c1-r1-d20}} => vms: {web: {configuration: c2-r4-d40}}
      ${limits} "VM RAM": 4 GB at its peak, limit 2, used 1
    above it already, and no more
      {networks: 2} networks: {a, b, c}
    above it already, and less
      {networks: 2} networks: {a, b, c, d} => networks: {a, b, c}
    where the service gives none
      {networks: } empty => networks: {a, b, c, d, e, f, g, h, i}
    above several
      {vmCpu: 4, vmRam: 16, vmDisk: 100, projects: 0} empty => vms: {web: {configuration: c8-r32-d320}}
      ${limits} "projects": 1 at its peak, limit 0, used 0
      ${limits} "VM cores": 8 cores at its peak, limit 4, used 0
      ${limits} "VM RAM": 32 GB at its peak, limit 16, used 0
      ${limits} "VM disk": 320 GB at its peak, limit 100, used 0
    `),
  )('%s', (_what, text, expected) => {
    const [, quotas = '', world = ''] = /^({.*?}) (?=\w)(.*)$/.exec(text) ?? [];
    const account = { quotas: parse(quotas) as NonNullable<AccountInput['quotas']> };
    expect(summariesOf(readWorld(world, account))).toEqual(expected);
  });

  it('says by how much, and what to do', () => {
    expect(
      findingsOf(
        readWorld('empty => vms: {web: {configuration: c2-r4-d40}}', { quotas: { vmRam: 1 } }),
        'quota-exceeded',
      ),
    ).toEqual([
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
    const planOptions = { ...noPlanOptions, isForced };
    const refresh: World = { ...empty, mode: 'refresh', planOptions };
    expect(findingsOf(refresh, 'nothing-of-state-live')).toMatchObject([
      { severity, hint: expect.stringMatching(new RegExp(`${hint}$`)) as string },
    ]);
  });
});

describe('what the service is not finished with', () => {
  const applied = 'networks: {lan}, vms: {web, db}';
  const busy = '& vms.web is {status: updating}';
  const [lan, web] = ['projects.p.networks.lan', 'projects.p.vms.web'];

  it.each(
    readRows(`
    is nothing where all is active | ${applied} |
    is noted | ${applied} ${busy} | note not-settled at 3:1 p.vms.web: ${web} is updating at the moment
    is noted of a network | ${applied} & networks.lan is {status: creating} | note not-settled at 2:1 p.networks.lan: ${lan} is creating at the moment
    is noted of a network that goes | ${applied} & networks.lan is {status: updating} & destroy | note not-settled p.networks.lan: ${lan} is updating at the moment
    is not noted of what failed | ${applied} & vms.web is {status: failed} |
    is not noted of what is replaced anyway | ${applied} => networks: {lan}, vms: {web: {tariff: yearly}, db} ${busy} |
  `),
  )('%s', (_what, world, expected) => {
    expect(findingsOf(readWorld(world), 'not-settled').map(findingLine).join()).toBe(expected);
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
