// Answers of a sandbox in a dialect, asked by its own paths: whatever the engine makes of it is tested by the contract suite.
import { expect, test } from 'vitest';
import type { Binding } from '../../../src/model/account/binding.ts';
import type { SandboxOptions } from '../../../src/sandbox/options.ts';
import { openSandbox } from '../../../src/sandbox/sandbox.ts';

const binding: Binding = {
  version: 1,
  ids: { network: 'number' },
  lists: { default: { items: '/all', total: '/count' } },
  operations: { listNetworks: 'GET /projects/{projectId}/vlans', getAccount: 'GET /me' },
};

async function open(more: Partial<SandboxOptions> = {}) {
  const log: string[] = [];
  let time = Date.UTC(2026, 10, 21, 12);
  const sandbox = await openSandbox({
    ...{ dataFile: ':memory:', now: () => time, validateAnswers: true, binding },
    onRequest: ({ method, path, status }) => log.push(`${method} ${path} ${status}`),
    ...more,
  });
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = {
      authorization: `Bearer ${sandbox.token}`,
      'content-type': 'application/json',
    };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await sandbox.fetch(new Request(`http://sandbox/v1${path}`, init));
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  await ask('POST', '/projects', { name: 'shop' });
  const [, project = ''] = /"id":"(prj-\w+)"/.exec((await ask('GET', '/projects')).text) ?? [];
  return { ask, log, project, pass: (seconds: number) => (time += seconds * 1000) };
}

test('a path that is none of its own is refused, with the time, and told like any request', async () => {
  const { ask, log } = await open();
  const { status, headers } = await ask('GET', '/account');
  expect(status).toBe(404);
  expect(headers.get('date')).toBe('Sat, 21 Nov 2026 12:00:00 GMT');
  expect(log.at(-1)).toBe('GET /v1/account 404');
});

test('a body that is no record is refused, also where a record may be empty', async () => {
  const { ask, project, pass } = await open();
  const vms = `/projects/${project}/vms`;
  const size = { configurationId: 'cfg-c1r1d20', tariffId: 'trf-monthly' };
  await ask('POST', vms, { name: 'web', imageId: 'img-debian-12', ...size });
  pass(60);
  const [, vm = ''] = /"id":"(vm-\w+)"/.exec((await ask('GET', vms)).text) ?? [];
  for (const body of [[], null, 'text']) {
    expect((await ask('POST', `${vms}/${vm}/rebuild`, body)).status).toBe(422);
  }
  expect((await ask('POST', `${vms}/${vm}/rebuild`, {})).status).toBe(202);
});

test('an operation names what it was on by the id that this has', async () => {
  const { ask, project, pass } = await open();
  await ask('POST', `/projects/${project}/networks`, { name: 'lan' });
  pass(60);
  const vlans = await ask('GET', `/projects/${project}/vlans`);
  const [, id = ''] = /"id":(\d+)/.exec(vlans.text) ?? [];
  expect(id).not.toBe('');
  const all = await ask('GET', `/projects/${project}/operations`);
  expect(all.text).toContain(`"resourceId":${id},`);
  const one = await ask('GET', `/projects/${project}/operations?resourceId=${id}`);
  expect(one.text).toContain('"count":1');
});

test('a loose service gives whole lists, and what it made, in its spelling, too', async () => {
  const { ask, project } = await open({ variant: 'loose' });
  for (let at = 0; at < 9; at += 1) {
    const made = await ask('POST', `/projects/${project}/networks`, { name: `n${at}` });
    expect(made.text).toMatch(/"id":\d+/);
  }
  for (const path of [`/projects/${project}/vlans`, '/configurations']) {
    const { all, count } = JSON.parse((await ask('GET', path)).text) as {
      all: unknown[];
      count?: number;
    };
    expect(all.length).toBeGreaterThan(7);
    expect(count).toBe(all.length);
  }
});

const unsaidLists: readonly Pick<Binding, 'lists'>[] = [
  {},
  { lists: {} },
  { lists: { default: 'open' } },
];
const variants = ['strict', 'loose'] as const;
test.each(unsaidLists.flatMap((unsaid) => variants.map((variant) => ({ unsaid, variant }))))(
  'lists of which $unsaid says nothing stand where the $variant service has them',
  async ({ unsaid, variant }) => {
    const listIn = async (spelling: Binding | undefined, path: string): Promise<unknown> => {
      const { ask, project } = await open({ variant, binding: spelling });
      for (let at = 0; at < 9; at += 1) {
        await ask('POST', `/projects/${project}/networks`, { name: `n${at}` });
      }
      const { text } = await ask('GET', path.replace('PROJECT', project));
      return JSON.parse(text.replaceAll(/"id":(?:\d+|"[^"]*")/g, '"id":1'));
    };
    for (const path of ['/projects/PROJECT/networks', '/projects/PROJECT/ssh-keys', '/projects']) {
      const theirs = await listIn({ version: 1, ids: { network: 'number' }, ...unsaid }, path);
      expect(theirs, path).toEqual(await listIn(undefined, path));
    }
  },
);
