// Whoever has the role `apply` in a workspace writes its state under a lock of their own, and under none that a run holds.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPagesRig, type PagesRig } from '../support/server/pages-rig.ts';

let rig: PagesRig;
let token = '';
beforeAll(async () => {
  rig = await openPagesRig();
  await rig.store.workspaces.add({
    ...{ name: 'shop', repository: 'https://git.example.com/acme/a.git', branch: 'main' },
    ...{ directory: '.', poll: false, variables: {} },
  });
  const made = await rig.store.members.addToken('laptop', 1);
  token = made?.token ?? '';
  await rig.store.members.grant(made?.member.id ?? '', [{ role: 'apply', workspace: 'shop' }]);
});
afterAll(() => rig.close());

async function send(method: string, body?: object, query = '') {
  const response = await rig.send(method, `/api/v1/workspaces/shop/state${query}`, { token, body });
  return { status: response.status, text: await response.text() };
}

const read = async () => JSON.parse((await send('GET')).text) as { serial: number };

test('the lock of a run is nobody else’s to write under, though its id is told', async () => {
  await send('LOCK', { ID: 'laptop' });
  const before = await read();
  const written = { ...before, serial: before.serial + 1 };
  expect(await send('POST', written, '?ID=laptop')).toMatchObject({ status: 200 });
  const ID = randomUUID();
  await rig.ask(`UPDATE hostwright.states SET lock_id = $1, lock_info = $2`, [
    ID,
    JSON.stringify({ ID, Who: 'a run', Pid: 1, Host: 'worker' }),
  ]);
  expect((await send('LOCK', { ID: 'other' })).text).toContain(ID);
  for (const serial of [written.serial, written.serial + 1])
    expect(await send('POST', { ...before, serial }, `?ID=${ID}`)).toMatchObject({ status: 423 });
  expect((await read()).serial).toBe(written.serial);
});
