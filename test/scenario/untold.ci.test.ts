// A service that leaves out, or fills with null, what the contract promises: nothing is changed by a guess.
import { describe, expect, test } from 'vitest';
import type { Action } from '../../src/model/plan/plan.ts';
import { createAnsiStyle } from '../../src/render/format/style.ts';
import { renderPlanText } from '../../src/render/text/text.ts';
import { drawSome } from '../support/budget/budget.ts';
import { walkPoints } from '../support/budget/walk-points.ts';
import { aroundVms, everyKind } from './every-kind.ts';
import {
  configure,
  describeFailures,
  findViolations,
  World,
  type Meddle,
  type RunEnd,
  type RunOptions,
} from './world.ts';
import { expectApplied, expectBuilt } from './expect-built.ts';

/** A field that the answers about a kind lack, or have as null. */
interface Thin {
  readonly collection: string;
  readonly field: string;
  readonly how: 'without' | 'null for';
}

const collections = [
  ...['projects', 'ssh-keys', 'networks', 'public-ips', 'port-forwards', 'vms', 'me', 'tokens'],
] as const;
/** What the contract allows to be null. */
const nullable = new Set(['publicIpId', 'vmId', 'operation', 'operationStatus', 'saleId']);
const ownId = 'id';

const collectionOf = (path: string) =>
  path.split('/').findLast((part) => (collections as readonly string[]).includes(part));

type Json = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Edits each record of an answer: those of a page, of a list, or the one. */
function editRecords(body: unknown, edit: (record: Json) => Json): unknown {
  if (Array.isArray(body)) return body.map((one) => editRecords(one, edit));
  if (!isRecord(body)) return body;
  return Array.isArray(body.items) ? { ...body, items: editRecords(body.items, edit) } : edit(body);
}

/** What the answers to reads are made of, and what was sent besides reads. */
class Service {
  readonly fields = new Set<string>();
  readonly sent: string[] = [];

  meddle(thin: readonly Thin[]): Meddle {
    return async (request, pass) => {
      const { pathname } = new URL(request.url);
      const answer = await pass();
      if (request.method !== 'GET') this.sent.push(`${request.method} ${pathname}`);
      const collection = collectionOf(pathname);
      if (request.method !== 'GET' || collection === undefined || !answer.ok) return answer;
      const edited = editRecords(await answer.json(), (record) => {
        for (const field of Object.keys(record)) this.fields.add(`${collection} ${field}`);
        const result: Record<string, unknown> = { ...record };
        for (const one of thin) {
          if (one.collection !== collection || !(one.field in result)) continue;
          if (one.how === 'without') Reflect.deleteProperty(result, one.field);
          else result[one.field] = null;
        }
        return result;
      });
      return Response.json(edited, { status: answer.status, headers: answer.headers });
    };
  }
}

const text = `${everyKind}  other: { name: beside }\n`;
const quiet: ReadonlySet<Action> = new Set(['no-op']);

/** All that may be thin, one by one: what an answer of a whole service has. */
async function listThin(): Promise<readonly Thin[]> {
  const service = new Service();
  const world = await World.open();
  const desired = await configure(text);
  await world.apply(desired);
  await world.apply(desired, { meddle: service.meddle([]) });
  return [...service.fields].sort().flatMap((key) => {
    const [collection = '', field = ''] = key.split(' ');
    if (field === ownId) return [];
    const hows = nullable.has(field) ? (['without'] as const) : (['without', 'null for'] as const);
    return hows.map((how) => ({ collection, field, how }));
  });
}

const everyThin = await listThin();
const single = everyThin.map((one) => [one]);
const pairs = everyThin.flatMap((one, at) =>
  everyThin
    .slice(at + 1)
    .flatMap((other) =>
      one.collection === other.collection && one.field === other.field ? [] : [[one, other]],
    ),
);
/** The thin answers of a course: each has its own. */
const drawThin = (course: string) =>
  [
    ...drawSome(single, { short: 3, ci: 15 }, `thin answers: ${course}`),
    ...drawSome(pairs, { short: 1, ci: 15 }, `thin pairs: ${course}`),
  ].map((thin) => [name(thin), thin] as const);
const name = (thin: readonly Thin[]) =>
  thin.map(({ collection, field, how }) => `${collection} ${how} ${field}`).join(', ');

function planned(end: RunEnd): string[] {
  if (end.kind === 'killed') return ['killed'];
  return end.planned.plan.changes
    .filter(({ action }) => !quiet.has(action))
    .map(
      ({ action, address, fields }) =>
        `${action} ${address} ${fields.map((one) => one.name).join()}`,
    );
}

