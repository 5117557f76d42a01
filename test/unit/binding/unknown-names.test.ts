// Names that no table has, and names of other languages: what a record proves is bound, and what nobody can read is asked about.
import { describe, expect, it, test } from 'vitest';
import { type OperationId, routes } from '../../../src/api/contract/routes.ts';
import { deriveBinding } from '../../../src/binding/derive-binding.ts';

import {
  BindingLexicon,
  findKindSense,
  splitWords,
} from '../../../src/binding/vocabulary/words.ts';
import { matchEnumWords } from '../../../src/binding/match/match-words.ts';
import { buildDialectDocument } from '../../support/dialects/build-dialect-document.ts';
import { findWrongLines } from '../../support/dialects/find-wrong-lines.ts';
import type { Binding } from '../../../src/model/account/binding.ts';

/** A binding in which a part of the contract's paths has another name. */
function rename(from: string, to: string): Binding & { readonly operations: object } {
  const changed = Object.entries(routes).flatMap(([operation, { method, path }]) =>
    path.split('/').includes(from)
      ? [[operation, `${method} ${path.replace(`/${from}`, `/${to}`)}`] as const]
      : [],
  );
  return { version: 1, operations: Object.fromEntries(changed) };
}

const text = { type: 'string' };
const answering = (schema: object) => ({
  responses: { 200: { description: 'OK', content: { 'application/json': { schema } } } },
});
const thing = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
});

describe('a collection that nobody has a name for', () => {
  it.each([
    ['public-ips', 'quuxes', ['operations.createPublicIp', 'operations.deletePublicIp']],
    ['configurations', 'quuxes', []],
    ['operations', 'quuxes', []],
  ])('%s is known by its record, and what it makes or loses is asked about', (from, to, open) => {
    const truth = rename(from, to);
    const { binding, questions } = deriveBinding(buildDialectDocument(truth, { isInline: true }));
    expect(findWrongLines(binding, truth)).toEqual([]);
    expect(questions.map(({ line }) => line)).toEqual(open);
  });

  it('is asked about beside another that is as like', () => {
    const document = buildDialectDocument(rename('configurations', 'quuxes'), { isInline: true });
    const { '/quuxes': list, '/quuxes/{configurationId}': one } = document.paths;
    Object.assign(document.paths, { '/corges': list, '/corges/{configurationId}': one });
    expect(deriveBinding(document).binding.operations).toMatchObject({
      listConfigurations: 'open',
      getConfiguration: 'open',
    });
  });
});

it('is asked about where its name may mean another thing, and another is as like', () => {
  const document = buildDialectDocument(rename('tariffs', 'rates'), { isInline: true });
  const { '/rates': list, '/rates/{tariffId}': one } = document.paths;
  expect(deriveBinding(document).binding.operations).toMatchObject({ listTariffs: 'GET /rates' });
  Object.assign(document.paths, { '/quuxes': list, '/quuxes/{tariffId}': one });
  expect(deriveBinding(document).binding.operations).toMatchObject({ listTariffs: 'open' });
});

it('is asked about where its last word alone is that of something else', () => {
  const document = buildDialectDocument(rename('configurations', 'quux-orders'), {
    isInline: true,
  });
  expect(deriveBinding(document).binding.operations).toMatchObject({ listConfigurations: 'open' });
});

describe('a collection in a language that nobody knows', () => {
  const without = (names: readonly string[]) => {
    const kept = (line: string) => !line.includes('/tariffs');
    const document = buildDialectDocument({ version: 1 });
    const others = Object.entries(document.paths).filter(([path]) => kept(path));
    const record = thing(...names);
    const paths = {
      ...Object.fromEntries(others),
      '/hinnastot': { get: answering({ type: 'array', items: record }) },
      '/hinnastot/{hinnastoId}': { get: answering(record) },
    };
    return deriveBinding({ ...document, paths }).binding.operations;
  };

  it('may be the one that a service seems to lack', () =>
    expect(without(['tunnus', 'nimi', 'hinta', 'valuutta'])).toMatchObject({
      listTariffs: 'open',
    }));

  it('is not it where its members say otherwise', () =>
    expect(without(['id', 'name', 'email', 'locale'])).toMatchObject({ listTariffs: 'none' }));
});

