// Policies that the server keeps: by its API, and on its page.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writePolicyFiles } from '../../src/server/policies/policy-files.ts';
import { callAsContracted } from '../support/server/check-answer.ts';
import { openPagesRig, origin, type PagesRig } from '../support/server/pages-rig.ts';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let rig: PagesRig;

const call = (method: string, path: string, body?: object) =>
  callAsContracted(rig, method, path, body);

const keep = (name: string, content: string, workspaces?: readonly string[]) =>
  call('PUT', `/policies/${name}`, { content, ...(workspaces && { workspaces }) });
const policy = (name: string, more = '') =>
  `version: 1\npolicies:\n  ${name}: { for: vms, assert: after.ram <= 64${more} }\n`;
const listNames = async (workspace: string) => {
  const { id = '' } = (await rig.store.workspaces.find(workspace)) ?? {};
  return (await rig.store.policies.listOf(id)).map(({ name }) => name);
};

let cookie = '';
function askPage(method: string, path: string, form?: Readonly<Record<string, string>>) {
  const own = { origin, host: new URL(origin).host, 'sec-fetch-site': 'same-origin' };
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const headers = { ...own, cookie, ...(form && type) };
  const body = form && { body: new URLSearchParams(form).toString() };
  const request = new Request(`${origin}${path}`, { method, headers, ...body });
  return rig.app.fetch(request, { address: '192.0.2.1' });
}
const lookAtPage = async () => (await askPage('GET', '/policies')).text();

beforeAll(async () => {
  rig = await openPagesRig();
  const entered = await askPage('POST', '/sign-in', { token: rig.adminToken });
  cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
  for (const name of ['shop', 'depot']) {
    const made = await call('POST', '/workspaces', { name, repository: 'file:///r' });
    expect(made.status).toBe(201);
  }
});
afterAll(() => rig.close());

it('are kept, changed and removed, for all workspaces or for some, and each act is in the audit log', async () => {
  expect((await keep('sizes', policy('small'))).status).toBe(201);
  const own = await keep('shop-own', policy('own'), ['shop']);
  expect(own).toMatchObject({ status: 201, body: { name: 'shop-own', workspaces: ['shop'] } });
  expect([await listNames('shop'), await listNames('depot')]).toEqual([
    ['shop-own', 'sizes'],
    ['sizes'],
  ]);
  const changed = await keep('sizes', policy('small', ', severity: warn'), ['depot']);
  expect(changed).toMatchObject({ status: 200, body: { workspaces: ['depot'] } });
  expect(await listNames('shop')).toEqual(['shop-own']);
  expect((await call('DELETE', '/policies/sizes')).status).toBe(204);
  expect((await call('DELETE', '/policies/sizes')).status).toBe(404);
  expect((await call('GET', '/policies')).body).toMatchObject({ policies: [{ name: 'shop-own' }] });
  const log = await (await rig.send('GET', '/api/v1/audit?after=0')).text();
  const acts = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { act: string; detail: string })
    .filter(({ act }) => act.startsWith('policies.'));
  expect(acts.map(({ act }) => act)).toEqual(
    ['create', 'create', 'edit', 'remove'].map((act) => `policies.${act}`),
  );
  const detailOf = (at: number) => JSON.parse(acts[at]?.detail ?? '');
  expect(detailOf(2)).toMatchObject({
    before: { content: policy('small') },
    workspaces: ['depot'],
  });
  expect(detailOf(3)).toMatchObject({ before: { workspaces: ['depot'] } });
});

it('are not changed over a change that the sender has not seen', async () => {
  const read = (await keep('shared', policy('mine'))).body as { changedAt: string };
  const { changedAt } = read;
  const edit = (content: string, more: object = { changedAt }) =>
    call('PUT', '/policies/shared', { content, ...more });
  expect((await edit(policy('theirs'))).status).toBe(200);
  expect(await edit(policy('late'))).toMatchObject({
    status: 409,
    body: { title: 'Somebody has changed these policies meanwhile' },
  });
  expect((await rig.store.policies.find('shared'))?.content).toBe(policy('theirs'));
  expect((await edit(policy('late'), {})).status).toBe(200);

  const page = await lookAtPage();
  const shown = /value="shared">.*?name="changedAt" value="([^"]+)"/s.exec(page)?.[1] ?? '';
  const fields = { formToken: /name="formToken" value="([^"]+)"/.exec(page)?.[1] ?? '' };
  const send = (content: string, at: string) => {
    const own = { name: 'shared', isKept: 'yes', workspaces: '', content, changedAt: at };
    return askPage('POST', '/policies', { ...fields, ...own });
  };
  expect((await send(policy('first'), shown)).status).toBe(303);
  const refused = await send(policy('second'), shown);
  const text = await refused.text();
  expect(text).toContain('Somebody has changed these policies meanwhile');
  // The text that was sent is still there, and beside it that of the other.
  expect(text).toMatch(/<textarea[^>]*>[^<]*second: /);
  expect(text).toMatch(/As shared is kept now<\/summary><pre>[^<]*first: /);
  expect((await call('DELETE', '/policies/shared')).status).toBe(204);
  expect(await edit(policy('gone'))).toMatchObject({
    status: 409,
    body: { title: 'Somebody has removed these policies' },
  });
  expect(await rig.store.policies.find('shared')).toBeUndefined();
});