describe('untold is not empty', () => {
  test.each(drawThin('unchanged'))('%s: an unchanged account stays as it is', async (_, thin) => {
    const world = await World.open();
    const desired = await configure(text);
    await world.apply(desired);
    const service = new Service();
    const run = (options: RunOptions = {}) =>
      world.apply(desired, { ...options, meddle: service.meddle(thin) });
    expect(planned(await run())).toEqual([]);
    expect(planned(await run())).toEqual([]);
    expect(service.sent).toEqual([]);
    // Told again, it is as it was.
    expect(planned(await world.apply(desired))).toEqual([]);
  });

  test.each(drawThin('adopted'))('%s: it is adopted as it is', async (_, thin) => {
    const world = await World.open();
    const desired = await configure(text);
    await world.apply(desired);
    await world.loseState();
    const service = new Service();
    const planOptions = { adoptsAll: true };
    const end = await world.apply(desired, { planOptions, meddle: service.meddle(thin) });
    if (end.kind !== 'refused') expect(planned(end)).toEqual([]);
    expect(service.sent).toEqual([]);
  });

  test.each(drawThin('made'))('%s: what is made is made once', async (_, thin) => {
    const world = await World.open();
    const desired = await configure(text);
    const end = await world.apply(desired, { meddle: new Service().meddle(thin) });
    // It may end without knowing what came of a create, and never by making it again.
    const codes = end.kind === 'ended' ? end.summary.changes.map(({ result }) => result) : [];
    const unknown = codes.flatMap((one) => ('diagnostic' in one ? [one.diagnostic.code] : []));
    const honest = ['create-not-seen', 'ambiguous-create', 'needed-failed', 'untold-field'];
    expect(unknown.filter((code) => !honest.includes(code))).toEqual([]);
    await world.settle();
    await expectBuilt(world, desired);
  });
});

test('nothing is made beside VMs whose names are untold, and that are to be adopted', async () => {
  const world = await World.open();
  const desired = await configure(text);
  await world.apply(desired);
  await world.loseState();
  const service = new Service();
  const meddle = service.meddle([{ collection: 'vms', field: 'name', how: 'without' }]);
  const end = await world.apply(desired, { planOptions: { adoptsAll: true }, meddle });
  expect(end).toMatchObject({ kind: 'refused' });
  expect(describeFailures(end).join()).toContain(
    'ambiguous-adoption: 2 live VMs could be projects.demo.vms.web',
  );
  expect(service.sent).toEqual([]);
});

test('words of the contract are the same in any case, and null is a list without items', async () => {
  const world = await World.open();
  const fields = new Set(['status', 'bootStatus', 'protocol', 'operationStatus', 'renewal']);
  const shout = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shout);
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(([key, one]) => {
      if (fields.has(key) && typeof one === 'string') return [key, one.toUpperCase()] as const;
      const isEmpty = key === 'items' && Array.isArray(one) && one.length === 0;
      return [key, isEmpty ? null : shout(one)] as const;
    });
    return Object.fromEntries(entries);
  };
  const meddle: Meddle = async (request, pass) => {
    const answer = await pass();
    if (request.method !== 'GET' || !answer.ok) return answer;
    return Response.json(shout(await answer.json()), { headers: answer.headers });
  };
  const desired = await configure(text);
  await expectApplied(world, desired, { meddle });
  expect(planned(await world.apply(desired, { meddle }))).toEqual([]);
  expect(await findViolations(world, desired)).toEqual([]);
});