describe('an operation is asked about', () => {
  const spoilt = (operation: OperationId, change: (of: object) => object, to: string) => {
    const document = buildDialectDocument({ version: 1 });
    const { method, path } = routes[operation];
    const { [method.toLowerCase()]: own, ...others } = document.paths[path] ?? {};
    const moved = { [method.toLowerCase()]: change(Object(own) as object) };
    const paths = { ...document.paths, [path]: others, [to]: moved };
    return deriveBinding({ ...document, paths }).binding.operations;
  };

  it('that lists plain values, and no records', () => {
    const ids = answering({ type: 'array', items: text });
    const operations = spoilt('listTariffs', () => ids, '/prices/tariffs');
    expect(operations).not.toMatchObject({ listTariffs: 'GET /prices/tariffs' });
  });

  it('that upgrades without a size', () => {
    const body = { content: { 'application/json': { schema: thing('licence') } } };
    const path = '/projects/{projectId}/vms/{vmId}/upgrade';
    const operations = spoilt('resizeVm', (own) => ({ ...own, requestBody: body }), path);
    expect(operations).toMatchObject({ resizeVm: 'open' });
  });
});

test('what is surely called so is no question beside another that is a little like it', () => {
  const document = buildDialectDocument({ version: 1 }, { isInline: true });
  const record = thing('id', 'name', 'colour');
  document.paths['/projects'] = {
    ...document.paths['/projects'],
    get: answering({ type: 'array', items: record }),
  };
  document.paths['/projects/{projectId}'] = {
    ...document.paths['/projects/{projectId}'],
    get: answering(record),
  };
  document.paths['/quuxes'] = {
    get: answering({ type: 'array', items: thing('id', 'name', 'createdAt') }),
  };
  expect(deriveBinding(document).binding.operations).toEqual(undefined);
});

test('VMs are known by their name and what is done with them, however little is said of them', () => {
  const document = buildDialectDocument(rename('vms', 'servers'), { isInline: true });
  const path = '/projects/{projectId}/servers';
  const record = thing('id', 'label');
  const one = `${path}/{vmId}`;
  document.paths[path] = {
    ...document.paths[path],
    get: answering({ type: 'array', items: record }),
  };
  document.paths[one] = { ...document.paths[one], get: answering(record) };
  expect(deriveBinding(document).binding.operations).toMatchObject({
    listVms: `GET ${path}`,
    startVm: `POST ${one}/start`,
  });
  const isDeed = (at: string) => /servers\/\{vmId\}\/(?:start|stop|reboot)$/.test(at);
  const left = Object.entries(document.paths).filter(([at]) => !isDeed(at));
  const without = { ...document, paths: Object.fromEntries(left) };
  expect(deriveBinding(without).binding.operations).toMatchObject({ listVms: 'open' });
});

test('a collection that may be called as another kind is no question about the rest', () => {
  const document = buildDialectDocument({ version: 1 });
  const kept = Object.entries(document.paths).filter(([path]) => !path.includes('/networks'));
  const record = thing('id', 'action', 'state', 'created');
  const tasks = { get: answering({ type: 'array', items: record }) };
  const paths = { ...Object.fromEntries(kept), '/projects/{projectId}/tasks': tasks };
  expect(deriveBinding({ ...document, paths }).binding.operations).toMatchObject({
    listNetworks: 'none',
  });
});

test('a resource that is answered as a list of one is found in it', () => {
  const document = buildDialectDocument({ version: 1 });
  const path = '/projects/{projectId}/vms/{vmId}';
  const vm = { $ref: '#/components/schemas/Vm' };
  const data = { type: 'array', items: vm };
  document.paths[path] = {
    ...document.paths[path],
    get: answering({ type: 'object', properties: { data } }),
  };
  expect(deriveBinding(document).binding.answers).toEqual({ getVm: '/data/0' });
});

test('a state in words that nobody can read may be the one that a service seems to lack', () => {
  const document = buildDialectDocument({ version: 1 });
  const { schemas } = document.components as {
    schemas: { Vm: { properties: Record<string, object> } };
  };
  const vm = schemas.Vm;
  delete vm.properties.bootStatus;
  vm.properties.tila = { type: 'string', enum: ['kaynnissa', 'sammutettu'] };
  expect(deriveBinding(document).binding.fields?.vm).toEqual({ bootStatus: 'open' });
});

