import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { routes } from '../../src/api/contract/routes.ts';
import { drawSome } from '../support/budget/budget.ts';
import { findRaw } from '../support/hostile-text.ts';
import { openHostileAccount, type HostileAccount } from './hostile-account.ts';
import { toYaml } from './hostile-configuration.ts';
import { expectFailure } from '../support/expect-words.ts';

const vm = { image: 'debian-12', configuration: 'c1-r1-d20', tariff: 'hourly' };
const configuration = {
  version: 1,
  projects: { shop: { networks: { lan: {} }, vms: { web: vm } } },
};

let account: HostileAccount;
let root: string;
/** The state after the first apply. */
let applied: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'hostwright-ids-'));
  account = await openHostileAccount(root);
  await writeFile(join(root, 'main.yaml'), toYaml(configuration));
  expect(await account.run(['apply', '--auto-approve'])).toMatchObject({ code: 0 });
  applied = await readFile(statePath(), 'utf8');
});

afterAll(async () => {
  account.close();
  await rm(root, { recursive: true });
});

/** The account stays as it is; what is around it is as after the apply. */
beforeEach(async () => {
  account.requests.length = 0;
  account.answer = undefined;
  account.isHostile = false;
  await rm(join(root, '.hostwright'), { recursive: true, force: true });
  await mkdir(join(root, '.hostwright'));
  await writeFile(statePath(), applied);
  await writeFile(join(root, 'main.yaml'), toYaml(configuration));
});

const statePath = () => join(root, '.hostwright', 'state.json');

