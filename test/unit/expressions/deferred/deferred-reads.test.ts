import { expect, it } from 'vitest';
import {
  ReferenceAddressIndex,
  listDeferredReads,
} from '../../../../src/expressions/deferred/deferred-reads.ts';
import type { DeferredValue } from '../../../../src/model/deferred.ts';
import { expressionOf } from '../../../support/defer.ts';

const book = new ReferenceAddressIndex([
  'projects.shop',
  'projects.shop.networks.lan',
  'projects.shop.networks.wan',
  'projects.shop.publicIps.edge',
  'projects.shop.publicIps.edge.forwards.https',
  'projects.shop.vms.web[0]',
  'projects.shop.vms.web[1]',
  'projects.shop.vms.app["eu"]',
  'modules.eu["a"].projects.shop',
]);

const linesOf = (value: DeferredValue) =>
  listDeferredReads(value, book).map(({ address, attribute }) => `${address} ${attribute ?? '*'}`);
const lan = 'projects.shop.networks.lan';
const reading = (reference: string, prefix = '') => ({
  ...expressionOf(reference, [reference]),
  prefix,
});

it.each<[string, string[]]>([
  ['projects.shop', ['projects.shop *']],
  ['projects.shop.id', ['projects.shop id']],
  [`${lan}.cidr`, [`${lan} cidr`]],
  [lan, [`${lan} *`]],
  ['projects.shop.networks', [`${lan} *`, 'projects.shop.networks.wan *']],
  ['projects.shop.vms.web[1].internalIp', ['projects.shop.vms.web[1] internalIp']],
  ['projects.shop.vms.app["eu"].id', ['projects.shop.vms.app["eu"] id']],
  ['projects.shop.vms.web', ['projects.shop.vms.web[0] *', 'projects.shop.vms.web[1] *']],
  [
    'projects.shop.publicIps.edge.forwards.https.publicPort',
    ['projects.shop.publicIps.edge.forwards.https publicPort'],
  ],
  ['projects.shop.publicIps.edge.forwards', ['projects.shop.publicIps.edge.forwards.https *']],
  // What is not there is a fault of its own.
  ['projects.shop.networks.dmz.cidr', []],
  ['projects.shop.sshKeys', []],
  ['projects.blog.id', []],
  ['projects', []],
  ['var.env', []],
])('%s reads %j', (reference, lines) => expect(linesOf(reading(reference))).toEqual(lines));

it('an instance that is not there may be any of them', () => {
  expect(linesOf(reading('projects.shop.vms.web[7].id'))).toEqual([
    'projects.shop.vms.web[0] *',
    'projects.shop.vms.web[1] *',
  ]);
});

it('reads in its own module', () => {
  expect(linesOf(reading('projects.shop.id', 'modules.eu["a"].'))).toEqual([
    'modules.eu["a"].projects.shop id',
  ]);
});

it('reads what its names, its items and its entries read', () => {
  const one = reading('projects.shop.id');
  const named: DeferredValue = { ...expressionOf('local.a', []), names: [[['local', 'a'], one]] };
  const value: DeferredValue = {
    kind: 'map',
    entries: {
      a: { kind: 'list', items: [reading(`${lan}.id`), { kind: 'value', value: 1 }] },
      b: named,
    },
  };
  expect(linesOf(value)).toEqual([`${lan} id`, 'projects.shop id']);
});
