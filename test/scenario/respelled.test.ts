// A service whose answers spell values of the contract otherwise: nothing is made twice, changed or lost by that.
import { describe, expect, test } from 'vitest';
import { everyKind } from './every-kind.ts';
import { expectApplied, expectSettled } from './expect-built.ts';
import { configure, World, type Meddle, type RunEnd } from './world.ts';

type Json = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Edits every record in an answer. */
function editRecords(body: unknown, edit: (record: Json) => Json): unknown {
  if (Array.isArray(body)) return body.map((one) => editRecords(one, edit));
  if (!isRecord(body)) return body;
  const entries = Object.entries(body).map(([key, one]) => [key, editRecords(one, edit)] as const);
  return edit(Object.fromEntries(entries));
}

/** A service whose answers to reads have other records, where the path fits. */
const answering =
  (path: RegExp, edit: (record: Json) => Json): Meddle =>
  async (request, pass) => {
    const answer = await pass();
    const { pathname } = new URL(request.url);
    if (request.method !== 'GET' || !answer.ok || !path.test(pathname)) return answer;
    const { status, headers } = answer;
    return Response.json(editRecords(await answer.json(), edit), { status, headers });
  };

const upper = (value: unknown) => (typeof value === 'string' ? value.toUpperCase() : value);
const changes = (end: RunEnd) =>
  end.kind === 'killed'
    ? ['killed']
    : end.planned.plan.changes
        .filter(({ action }) => action !== 'no-op')
        .map(({ action, address }) => `${action} ${address}`);

test('plugins in upper case are adopted as they are', async () => {
  const world = await World.open();
  const desired = await configure(
    everyKind.replace('power: stopped', 'power: stopped, plugins: [monitoring, backup]'),
  );
  const meddle = answering(/\/vms/, (record) =>
    Array.isArray(record.plugins) ? { ...record, plugins: record.plugins.map(upper) } : record,
  );
  await expectApplied(world, desired);
  await world.loseState();
  const planOptions = { adoptsAll: true };
  expect(changes(await world.apply(desired, { meddle, planOptions }))).toEqual([]);
  expect(changes(await world.apply(desired, { meddle }))).toEqual([]);
  // Another plugin is a change as ever.
  const other = await configure(everyKind.replace('power: stopped', 'plugins: [backup]'));
  const { plan } = await world.plan(other);
  expect(plan.changes.find(({ address }) => address.endsWith('bastion'))?.action).toBe('replace');
});

describe('entries of the catalog', () => {
  const members = ['imageId', 'configurationId', 'tariffId'];
  const respell = (change: (value: string) => string) => (record: Json) =>
    Object.fromEntries(
      Object.entries(record).map(([key, value]) => [
        key,
        members.includes(key) && typeof value === 'string' ? change(value) : value,
      ]),
    );
  const names: Readonly<Record<string, string>> = {
    'img-ubuntu-24-04': 'ubuntu-24.04',
    'img-debian-12': 'debian-12',
    'cfg-c2r4d40': 'c2-r4-d40',
    'cfg-c1r1d20': 'c1-r1-d20',
    'trf-monthly': 'monthly',
  };
  const ways: Readonly<Record<string, Meddle>> = {
    'ids in upper case': answering(
      /\/vms/,
      respell((id) => id.toUpperCase()),
    ),
    'names for ids': answering(
      /\/vms/,
      respell((id) => names[id] ?? `no name of ${id}`),
    ),
    'names in upper case for ids': answering(
      /\/vms/,
      respell((id) => (names[id] ?? `no name of ${id}`).toUpperCase()),
    ),
    'ids in upper case, in the catalog as well': answering(
      /\/(vms|images|configurations|tariffs)/,
      (record) =>
        /^(img|cfg|trf)-/.test(String(record.id))
          ? { ...record, id: upper(record.id) }
          : respell((id) => id.toUpperCase())(record),
    ),
  };

  const made = Object.entries(ways).filter(([way]) => !way.includes('catalog'));

  test.each(made)('as %s: made once, and adopted as they are', async (_, meddle) => {
    const world = await World.open();
    const desired = await configure(everyKind);
    await expectApplied(world, desired, { meddle });
    expect(changes(await world.apply(desired, { meddle }))).toEqual([]);
    await world.loseState();
    const adopted = await world.apply(desired, { meddle, planOptions: { adoptsAll: true } });
    expect(changes(adopted)).toEqual([]);
    expect(changes(await world.apply(desired, { meddle }))).toEqual([]);
    await expectSettled(world, desired);
  });

  test.each(Object.entries(ways))('as %s from now on: no change', async (_, meddle) => {
    const world = await World.open();
    const desired = await configure(everyKind);
    await expectApplied(world, desired);
    expect(changes(await world.apply(desired, { meddle }))).toEqual([]);
    expect(changes(await world.apply(desired))).toEqual([]);
  });

  test.each(made)('as %s: a rebuild happens once', async (_, meddle) => {
    const world = await World.open();
    await expectApplied(world, await configure(everyKind), { meddle });
    const other = await configure(everyKind.replace('ubuntu-24.04', 'debian-12'));
    const rebuilt = await expectApplied(world, other, { meddle });
    expect(changes(rebuilt)).toEqual(['rebuild projects.demo.vms.web']);
    expect(changes(await world.apply(other, { meddle }))).toEqual([]);
  });
});
