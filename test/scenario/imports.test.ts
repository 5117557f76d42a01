// What somebody else has made is imported as it is, or changed in place: never destroyed by the plan that imports it.
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/model/diagnostic.ts';
import {
  configure,
  describeFailures,
  World,
  type Meddle,
  type RunEnd,
  type RunOptions,
} from './world.ts';
import { expectApplied } from './expect-built.ts';

const shop = 'projects.shop';
const web = `${shop}.vms.web`;
const edge = `${shop}.publicIps.edge`;

const vm = (more = '', image = 'ubuntu-24.04') =>
  `{ image: ${image}, configuration: c1-r1-d20, tariff: monthly${more} }`;
const shopOf = (web: string, imports = '', more = '', edge = '') => `
projects:
  shop:
    publicIps: { edge: {${edge}} }
    vms:
      web: ${web}
${more}
imports: [${imports}]
`;

/** An account that another workspace has made, and of which this one knows nothing. */
async function openFound(vm: string, more = '', edge = '') {
  const world = await World.open();
  await world.apply(await configure(shopOf(vm, '', more, edge)));
  const ids = new Map([...world.store.state.resources].map(([address, { id }]) => [address, id]));
  await world.loseState();
  const idAt = (address: string) => ids.get(address) ?? '';
  const entry = (address: string, as = '') => `{ to: ${address}, id: ${idAt(address)}${as} }`;
  return { world, entry };
}

const adopting: RunOptions = { planOptions: { adoptsAll: true } };

function planned(end: RunEnd): string[] {
  if (end.kind === 'killed') throw new Error('It was killed.');
  return end.planned.plan.changes
    .filter(({ action, isImported }) => action !== 'no-op' || isImported)
    .map(({ action, address, fields, isImported }) => {
      const names = fields.map(({ name }) => name).join(' ');
      return `${isImported ? 'import ' : ''}${action} ${address.replace(`${shop}.`, '')} ${names}`.trim();
    });
}

function refusals(end: RunEnd): readonly Finding[] {
  if (end.kind !== 'refused') throw new Error(`It was not refused: ${planned(end).join(', ')}`);
  return end.planned.plan.findings.filter(({ severity }) => severity === 'error');
}