/** Every path of the contract, with one segment for each id. */
const known = Object.values(routes).map(
  ({ method, path }) => new RegExp(`^${method} /v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
);

/** Runs a command line, which must neither fail as a bug nor ask for what the contract does not have. */
async function run(...args: string[]) {
  const ended = await account.run(args);
  expect(findRaw(ended.stdout + ended.stderr)).toEqual([]);
  expect(ended.stderr).not.toContain('bug in Hostwright');
  for (const request of account.requests) {
    expect(
      known.filter((one) => one.test(request)),
      request,
    ).not.toEqual([]);
  }
  return ended;
}

const changes = () => account.requests.filter((request) => !request.startsWith('GET '));

interface StateFile {
  readonly resources: Record<string, unknown>[];
  readonly pending: Record<string, unknown>[];
}

async function editState(edit: (state: StateFile) => void): Promise<void> {
  const state = JSON.parse(applied) as StateFile;
  edit(state);
  await writeFile(statePath(), JSON.stringify(state));
}

const everyUse = [
  ...['plan --refresh-only', 'plan --destroy', 'vm reboot projects.shop.vms.web', 'operations'],
  ...['state show projects.shop.vms.web', 'apply --auto-approve', 'destroy --auto-approve'],
];

const dots = ['..', '.', '%2e%2e', '..\\', '../../tokens'];
const ids = [...dots, 'a/b', '?x=1', '#x', '\ud800', '\u001b[31m'];

/** One of each sort. */
const worst = ['..', 'a/b', '?x=1', '\ud800', '\u001b[31m'];

const uses = [
  ['vm', 'id'],
  ['network', 'projectId'],
  ['project', 'id'],
] as const;

describe('attack k: an id that would change the path of a request', () => {
  test.each(drawSome(ids, 4, 'ids of the command line'))('%j on the command line', async (id) => {
    for (const args of [
      ['import', 'projects.shop.networks.lan', id],
      ['state', 'resolve', 'projects.shop.vms.web', '--id', id],
      ['tokens', 'revoke', id, '--auto-approve'],
      ['tokens', 'rename', id, 'x'],
      ['vm', 'restore', 'projects.shop.vms.web', id, '--auto-approve'],
      ['operations', '--project', id],
      ['sales', 'cancel', id],
      ['export', '--project', id],
      ['force-unlock', id],
    ]) {
      expect((await run(...args)).code, args.join(' ')).toBe(1);
    }
    expect(changes()).toEqual([]);
    // The service alone knows whether it has a notification of that id.
    await run('notifications', 'read', id);
    expect(changes().filter((request) => !/\/notifications\/[^/]+\/read$/.test(request))).toEqual(
      [],
    );
  });

  test.each(drawSome(worst, 1, 'ids'))('%j in the state', async (id) => {
    // What is under the id is not ours, so nothing may be done to it.
    account.answer = ({ method }) =>
      method === 'GET' ? undefined : new Response(null, { status: 404 });
    for (const [kind, field] of uses) {
      await editState(({ resources }) => {
        for (const one of resources) if (one.kind === kind) one[field] = id;
      });
      for (const words of everyUse) await run(...words.split(' '));
    }
  });

  test.each(drawSome(worst, 2, 'ids of projects'))(
    '%j as what the service calls a project',
    async (id) => {
      account.answer = ({ url, method }) =>
        method === 'GET' && new URL(url).pathname === '/v1/projects'
          ? { items: [{ id, name: 'shop' }], page: 1, pageSize: 100, totalCount: 1 }
          : undefined;
      await rm(join(root, '.hostwright'), { recursive: true });
      for (const words of [
        'plan',
        'plan --adopt',
        'export --all',
        'apply --auto-approve --adopt',
      ]) {
        await run(...words.split(' '));
      }
      expect(changes().filter((request) => /tokens|DELETE/.test(request))).toEqual([]);
    },
  );

  test.each(drawSome(worst, 2, 'ids of imports'))('%j under imports', async (id) => {
    const imports = [{ to: 'projects.shop.networks.lan', id }];
    await writeFile(join(root, 'main.yaml'), toYaml({ ...configuration, imports }));
    await rm(join(root, '.hostwright'), { recursive: true });
    expect((await run('apply', '--auto-approve')).code).toBe(1);
    expect(changes()).toEqual([]);
  });
});

const strangeKeys = ['\u001b[31m', '\n::error::x', '\u200b', '\u009b2J', '\ud800', '##[error]'];

describe('attack k: a text in place of an address', () => {
  test.each(drawSome(strangeKeys, 2, 'keys in the state'))('%j in the state', async (key) => {
    for (const address of [
      `projects.shop.vms.${key}`,
      `projects.shop.vms.web["${key}"]`,
      `projects.shop.vms.web (deposed object ${key})`,
      key,
    ]) {
      await editState(({ resources }) => {
        const one = resources.find(({ kind }) => kind === 'vm');
        if (one) one.address = address;
      });
      for (const words of ['plan', 'state list', 'show', 'show --json', 'plan --json', 'graph']) {
        await run(...words.split(' '));
      }
    }
  });

  test('in the state is refused where no configuration could give it', async () => {
    await editState(({ resources }) => {
      for (const one of resources)
        if (one.kind === 'vm') one.address = 'projects.shop.vms.\u001b[31mweb';
    });
    expectFailure(await run('plan'), '[state-invalid]', 'must be an address');
  });

  test.each(drawSome(strangeKeys, 2, 'keys of the command line'))(
    '%j on the command line',
    async (key) => {
      for (const option of ['--target', '--exclude', '--replace']) {
        for (const address of [
          key,
          `projects.shop.vms["${key}"]`,
          `projects.shop.vms.web["${key}"]`,
        ]) {
          expect((await run('plan', option, address)).code).toBe(1);
        }
      }
    },
  );
});

describe('attack k: half a character in a live name', () => {
  test.each(['\ud800', 'web\udc00', '\udc00\ud800'])('%j', async (ending) => {
    account.endings = [ending];
    account.isHostile = true;
    for (const words of [
      ...[
        'plan --format json',
        'plan --format html',
        'plan --format sarif',
        'plan --out saved.hwp',
      ],
      ...['show saved.hwp --json', 'export --all', 'graph --format svg --plan saved.hwp'],
    ]) {
      expect((await run(...words.split(' '))).code, words).toBe(0);
    }
    account.isHostile = false;
    // Somebody wrote it, and a plan takes it back.
    const { code, stderr } = await run('apply', '--auto-approve');
    expect({ code, stderr }).toMatchObject({ code: 0 });
  });
});
