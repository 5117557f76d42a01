import { expect, it } from 'vitest';
import { makeDeferredScope } from '../../../../src/expressions/deferred/deferred-scope.ts';
import { evaluateDeferred } from '../../../../src/expressions/deferred/evaluate-deferred.ts';
import type { DeferredValue, KnownResource } from '../../../../src/model/deferred.ts';

const source = { file: 'a.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };
const expression = (text: string, prefix = ''): DeferredValue => {
  return { kind: 'expression', text, isTemplate: false, source, references: [], names: [], prefix };
};

const shop: Record<string, KnownResource> = {
  'projects.shop': { names: ['id', 'name'], values: { name: 'Shop' }, unknown: ['id'] },
  'projects.shop.publicIps.edge': { names: ['address'], values: {}, unknown: [] },
  'projects.shop.vms.web[0]': { names: ['name'], values: { name: 'web-0' }, unknown: [] },
  'modules.eu["a"].projects.shop': { names: ['name'], values: { name: 'Module' }, unknown: [] },
};
const scope = makeDeferredScope(Object.keys(shop), (address) => shop[address]);

it.each([
  ['projects.shop.name + projects.shop.vms.web[0].name', 'Shopweb-0'],
  ['projects.shop.publicIps.edge.address', null],
  ['size(projects.shop.networks) + size(projects.shop.publicIps.edge.forwards)', 0],
])('reads %s', (text, value) => {
  expect(evaluateDeferred(expression(text), scope)).toEqual({ kind: 'value', value });
});

it('reads the resources of the module that the expression stands in', () => {
  const inModule = expression('projects.shop.name', 'modules.eu["a"].');
  expect(evaluateDeferred(inModule, scope)).toEqual({ kind: 'value', value: 'Module' });
});

it('is unknown where what is read is', () => {
  expect(evaluateDeferred(expression('projects.shop.id'), scope)).toMatchObject({
    kind: 'unknown',
    unknown: { reference: 'projects.shop.id' },
  });
});

it('reads what is known at that moment', () => {
  const known = new Map<string, KnownResource>();
  const late = makeDeferredScope(['projects.a'], (address) => known.get(address));
  const read = () => evaluateDeferred(expression('projects.a.name'), late);
  expect(read()).toMatchObject({ kind: 'fault', fault: { code: 'unknown-name' } });
  for (const name of ['one', 'two']) {
    known.set('projects.a', { names: ['name'], values: { name }, unknown: [] });
    expect(read()).toEqual({ kind: 'value', value: name });
  }
});