describe('an import that would destroy is refused', () => {
  test.each([
    [
      'rebuilt',
      vm('', 'ubuntu-22.04'),
      '`image` is `ubuntu-24.04` in the account, and `ubuntu-22.04` in',
    ],
    ['replaced', vm(', publicIp: edge'), '`publicIp` is nothing in the account, and `edge` in'],
  ])('where it would be %s, with both values, and no flag lifts it', async (_, wanted, detail) => {
    const { world, entry } = await openFound(vm());
    const both = `${entry(shop)}, ${entry(web)}`;
    for (const [imports, options] of [
      ['', adopting],
      [both, {}],
    ] as const) {
      const desired = await configure(shopOf(wanted, imports));
      const planOptions = { ...options.planOptions, isForced: true, allowsDataLoss: true };
      const [refused] = refusals(await world.apply(desired, { planOptions }));
      const text = expect.stringContaining(detail) as string;
      expect(refused).toMatchObject({ code: 'import-would-destroy', address: web, detail: text });
      const asLive = entry(web, ', as: live')
        .replace(web, `'${web}'`)
        .replace(/id: ([^,]+)/, "id: '$1'");
      expect(refused?.hint).toContain(`imports: [${asLive}]`);
      expect(refused?.source?.line).toBe(7);
    }
  });

  test('where nobody knows the value before apply', async () => {
    const { world, entry } = await openFound(vm());
    const plugins = vm(", plugins: ['${projects.shop.publicIps.edge.address}']");
    const desired = await configure(shopOf(plugins, `${entry(shop)}, ${entry(web)}`));
    const detail = '`plugins` is `[]` in the account, and known after apply in the configuration.';
    expect(refusals(await world.apply(desired))).toMatchObject([{ detail }]);
    const asLive = `${entry(shop)}, ${entry(web, ', as: live')}`;
    const end = await world.apply(await configure(shopOf(plugins, asLive)));
    expect(planned(end)).toEqual([
      'import no-op projects.shop',
      'create publicIps.edge',
      'import no-op vms.web',
    ]);
    expect(describeFailures(end)).toEqual([]);
  });

  test('where something asks for another one', async () => {
    const { world } = await openFound(vm());
    const desired = await configure(shopOf(vm()));
    const planOptions = { ...adopting.planOptions, replace: [web] };
    expect(refusals(await world.apply(desired, { planOptions }))).toMatchObject([
      { code: 'import-would-destroy', detail: '`--replace` names it.' },
    ]);
  });

  test('where its creation failed, until it is imported as live', async () => {
    const { world, entry } = await openFound(vm());
    const meddle: Meddle = async (request, pass) => {
      const answer = await pass();
      if (!new URL(request.url).pathname.endsWith('/vms')) return answer;
      const text = (await answer.text()).replaceAll('"active"', '"failed"');
      return new Response(text, { status: answer.status, headers: answer.headers });
    };
    const refused = await configure(shopOf(vm(), `${entry(shop)}, ${entry(web)}`));
    expect(refusals(await world.apply(refused, { ...adopting, meddle }))).toMatchObject([
      { code: 'import-would-destroy', detail: 'Its creation failed.' },
    ]);
    const asLive = await configure(shopOf(vm(), `${entry(shop)}, ${entry(web, ', as: live')}`));
    const end = await world.apply(asLive, { ...adopting, meddle });
    expect(planned(end)).toContain('import no-op vms.web');
    expect(describeFailures(end)).toEqual([]);
  });

  test('where its project would be emptied', async () => {
    const forward =
      ' forwards: { https: { protocol: tcp, publicPort: 443, vm: web, vmPort: 443 } } ';
    const network = '    networks: { lan: {} }';
    const { world, entry } = await openFound(vm(), network, forward);
    const exclusive = '    exclusive: true';
    const taken = [entry(web), entry(edge)].join();
    const refused = await configure(shopOf(vm(), `${entry(shop)}, ${taken}`, exclusive));
    const found = refusals(await world.apply(refused)).map(({ code, address, detail }) =>
      [code, address, detail?.split(': ')[1]?.replace(/ \S+$/, '')].join(' '),
    );
    expect(found).toEqual([
      'import-would-destroy projects.shop network',
      'import-would-destroy projects.shop.publicIps.edge port forward',
    ]);
    const asLive = await configure(
      shopOf(vm(), `${entry(shop, ', as: live')}, ${taken}`, exclusive),
    );
    const end = await expectApplied(world, asLive);
    expect(planned(end).filter((line) => line.startsWith('delete'))).toEqual([]);
    const next = await world.plan(asLive);
    expect(next.plan.changes.filter(({ action }) => action === 'delete')).toHaveLength(2);
  });
});

test('what changes in place comes with the import', async () => {
  const { world, entry } = await openFound(vm());
  const wanted = vm(', name: www, power: stopped');
  const desired = await configure(shopOf(wanted, `${entry(shop)}, ${entry(web)}`));
  const end = await world.apply(desired, adopting);
  expect(planned(end)).toContain('import update vms.web name power');
  expect(describeFailures(end)).toEqual([]);
});

test('an import as live changes nothing, and the next plan shows what differs with its losses', async () => {
  const { world, entry } = await openFound(vm());
  const wanted = vm(', name: www, power: stopped', 'ubuntu-22.04');
  const desired = await configure(shopOf(wanted, `${entry(shop)}, ${entry(web, ', as: live')}`));
  const end = await world.apply(desired, adopting);
  expect(planned(end)).toEqual([
    'import no-op projects.shop',
    'import no-op publicIps.edge',
    'import no-op vms.web',
  ]);
  const { attributes } = world.store.state.resources.get(web) ?? {};
  expect(attributes).toMatchObject({ image: 'ubuntu-24.04', name: 'web', power: 'running' });
  const next = await world.apply(desired);
  expect(planned(next)).toEqual(['rebuild vms.web name image power']);
  const change =
    next.kind === 'ended' && next.planned.plan.changes.find(({ address }) => address === web);
  expect(change).toMatchObject({ losses: [expect.stringContaining('disk')] });
  expect(change).not.toHaveProperty('drift');
  expect(planned(await world.apply(desired))).toEqual([]);
});
