// A service that answers the create of a public IP with an id that may be that of its operation, where each kind counts its
// own ids: what such an id leads to is never taken from somebody else.
import { expect, test } from 'vitest';
import { expectApplied } from './expect-built.ts';
import { configure, World, type Meddle } from './world.ts';

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