test('a list in an answer is no list of one beside an id, beside another list, or after a creation', () => {
  const document = buildDialectDocument({ version: 1 });
  const answer = (path: string, method: string, properties: object) => {
    const own = document.paths[path]?.[method] as object;
    Object.assign(document.paths[path]!, {
      [method]: { ...own, ...answering({ type: 'object', properties }) },
    });
  };
  const listOf = (...names: readonly string[]) => ({ type: 'array', items: thing(...names) });
  const network = { id: text, name: text, status: text };
  const subnets = listOf('id', 'name', 'cidr', 'createdAt');
  answer('/projects/{projectId}/networks/{networkId}', 'get', { ...network, subnets });
  const keys = listOf('id', 'name', 'publicKey', 'fingerprint', 'createdAt');
  answer('/projects/{projectId}/ssh-keys', 'post', { keys });
  const sizes = listOf('id', 'name', 'cpu', 'ram', 'disk');
  answer('/configurations/{configurationId}', 'get', { sizes, others: sizes });
  const { answers = {} } = deriveBinding(document).binding;
  expect(Object.values(answers).filter((pointer) => pointer.includes('/0'))).toEqual([]);
});

describe('a small record', () => {
  it.each([
    ['/images', '/runners', ['id', 'name', 'platform', 'lastSeen', 'busy'], 'listImages'],
    ['/tariffs', '/licences', ['id', 'name', 'price', 'currency', 'interval'], 'listTariffs'],
  ])('is not known by two of its members: %s, %s', (ours, theirs, names, operation) => {
    const document = buildDialectDocument({ version: 1 });
    const kept = Object.entries(document.paths).filter(([path]) => !path.startsWith(ours));
    const record = thing(...names);
    const paths = {
      ...Object.fromEntries(kept),
      [theirs]: { get: answering({ type: 'array', items: record }) },
      [`${theirs}/{id}`]: { get: answering(record) },
    };
    const { operations } = deriveBinding({ ...document, paths }).binding;
    expect(operations).not.toMatchObject({ [operation]: `GET ${theirs}` });
  });
});

test('a stopped VM is not taken for one that stops', () => {
  const { bound } = matchEnumWords('vmBootStatus', ['MARCHE', 'ARRET']);
  expect(bound.get('Stopping')).toBeUndefined();
});

test('a rebuild by a word that may mean more is asked about in each language', () => {
  for (const deed of ['reinstall', 'reinstaller', 'neuinstallieren', 'reinstalar']) {
    const line = `POST /projects/{projectId}/vms/{vmId}/${deed}`;
    const document = buildDialectDocument({ version: 1, operations: { rebuildVm: line } });
    expect(deriveBinding(document).binding.operations).toEqual({ rebuildVm: 'open' });
  }
});

test.each([
  ['modeleId', 'model id'],
  ['ÖffentlicheIps', 'public ip'],
  ['GRÖSSE', 'size'],
  ['gro\u0308sse', 'size'],
  ['nameEn', 'name en'],
  ['price_mo', 'price mo'],
])('%s reads %s', (name, words) => expect(splitWords(name).join(' ')).toBe(words));

test.each([
  ['publicIp', 'virtual-ips'],
  ['portForward', 'ingress-rules'],
  ['vm', 'compute-nodes'],
])('what may be %s, or another thing, is asked about: %s', (kind, theirs) => {
  const lexicon = new BindingLexicon();
  expect(lexicon.likeness(findKindSense(kind), splitWords(theirs))).toBeLessThan(0.9);
});

test('a list of what is for sale is not where VMs are made', () => {
  const document = buildDialectDocument(rename('vms', 'servers'), { isInline: true });
  const anything = { responses: { 200: { description: 'OK' } } };
  document.paths['/products/servers'] = { get: anything };
  expect(deriveBinding(document).binding.operations).toMatchObject({
    listVms: 'GET /projects/{projectId}/servers',
  });
});

test.each([
  ['portweiterleitungen', 'port forward'],
  ['erstelltAm', 'created at'],
  ['größe', 'size'],
  ['réseaux', 'network'],
  ['clés-ssh', 'key ssh'],
  ['direcciones_publicas', 'address public'],
])('%s is %s', (name, words) => expect(splitWords(name).join(' ')).toBe(words));

test('a state that a VM is put into is a deed', () => {
  const place = 'PUT /projects/{projectId}/vms/{vmId}/state';
  const operations = {
    startVm: `${place}/started`,
    stopVm: `${place}/stopped`,
    rebootVm: `${place}/restarted`,
  };
  const document = buildDialectDocument({ version: 1, operations });
  expect(deriveBinding(document).binding.operations).toEqual(operations);
});

test.each([
  ['resourceStatus', 'creating', 'wird_erstellt'],
  ['vmBootStatus', 'Stopped', 'ETEINT'],
  ['apiOperationStatus', 'InProgress', 'en_curso'],
  ['apiOperationStatus', 'Failed', 'timeout'],
])('%s: %s is %s', (name, ours, theirs) =>
  expect(matchEnumWords(name, [theirs]).bound.get(ours)).toEqual([theirs]),
);