describe('what the state has recorded', () => {
  const web = (more: string) =>
    `${aroundVms}\
      web: { image: ubuntu-24.04, configuration: c2-r4-d40, tariff: monthly, networks: [backend], ${more} }
`;
  const without = (...fields: string[]) =>
    fields.map((field): Thin => ({ collection: 'vms', field, how: 'without' }));
  const codesOf = (end: RunEnd) =>
    end.kind === 'killed' ? [] : end.planned.plan.findings.map(({ code }) => code);

  test('stands in for what is untold, and is marked', async () => {
    const world = await World.open();
    await world.apply(await configure(web('')));
    const thin = new Service().meddle(without('imageId', 'networks'));
    const desired = await configure(web('').replace('ubuntu-24.04', 'debian-12'));
    const end = await world.apply(desired, { meddle: thin });
    if (end.kind !== 'ended') throw new Error(end.kind);
    const { plan } = end.planned;
    expect(planned(end)).toEqual(['rebuild projects.demo.vms.web image']);
    const text = renderPlanText(plan, { columns: 100, style: createAnsiStyle(false) });
    expect(text).toMatch(
      /~ image +- = |image .*"ubuntu-24.04" -> "debian-12".*\(old value as recorded\)/,
    );
    expect(codesOf(end)).toContain('no-longer-told');
    expect(describeFailures(end)).toEqual([]);
    // Recorded as it was asked for, since the service does not tell it; told as soon as it does.
    expect(planned(await world.apply(desired, { meddle: thin }))).toEqual([]);
    expect(planned(await world.apply(desired))).toEqual([]);
  });

  test('is renewed by a rebuild whose run is killed: no disk is wiped a second time', async () => {
    const desired = await configure(web('').replace('ubuntu-24.04', 'debian-12'));
    const first = await configure(web(''));
    await walkPoints({ from: 5 }, async (killAt) => {
      const world = await World.open();
      await world.apply(first);
      const service = new Service();
      const meddle = service.meddle(without('imageId'));
      const end = await world.apply(desired, { meddle, killAt });
      if (end.kind !== 'killed') return { kind: 'past', last: killAt - 1 };
      await world.settle();
      await world.apply(desired, { meddle });
      const rebuilds = service.sent.filter((one) => one.endsWith('/rebuild'));
      expect(rebuilds).toHaveLength(1);
      expect(planned(await world.apply(desired))).toEqual([]);
      return { kind: 'tried', faults: [] };
    });
  });

  test('of a service that never tells it is said once for all', async () => {
    const world = await World.open();
    const thin = new Service().meddle(without('tariffId', 'plugins'));
    const desired = await configure(web('count: 3').replace(/ +publicIps:[^\n]*\n[^\n]*\n/, ''));
    await world.apply(desired, { meddle: thin });
    const end = await world.apply(desired, { meddle: thin });
    if (end.kind !== 'ended') throw new Error(end.kind);
    expect(end.planned.plan.findings).toMatchObject([
      { code: 'untold-field', summary: 'The service does not tell tariff of 3 VMs' },
    ]);
  });

  test('is compared with what the service tells again', async () => {
    const world = await World.open();
    const desired = await configure(web(''));
    const thin = new Service().meddle(without('networks'));
    await world.apply(desired, { meddle: thin });
    expect(planned(await world.apply(desired, { meddle: thin }))).toEqual([]);
    const more = web('').replace('networks: { backend: }', 'networks: { backend: , front: }');
    const both = await configure(more.replace('[backend]', '[backend, front]'));
    expect(planned(await world.apply(both, { meddle: thin }))).toEqual([
      'create projects.demo.networks.front ',
      'update projects.demo.vms.web networks',
    ]);
    expect(await findViolations(world, both)).toEqual([]);
  });
});

describe('a catalog that changes', () => {
  const lists = ['images', 'configurations', 'tariffs'] as const;
  const ways = {
    withdrawn: () => [],
    renamed: (entry: Json) => [{ ...entry, name: `${String(entry.name)} (old)` }],
    'published anew': (entry: Json) => [{ ...entry, id: `${String(entry.id)}-new` }],
    'published anew beside the old one': (entry: Json) => [
      { ...entry, name: `${String(entry.name)} (old)` },
      { ...entry, id: `${String(entry.id)}-new` },
    ],
  } as const;
  const changes = lists.flatMap((list) =>
    Object.entries(ways).map(([way, edit]) => ({ list, way, edit })),
  );

  test.each(drawSome(changes, 4, 'changes of a catalog'))(
    '$list: each $way, no resource is changed',
    async ({ list, edit }) => {
      const world = await World.open();
      const desired = await configure(text);
      await world.apply(desired);
      const sent: string[] = [];
      const meddle: Meddle = async (request, pass) => {
        if (request.method !== 'GET') sent.push(request.url);
        const answer = await pass();
        if (!new URL(request.url).pathname.endsWith(`/${list}`)) return answer;
        const body = (await answer.json()) as readonly Json[] | { readonly items: readonly Json[] };
        const items = 'items' in body ? body.items : body;
        const edited = items.flatMap((entry) => [...edit(entry)]);
        return Response.json('items' in body ? { ...body, items: edited } : edited);
      };
      const end = await expectApplied(world, desired, { meddle });
      expect(planned(end)).toEqual([]);
      if (end.kind !== 'ended') throw new Error(end.kind);
      const { findings, drift = [] } = end.planned.plan;
      expect(new Set(findings.map(({ code }) => code))).toEqual(new Set(['entry-moved']));
      expect(drift).toEqual([]);
      await expectApplied(world, desired, { mode: 'refresh', meddle });
      expect(sent).toEqual([]);
      expect(planned(await world.apply(desired))).toEqual([]);
      // A change in place keeps the entries that were asked for.
      const renamed = await configure(text.replace('web: { image', 'web: { name: shop, image'));
      const rename = ['update projects.demo.vms.web name'];
      expect(planned(await world.apply(renamed, { meddle }))).toEqual(rename);
      expect(planned(await world.apply(renamed, { meddle }))).toEqual([]);
    },
  );
});
