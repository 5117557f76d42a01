// `contract journey` on an account that others work with, too: whatever befalls it, the account is as before.
import { stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { createToken } from '../../src/commands/account/access-tokens.ts';
import { listSales } from '../../src/api/sales.ts';
import type { SandboxOptions } from '../../src/sandbox/options.ts';
import { countRuns, drawNumber, drawSome } from '../support/budget/budget.ts';
import { DayTwoWorld, type Ran, type RunOptions } from '../support/day-two.ts';
import { expectFailure, expectOutput, expectWords } from '../support/expect-words.ts';

let world: DayTwoWorld;
afterEach(() => world.close());

const sum = ['--yes', '0.01 EUR'];
const take = (options: RunOptions = {}, flags: readonly string[] = sum): Promise<Ran> =>
  world.run(['contract', 'journey', ...flags], options);

const lookAround = async () => ({
  projects: await world.client.listProjects(),
  limits: await world.client.getLimits(),
  sales: (await listSales(world.client)).map(({ id, renewal }) => [id, renewal]),
});

/** Opens an account, and expects it to be the same after the work. */
async function onAccount<T>(work: () => Promise<T>, options: Partial<SandboxOptions> = {}) {
  world = await DayTwoWorld.open(options);
  const before = await lookAround();
  const done = await work();
  expect(await lookAround()).toEqual(before);
  return done;
}

// All that it prints is in docs/real-account.md, and tried there.
test('a journey tries each command, and leaves the account as it was', async () => {
  const done = await onAccount(() => take({ answers: ['yes'] }, []));
  expectOutput(done, '28 changing operations work', 'and 21 of 35 reads');
});

/** Requests of a journey, each as it goes out and as it is answered; one that ends before its point is as good. */
const points = 1_800;
test.each(Array.from({ length: countRuns(20, 3) }, (_, index) => index))(
  'a journey that is killed at a drawn point is taken away by the next one (%i)',
  (index) =>
    onAccount(async () => {
      const { code } = await take({ killAt: drawNumber(points, `journey ${index}`) });
      expect([137, 0]).toContain(code);
      const next = await take({ answers: ['no'] }, []);
      expectFailure(next, 'Nothing was ordered or changed.');
    }),
);

type Meddle = NonNullable<RunOptions['meddle']>;

/** Answers of one path, edited. */
const edit =
  (path: RegExp, change: (body: never) => unknown): Meddle =>
  async (request, pass) => {
    const answer = await pass();
    if (request.method !== 'GET' || !path.test(new URL(request.url).pathname)) return answer;
    const { status, headers } = answer;
    return Response.json(change((await answer.json()) as never), { status, headers });
  };

test.each<
  [string, string, readonly string[], Partial<SandboxOptions>, (() => Promise<RunOptions>)?]
>([
  ['a quota that is too small', '[quota-exceeded]', sum, { quotas: { publicIps: 0 } }],
  ['another sum', 'costs 0.01 EUR, and --yes approves 0.02 EUR', ['--yes', '0.02 EUR'], {}],
  ['nobody to ask', 'Use --yes "0.01 EUR" to skip the question.', [], {}],
  [
    'no tariff',
    'The account offers no tariff',
    sum,
    {},
    () => Promise.resolve({ meddle: edit(/tariffs$/, () => []) }),
  ],
  [
    'a name that is taken',
    'Give another name with --project.',
    sum,
    {},
    async () => {
      await world.client.send({ kind: 'createProject', name: 'hostwright-journey' });
      return {};
    },
  ],
  [
    'a scope that is missing',
    'The token lacks account, network',
    sum,
    {},
    async () => {
      const { value } = await createToken(world.client, {
        name: 't',
        scopes: ['compute'],
        expiresAt: null,
      });
      return { env: { HOSTWRIGHT_TOKEN: value } };
    },
  ],
])(
  '%s is said before anything is changed',
  async (_, words, flags, options, prepare = () => Promise.resolve({})) => {
    world = await DayTwoWorld.open(options);
    const refused = await take(await prepare(), flags);
    expectFailure(refused, words);
    expect(refused.writes).toEqual([]);
  },
);

let reads = 0;
const dearer = edit(/tariffs$/, (tariffs: object[]) => {
  reads += 1;
  return reads < 5 ? tariffs : tariffs.map((one) => ({ ...one, price: 99 }));
});

const oddAccounts: readonly [string, number, RegExp, RunOptions, Partial<SandboxOptions>?][] = [
  ['names that must be short', 0, /Project +hostwr,/, {}, { nameLengths: { project: 6, vm: 5 } }],
  [
    'a loose service',
    0,
    /^Works as the contract says:\n +createProject, .*createVm,/ms,
    {},
    { variant: 'loose' },
  ],
  [
    'an operation that fails',
    1,
    /^otherwise +Reboot the VM.*\n +The service accepted the reboot and then failed: internal/m,
    {},
    { planFailure: ({ type }) => (type === 'Reboot' ? 'internal' : null) },
  ],
  [
    'a VM that cannot be made',
    1,
    /^not tried +Stop the VM\n +projects\.journey\.vms\.box was not made/m,
    {},
    { planFailure: ({ type }) => (type === 'Provision' ? 'insufficientCapacity' : null) },
  ],
  [
    'a list that is left out when it is empty',
    0,
    /^works +Detach .*\n +networks: net-\S+ 10\.0\.0\.2 -> untold/m,
    {
      meddle: edit(/vms\/[^/]+$/, ({ networks, ...vm }: { networks?: object[] }) =>
        networks?.length === 0 ? vm : { ...vm, networks },
      ),
    },
  ],
  [
    'a price that rises meanwhile',
    1,
    /nothing was ordered: hourly costs 99\.00 EUR by now/,
    { meddle: dearer },
  ],
];

test.each(drawSome(oddAccounts, { short: 2, ci: 6 }, 'journeys'))(
  'with %s',
  async (_, code, words, options, account = {}) => {
    const done = await onAccount(() => take(options), account);
    expect(done.stdout).toMatch(words);
    expect(done.code).toBe(code);
  },
);

test.each([
  ['none', 'the service has no cancelSaleRenewal'],
  ['open', 'cancelSaleRenewal is not bound'],
])(
  'what the contract file has as %s is not tried, and neither is what it undoes',
  async (line, why) => {
    const done = await onAccount(async () => {
      const operations = { cancelSaleRenewal: line, stopVm: line };
      const contract = stringify({ version: 1, operations });
      await writeFile(join(world.directory, 'service.contract.yaml'), contract);
      const env = { HOSTWRIGHT_CONTRACT: 'service.contract.yaml' };
      return take({ env }, [...sum, '--allow-other-contract']);
    });
    expect(done.stdout).toContain(`not tried  Cancel the renewal\n           ${why}`);
    for (const undone of ['Resume the renewal', 'Start the VM']) {
      expect(done.stdout).toContain(
        `not tried  ${undone}\n           the account shows it already`,
      );
    }
    expect([done.code, done.stdout.match(/^otherwise.*/gm)]).toEqual([0, null]);
  },
);

test('a link in the place of what is noted beside the contract file is told of, and not followed', async () => {
  const done = await onAccount(async () => {
    await writeFile(join(world.directory, 'service.contract.yaml'), 'version: 1\n');
    await symlink('mine.txt', join(world.directory, 'service.contract.json'));
    return take({ env: { HOSTWRIGHT_CONTRACT: 'service.contract.yaml' } });
  });
  expectWords(done.stdout + done.stderr, 'contract-unwritable');
  expect(done.code).toBe(0);
  await expect(stat(join(world.directory, 'mine.txt'))).rejects.toThrow('ENOENT');
});

test('an interrupt takes everything away, and no second journey runs beside', async () => {
  let second: Promise<Ran> | undefined;
  const meddle: Meddle = async (request, pass) => {
    if (request.method === 'POST') await (second ??= take());
    return pass();
  };
  const options = { interruptAt: /Create the VM/, meddle };
  const done = await onAccount(() => take(options, [...sum, '--json']));
  expect(done.code).toBe(130);
  expect(done.json).toMatchObject({ outcome: 'interrupted', left: [] });
  expectWords(done.stderr, 'nothing new is tried');
  const refused = await second!;
  expectFailure(refused, '[state-locked]');
  expect(refused.writes).toEqual([]);
});
