// A service that answers the create of a public IP with an id that may be that of its operation, where each kind counts its
// own ids: what such an id leads to is never taken from somebody else.
import { describe, expect, test } from 'vitest';
import { walkPoints } from '../support/budget/walk-points.ts';
import { expectApplied } from './expect-built.ts';
import { configure, describeFailures, World, type Meddle } from './world.ts';

type Json = Readonly<Record<string, unknown>>;

const edge = 'projects.demo.publicIps.edge';
const empty = 'projects: { demo: }';
const text = 'projects: { demo: { publicIps: { edge: } } }';

/** Ids of public IPs: the one that our create makes, one that somebody else makes right after, and an older one. */
interface Addresses {
  readonly old: string;
  ours: string;
  theirs: string;
}

interface Answers {
  /** The id in the answer to the create. */
  readonly answeredId: (addresses: Addresses) => string;
  /** The operation that the service has under that id; undefined for none. */
  readonly operation: (addresses: Addresses, at: number) => Json | undefined;
}

/** A service with an older public IP, of whose lists the first ones lag behind the create that is answered so. */
async function openWorld({ answeredId, operation }: Answers) {
  const world = await World.open();
  await expectApplied(world, await configure(empty));
  const [project] = (await world.readAccount()).map(({ id }) => id);
  await world.time.run(
    world.connect().send({ kind: 'createPublicIp', project: project ?? '' }, {}),
  );
  await world.settle();
  const listed = (await world.readAccount()).find(({ kind }) => kind === 'publicIp');
  const old = listed?.id ?? '';
  expect(old).not.toBe('');
  const addresses: Addresses = { old, ours: '', theirs: '' };
  let lists = 0;
  const meddle: Meddle = async (request, pass) => {
    const { url, method, headers } = request;
    const findNew = async () => {
      const answer = await world.sandbox.fetch(new Request(url, { headers }));
      const { items } = (await answer.json()) as { items: readonly { readonly id: string }[] };
      const known = Object.values(addresses);
      return items.find(({ id }) => !known.includes(id))?.id ?? '';
    };
    if (method === 'POST' && url.endsWith('/public-ips')) {
      const again = request.clone();
      await pass();
      addresses.ours = await findNew();
      await world.sandbox.fetch(again);
      addresses.theirs = await findNew();
      return Response.json({ id: answeredId(addresses) }, { status: 201 });
    }
    if (method !== 'GET' || addresses.ours === '') return pass();
    if (url.endsWith(`/operations/${answeredId(addresses)}`)) {
      const found = operation(addresses, world.time.now());
      return Response.json(found ?? {}, { status: found ? 200 : 404 });
    }
    const isLate = lists > 3;
    if (url.endsWith(`/${addresses.ours}`) && !isLate) return Response.json({}, { status: 404 });
    if (!url.includes('/public-ips')) return pass();
    lists += 1;
    const answer = await pass();
    if (isLate || !answer.ok) return answer;
    const body = JSON.stringify(await answer.json(), (_key, one: unknown) =>
      Array.isArray(one) ? (one as readonly Json[]).filter(({ id }) => id !== addresses.ours) : one,
    );
    return new Response(body, { headers: answer.headers });
  };
  return { world, addresses, meddle };
}

const record = (resourceId: string | null, at: number, more: Json = {}): Json => ({
  ...{ id: 'op', type: 'AllocatePublicIp', status: 'Succeeded', resourceType: 'publicIp' },
  ...{ createdAt: new Date(at).toISOString(), completedAt: new Date(at).toISOString() },
  ...{ resourceId, failureCode: null, ...more },
});
const ours = (addresses: Addresses) => addresses.ours;

test.each<[string, Answers['operation']]>([
  ['of another type', ({ theirs }, at) => record(theirs, at, { type: 'Start' })],
  ['of another kind', ({ theirs }, at) => record(theirs, at, { resourceType: 'network' })],
  ['of an hour before', ({ theirs }, at) => record(theirs, at - 3_600_000)],
  ['on what was there before', ({ old }, at) => record(old, at)],
  ['of another type on nothing', (_, at) => record(null, at, { type: 'Start' })],
])('an operation of the answered id, but %s, says nothing', async (_, operation) => {
  const { world, addresses, meddle } = await openWorld({ answeredId: ours, operation });
  await expectApplied(world, await configure(text), { meddle });
  expect(world.store.state.resources.get(edge)?.id).toBe(addresses.ours);
});

test('an operation of which an older resource has the id leads to the new one', async () => {
  const { world, addresses, meddle } = await openWorld({
    answeredId: ({ old }) => old,
    operation: (made, at) => record(made.ours, at),
  });
  await expectApplied(world, await configure(text), { meddle });
  expect(world.store.state.resources.get(edge)?.id).toBe(addresses.ours);
});

test('an id that an older resource has, and no operation, leads to no resource', async () => {
  const { world, addresses, meddle } = await openWorld({
    answeredId: ({ old }) => old,
    operation: () => undefined,
  });
  await world.apply(await configure(text), { meddle });
  expect(world.store.state.resources.get(edge)?.id).not.toBe(addresses.old);
});

const desired = await configure(text);

