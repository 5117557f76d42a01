// Whoever follows a log gets it for as long as they may, and takes no more of the server than a person needs.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPagesRig, origin, type PagesRig } from '../support/server/pages-rig.ts';

let rig: PagesRig;
let run = '';
beforeAll(async () => {
  rig = await openPagesRig();
  const added = await rig.store.workspaces.add({
    ...{ name: 'shop', repository: 'https://git.example.com/acme/a.git', branch: 'main' },
    ...{ directory: '.', poll: false, variables: {} },
  });
  const plan = { operation: 'plan', commit: 'c'.repeat(40), reason: 'a test' } as const;
  run = (await rig.store.runs.add({ workspaceId: added?.id ?? '', ...plan }))?.id ?? '';
  await say('first');
});
afterAll(() => rig.close());

const say = (text: string) => rig.store.log.add(run, [{ stream: 'output', text }]);

async function addViewer(name: string) {
  const made = await rig.store.members.addToken(name, 1);
  const id = made?.member.id ?? '';
  await rig.store.members.grant(id, [{ role: 'view', workspace: 'shop' }]);
  return { id, headers: { authorization: `Bearer ${made?.token ?? ''}` } };
}

async function follow(headers: Record<string, string>) {
  const request = new Request(`${origin}/api/v1/runs/${run}/log`, { headers });
  const { status, body } = await rig.app.fetch(request, { address: '192.0.2.1' });
  return { status, reader: (body as ReadableStream<Uint8Array>).getReader() };
}

/** All that still comes. */
async function readOn(reader: ReadableStreamDefaultReader<Uint8Array>, until?: string) {
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    text += Buffer.from(value ?? []).toString();
    if (done || (until !== undefined && text.includes(until))) return text;
  }
}

test.each([
  ['the token is revoked', (id: string) => rig.store.members.remove(id)],
  ['the role is taken away', (id: string) => rig.store.members.grant(id, [])],
  ['the person signs out', async (_id: string, secret: string) => rig.store.sessions.end(secret)],
])('a log ends at once where %s', async (what, end) => {
  const { id, headers } = await addViewer(what);
  const secret = await rig.store.sessions.begin('Ada', id);
  const isPerson = what.includes('person');
  const { reader } = await follow(isPerson ? { cookie: `hostwright=${secret}` } : headers);
  await readOn(reader, 'first');
  await end(id, secret);
  await say('not for everybody');
  expect(await readOn(reader)).not.toContain('not for everybody');
});

test('nobody follows more logs at once than pages can be open, and others follow theirs', async () => {
  const [many, other] = [await addViewer('many'), await addViewer('other')];
  const open = [];
  for (let count = 0; count < 50; count += 1) open.push(await follow(many.headers));
  expect(open.every(({ status }) => status === 200)).toBe(true);
  expect((await follow(many.headers)).status).toBe(429);
  const others = await follow(other.headers);
  expect(others.status).toBe(200);
  await Promise.all([...open, others].map(({ reader }) => reader.cancel()));
  const again = await follow(many.headers);
  expect(again.status).toBe(200);
  await again.reader.cancel();
});
