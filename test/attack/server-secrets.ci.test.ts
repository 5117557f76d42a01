// What a workspace keeps as a secret is given to its runs, and to nobody who reads what they say.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRunLogWriter } from '../../src/server/runs/write-log.ts';
import type { NewRunLogLine } from '../../src/server/store/run-log.ts';
import { createSecretMask, sameLineCountReplacement } from '../../src/model/text/mask-texts.ts';
import type { ApiClient } from '../support/server/api-client.ts';
import { inProcess } from '../support/server/in-process.ts';
import { openServerRig, type ServerRig } from '../support/server/server-rig.ts';

const secret = 'p4ss-w0rd-of-shop';
const encode = (encoding: BufferEncoding, text = secret) => Buffer.from(text).toString(encoding);
/** The secret, and as much of it as stands in base64 wherever it begins. */
const forms = [
  ...[secret, encode('hex'), encode('hex').toUpperCase(), encode('base64').replace(/=+$/, '')],
  ...['x', 'xx'].map((before) => encode('base64', before + secret).slice(4, -4)),
];

/** A configuration that says nothing of sensitive values, and shows one wherever it can. */
const main = `version: 1
variables: { pass: { type: string, sensitive: false }, parts: { type: any } }
locals: { half: '\${var.pass.substring(0, 9)}' }
projects:
  shop:
    networks: { main: { name: '\${var.pass}' }, literal: { name: ${secret}-x } }
checks:
  told: { assert: 'var.pass == ""', message: 'It is \${var.pass} or \${base64Encode(var.pass)}.' }
outputs:
  plain: { value: '\${var.pass}' }
  list: { value: ['\${var.pass}', '\${var.parts.of}'] }
  encoded: { value: '\${base64Encode("x" + var.pass)}' }
  halved: { value: '\${local.half}' }
  broken: { value: "\${var.pass.substring(0, 5)}\\n\${var.pass.substring(5)}" }
  literal: { value: 'it is ${encode('hex')}' }
  open: { value: 'as it is' }
`;
const after = `version: 1
variables: { open: { type: string }, literal: { default: not passed } }
projects: { next: { networks: { main: { name: '\${var.open}' } } } }
outputs: { literal: { value: '\${var.literal}' } }
`;

let rig: ServerRig;
let api: ApiClient;
beforeAll(async () => {
  rig = await openServerRig(inProcess, 200);
  api = await rig.startServer();
  await rig.repository.commit({ 'shop/main.yaml': main, 'next/main.yaml': after });
  await rig.start(['worker']);
});
afterAll(() => rig.close());

const path = '/api/v1/workspaces/shop';