describe('an operation whose id is the answer, and that names no resource for a while', () => {
  interface Naming {
    /** Milliseconds from the create until the operation tells its resource, and lists show that. */
    readonly afterMs: number;
    /** The status that the operation ends with there; its own unless given. */
    readonly endsAs?: string;
    /** True where the operation never names the resource. */
    readonly isNameless?: boolean;
    /** True where nobody else makes a public IP in the same second. */
    readonly isAlone?: boolean;
    /** The status that answers questions for records; these are told unless given. */
    readonly refusal?: number;
  }

  async function openNaming({ afterMs, endsAs, isNameless, isAlone, refusal }: Naming) {
    const world = await World.open();
    await expectApplied(world, await configure(empty));
    const made = { operation: '', ours: '', theirs: '', at: Number.POSITIVE_INFINITY };
    const isEarly = () => world.time.now() < made.at + afterMs;
    const isFailing = endsAs === 'Failed';
    const editRecord = (one: Json): Json | undefined => {
      if (one.id === made.ours && (isEarly() || isFailing)) return undefined;
      if (one.id !== made.operation) return one;
      const resourceId = isEarly() || isNameless ? null : one.resourceId;
      if (isEarly()) return { ...one, resourceId, status: 'Queued', completedAt: null };
      return { ...one, resourceId, ...(endsAs !== undefined && { status: endsAs }) };
    };
    const editBody = (body: unknown): unknown => {
      const { items } = body as { readonly items?: readonly Json[] };
      if (!items) return editRecord(body as Json);
      const edited = items.flatMap((one) => editRecord(one) ?? []);
      return { ...(body as Json), items: edited, totalCount: edited.length };
    };
    const meddle: Meddle = async (request, pass) => {
      const { url, method, headers } = request;
      const read = async (path: string) => {
        const at = url.replace(/\/public-ips$/, path);
        const answer = await world.sandbox.fetch(new Request(at, { headers }));
        const body = (await answer.json()) as { items: readonly Json[] };
        return body.items.map(({ id, resourceId }) => ({ id: String(id), resourceId }));
      };
      if (method === 'POST' && url.endsWith('/public-ips') && made.ours === '') {
        const again = request.clone();
        await pass();
        made.at = world.time.now();
        made.ours = (await read('/public-ips'))[0]?.id ?? '';
        if (!isAlone) await world.sandbox.fetch(again);
        made.theirs = (await read('/public-ips')).find(({ id }) => id !== made.ours)?.id ?? '';
        const records = await read('/operations');
        made.operation = records.find(({ resourceId }) => resourceId === made.ours)?.id ?? '';
        return Response.json({ id: made.operation }, { status: 201 });
      }
      const isRecords = /\/operations\b/.test(url);
      if (isRecords && refusal !== undefined) return Response.json({}, { status: refusal });
      const answer = await pass();
      if (method !== 'GET' || !answer.ok || !(isRecords || url.includes('/public-ips')))
        return answer;
      const body = editBody(await answer.json());
      return Response.json(body ?? {}, { status: body ? 200 : 404, headers: answer.headers });
    };
    return { world, made, meddle };
  }

  test('leads to the resource that it names in the end, and to none of others', async () => {
    const { world, made, meddle } = await openNaming({ afterMs: 25_000 });
    await expectApplied(world, desired, { meddle });
    expect(made.theirs).not.toBe('');
    expect(world.store.state.resources.get(edge)?.id).toBe(made.ours);
  });

  test('does so also for the run after one that was killed at any point', async () => {
    await walkPoints({ from: 12, every: 12 }, async (killAt) => {
      const { world, made, meddle } = await openNaming({ afterMs: 25_000 });
      const end = await world.apply(desired, { meddle, killAt });
      if (end.kind !== 'killed') return { kind: 'past', last: killAt - 1 };
      const isAnswered = [...world.store.readDisk().values()].join().includes('isAnswered');
      const failures = describeFailures(await world.apply(desired, { meddle }));
      const found = world.store.state.resources.get(edge)?.id;
      if (!isAnswered) return { kind: 'tried', faults: [] };
      const faults = found === made.ours ? [] : [`found ${found}, made ${made.ours}`];
      return { kind: 'tried', faults: [...faults, ...failures] };
    });
  });

  test('is no reason to overlook what shows though it never names it', async () => {
    const naming = { afterMs: 5_000, isNameless: true, isAlone: true };
    const { world, made, meddle } = await openNaming(naming);
    const begunAt = world.time.now();
    await expectApplied(world, desired, { meddle });
    expect(world.store.state.resources.get(edge)?.id).toBe(made.ours);
    expect(world.time.now() - begunAt).toBeLessThan(60_000);
  });

  test.each([403, 404])(
    'is looked for under its id where records are refused with %i',
    async (refusal) => {
      const { world, made, meddle } = await openNaming({ afterMs: 5_000, isAlone: true, refusal });
      await expectApplied(world, desired, { meddle });
      expect(world.store.state.resources.get(edge)?.id).toBe(made.ours);
    },
  );

  test('fails the create where it fails, which the next run makes anew', async () => {
    const { world, made, meddle } = await openNaming({
      afterMs: 25_000,
      endsAs: 'Failed',
      isNameless: true,
    });
    const end = await world.apply(desired, { meddle });
    expect(describeFailures(end).join()).toContain('operation-failed');
    expect(world.store.state.pending.size).toBe(0);
    await expectApplied(world, desired, { meddle });
    expect([made.ours, made.theirs]).not.toContain(world.store.state.resources.get(edge)?.id);
  });
});