it('of a workspace that is deleted never become those of all', async () => {
  await call('POST', '/workspaces', { name: 'gone', repository: 'file:///r' });
  await keep('of-gone', policy('gone'), ['gone']);
  const { id = '' } = (await rig.store.workspaces.find('gone')) ?? {};
  await rig.ask('DELETE FROM hostwright_server.workspaces WHERE id = $1', [id]);
  expect(await listNames('shop')).toEqual(['shop-own']);
  expect((await rig.store.policies.find('of-gone'))?.workspaces).toEqual([]);
  const { id: one = '' } = (await rig.store.workspaces.find('shop')) ?? {};
  expect((await rig.store.policies.listOf(one)).map(({ name }) => name)).not.toContain('of-gone');
  // Its form could only save it for all: the page shows it, and removes it.
  const page = await lookAtPage();
  expect(page).toContain('For no workspace any more');
  expect(page).not.toContain('Save of-gone');
  expect(page).toContain('Remove of-gone');
  await call('DELETE', '/policies/of-gone');
});

it.each([
  ['what is no YAML', 'a: [', 'bad.yaml:1:'],
  ['what is no policy', 'policies:\n  a: { for: pigs, assert: "true" }\n', 'bad.yaml:2:'],
  [
    'a condition that breaks',
    'policies:\n  a: { for: vms, assert: after.rom <= 4 }\n  b: { for: vms, assert: "1 +" }\n',
    'bad.yaml:3:',
  ],
  ['more than policies', `${policy('a')}projects: { x: {} }\n`, 'is not allowed in a directory'],
  ['nothing', 'version: 1\n', 'There are no policies'],
  [
    'an exemption without a reason',
    'exemptions:\n  x: { policy: a, addresses: [projects.x], until: "2027-01-01" }\n',
    '`reason`',
  ],
  ['a name that another file has', policy('own'), 'is given twice'],
])(
  'refuses %s, with all that is wrong and where, and keeps nothing',
  async (_what, content, words) => {
    const { status, body } = await keep('bad', content);
    expect([status, body.title]).toEqual([422, 'The policies are not valid']);
    expect(body.detail).toContain(words);
    expect(await rig.store.policies.find('bad')).toBeUndefined();
  },
);

it('takes what names the configuration, a policy of elsewhere, and a name that no plan meets twice', async () => {
  const content = `policies:
  vars: { for: vms, assert: after.ram <= var.most }
exemptions:
  old: { policy: ofTheWorkers, addresses: [projects.x], reason: until May, until: "2027-05-01" }
`;
  expect((await keep('names', content)).status).toBe(201);
  expect((await keep('depot-own', policy('own'), ['depot'])).status).toBe(201);
  expect((await keep('elsewhere', policy('e'), ['nowhere'])).body.detail).toBe(
    'There is no workspace nowhere.',
  );
  expect((await keep('No_Name', policy('e'))).status).toBe(422);
  expect((await keep('..%2Fetc', policy('e'))).status).toBe(422);
});

it('lie beside a run as files, and nothing where there are none', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'hostwright-kept-'));
  expect(await writePolicyFiles(scratch, [])).toBeUndefined();
  const directory = (await writePolicyFiles(scratch, await rig.store.policies.list())) ?? '';
  expect((await readdir(directory)).toSorted()).toEqual([
    ...['depot-own.yaml', 'names.yaml', 'shop-own.yaml'],
  ]);
  expect(await readFile(join(directory, 'shop-own.yaml'), 'utf8')).toBe(policy('own'));
  await rm(scratch, { recursive: true });
});

it('are shown and changed on their page; what was typed and refused stays', async () => {
  const look = lookAtPage;
  const page = await look();
  expect(page).toContain('<h2 id="of-shop-own">shop-own</h2>');
  const formToken = /name="formToken"\s+value="([^"]+)"/.exec(page)?.[1] ?? '';
  const post = (path: string, form: Readonly<Record<string, string>>) =>
    askPage('POST', path, { formToken, ...form });
  const refused = await post('/policies', {
    ...{ name: 'typed', content: 'policies:\r\n  <b>: 1\r\n', workspaces: 'shop, depot' },
  });
  expect(refused.status).toBe(422);
  const again = await refused.text();
  expect(again).toContain('The policies are not valid');
  expect(again).toContain('policies:\n  &lt;b&gt;: 1');
  expect(again).toContain('value="shop, depot"');
  const kept = await post('/policies', {
    ...{ name: 'typed', content: policy('typed').replaceAll('\n', '\r\n'), workspaces: 'shop' },
  });
  expect([kept.status, kept.headers.get('location')]).toEqual([303, '/policies']);
  expect(await rig.store.policies.find('typed')).toMatchObject({
    ...{ content: policy('typed'), workspaces: ['shop'] },
  });
  // The form for more never takes the place of what is there; that of the policies themselves does.
  const other = { name: 'typed', content: policy('other'), workspaces: 'depot' };
  const taken = await (await post('/policies', other)).text();
  expect(taken).toContain('There are policies with the name typed already.');
  expect((await rig.store.policies.find('typed'))?.content).toBe(policy('typed'));
  expect((await post('/policies', { ...other, isKept: 'yes' })).status).toBe(303);
  expect((await rig.store.policies.find('typed'))?.content).toBe(policy('other'));
  expect((await post('/policies/typed/remove', {})).status).toBe(303);
  expect(await look()).not.toContain('of-typed');
});