test('no page, log, plan, state or output shows it, whatever the configuration says of it', async () => {
  const { baseUrl, token } = rig.account;
  const account = { HOSTWRIGHT_BASE_URL: baseUrl, HOSTWRIGHT_TOKEN: token };
  const make = (name: string, variables: object, more = {}) =>
    api.call('POST', '/api/v1/workspaces', {
      ...{ name, repository: rig.repositoryUrl, directory: name, ...more },
      variables: { ...account, ...variables },
    });
  // One of them comes from a set that workspaces share.
  const parts = { value: JSON.stringify({ of: 'second-s3cr3t' }), secret: true };
  const shared = { variables: { HOSTWRIGHT_VAR_parts: parts } };
  expect((await api.call('PUT', '/api/v1/variable-sets/shared', shared)).status).toBe(201);
  await make(
    'shop',
    { HOSTWRIGHT_VAR_pass: { value: secret, secret: true } },
    { variableSets: ['shared'] },
  );
  await make('next', {}, { after: ['shop'] });
  const done = async (request: object) => {
    const run = await api.ended((await api.run(request)).id);
    expect([run.status, await api.readLog(run.id)]).toEqual(['succeeded', expect.anything()]);
    return run;
  };
  const plan = await done({ operation: 'plan', workspace: 'shop' });
  const apply = await done({ operation: 'apply', plan: plan.id });
  const next = await done({ operation: 'plan', workspace: 'next' });
  const runs = [plan, apply, next].map(({ id }) => id);
  const read = async (place: string) =>
    (
      await fetch(`${api.origin}${place}`, { headers: { authorization: `Bearer ${api.token}` } })
    ).text();
  const logs = await Promise.all(runs.map((id) => api.readLog(id)));
  const places = runs.flatMap((id) =>
    ['', '/report', '/comparison', '/timeline'].map((part) => `/api/v1/runs/${id}${part}`),
  );
  places.push(path, `${path}/variables`, '/api/v1/audit', '/api/v1/overview');
  places.push('/api/v1/variable-sets');
  const shown = [...logs, ...(await Promise.all(places.map(read)))].join('\n');
  expect(logs[0]).toContain('(sensitive)');
  expect(logs[2]).toContain('as it is');
  expect(logs[2]).toContain('not passed');
  // What the configuration says itself stays in the state.
  const state = (await read(`${path}/state`)).replace(`${secret}-x`, '').replace(encode('hex'), '');
  const squeezed = (shown + state).replaceAll(/\s+/g, '');
  const all = [...forms, secret.slice(0, 9), 'second-s3cr3t', token];
  expect(all.filter((form) => squeezed.includes(form))).toEqual([]);
});

describe('a mark', () => {
  const set = async (given: unknown) => {
    const variables = { HOSTWRIGHT_VAR_pass: given };
    const { status, body } = await api.call('PATCH', path, { variables });
    const { body: kept } = await api.call('GET', `${path}/variables`);
    const secrets = kept.secrets as readonly string[];
    return { status, detail: body.detail, isSecret: secrets.includes('HOSTWRIGHT_VAR_pass') };
  };

  test('stays with a new value, and goes with one alone', async () => {
    expect(await set('another')).toMatchObject({ status: 200, isSecret: true });
    expect(await set({ secret: false })).toMatchObject({
      status: 422,
      detail: expect.stringContaining('it is a secret. Give its `value` again') as string,
      isSecret: true,
    });
    expect(await set({ value: 'third', secret: false })).toMatchObject({ isSecret: false });
    expect(await set({ secret: true })).toMatchObject({ status: 200, isSecret: true });
    expect(await set(null)).toMatchObject({ status: 200, isSecret: false });
    expect(await set({ secret: true })).toMatchObject({ status: 422, isSecret: false });
  });
});

test.each([
  ['in lines', `p4ss-\nw0rd-\nof-shop`],
  ['with a line of base64 for each few characters', encode('base64').replaceAll(/(.{4})/g, '$1\n')],
  ['in hexadecimal digits', encode('hex').replaceAll(/(.{7})/g, '$1\n')],
  ['for a URL', `%70%34ss%2Dw0rd\n%2dof-shop`],
  ['in JSON', String.raw`\u0070\u0034ss-` + '\n' + String.raw`w0rd-of\u002dshop`],
])('is masked where lines that come one after the other have it: %s', async (_what, text) => {
  const kept: NewRunLogLine[] = [];
  const add = (_run: string, lines: readonly NewRunLogLine[]) =>
    Promise.resolve(void kept.push(...lines));
  const writer = openRunLogWriter({ add }, 'run', () => undefined);
  writer.hide(createSecretMask([secret], sameLineCountReplacement));
  for (const line of `before\n${text}\nafter`.split('\n')) {
    writer.say('output', line);
    writer.say('error', 'meanwhile');
  }
  await writer.close();
  const said = kept.filter(({ stream }) => stream === 'output').map((line) => line.text);
  expect(said.join('').replaceAll('(sensitive)', '')).toBe('beforeafter');
  expect(kept.filter((line) => line.text === 'meanwhile')).toHaveLength(said.length);
});
