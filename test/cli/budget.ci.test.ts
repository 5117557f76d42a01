// A budget as a new user tries it: in a pull request, with the prices of the sandbox.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { DayTwoWorld } from '../support/day-two.ts';
import { runInProcess } from './run-in-process.ts';
import { expectFailure, expectOutput, expectWords } from '../support/expect-words.ts';

let cwd: string;
const run = (...args: readonly string[]) => runInProcess(args, { cwd });

/** Writes so many VMs at 5 EUR each, of which 500 EUR a month pay for 100. */
const write = (count: number, budget: string) =>
  writeFile(
    join(cwd, 'main.yaml'),
    `version: 1
service: { sandbox: true }
budget: ${budget}
projects:
  shop:
    vms:
      web:
        count: ${count}
        image: ubuntu-24.04
        configuration: c1-r1-d20
        tariff: monthly
`,
  );

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'hostwright-budget-'));
});
afterAll(() => rm(cwd, { recursive: true }));

test('a monthly budget of 500 EUR refuses a plan in a pull request, with the line to change', async () => {
  await write(101, '{ monthly: 500, currency: EUR, severity: deny }');
  const comment = await run('plan', '--format', 'markdown');
  expect(comment.code).toBe(1);
  expectWords(
    comment.stdout,
    'cannot be applied, it has 1 error',
    '- Error: This plan costs 505.00 EUR a month, the budget is 500.00 EUR [budget-exceeded]',
    'on main.yaml line 3, column 20:',
    'projects.shop.vms.web[0] and 100 more (main.yaml:11:17) add 505.00 EUR a month',
    '**Cost: 0.00 -> 505.00 EUR a month (+505.00)**',
    'The prices are assumed by the sandbox.',
  );
  expect((await run('apply', '--auto-approve')).code).toBe(1);
  const why = await run('plan', '--explain', 'projects.shop.vms.web[0]');
  expect(why.stdout).toContain('What it costs:\n  It costs 5.00 EUR a month.\n');
});

test('a budget of severity warn lets it pass, and one VM less is within the budget', async () => {
  await write(101, '{ monthly: 500, currency: EUR, severity: warn }');
  expectOutput(await run('plan'), 'Warning: This plan costs 505.00 EUR a month');
  await write(100, '{ monthly: 500, currency: EUR }');
  const within = await run('plan');
  expect(within.code).toBe(0);
  // The name of the directory has the word in it.
  expect(within.stdout).not.toMatch(/budget(?!-)/);
});

test('a saved plan tells its cost in every form, and what stands tells its own', async () => {
  await write(3, '{ monthly: 500, currency: EUR }');
  await run('plan', '--out', 'saved');
  const line = 'Cost: 0.00 -> 15.00 EUR a month (+15.00)';
  for (const format of ['text', 'markdown']) {
    expect((await run('show', 'saved', '--format', format)).stdout).toContain(line);
  }
  const page = await run('show', 'saved', '--format', 'html');
  expect(page.stdout).toContain(line.replace('>', '&gt;'));
  const { stdout } = await run('show', 'saved', '--json');
  const { cost } = (JSON.parse(stdout) as { hostwright: { cost: object } }).hostwright;
  expect(cost).toMatchObject({
    totals: [{ currency: 'EUR', before: '0.00', after: '15.00', change: '15.00' }],
    unknown: 0,
    assumed: true,
  });
  expect((await run('apply', 'saved')).code).toBe(0);
  expect((await run('plan')).stdout).toContain('Cost: 15.00 EUR a month (unchanged)');
  await write(2, '{ monthly: 1, currency: EUR }');
  expectOutput(await run('plan'), 'Warning: This plan costs 10.00 EUR a month, the budget is 1.00');
  expect((await run('plan', '--destroy')).stdout).toContain('Cost: 15.00 -> 0.00 EUR a month');
});

test('catalog shows what can be ordered, all of it or one list', async () => {
  const all = await run('catalog');
  expect(all.code).toBe(0);
  expect(all.stdout).toMatch(/^Images:\n.*\n\nConfigurations:\n.*\n\nTariffs:\n/s);
  expect(all.stdout).toMatch(/^ {2}hourly +0\.01 EUR +hour +7\.30 EUR$/m);
  expect(all.stdout).toMatch(/^ {2}g8-r64-d640 +8 +64 +640 +limited +2$/m);
  const one = await run('catalog', 'configurations', '.', '--json');
  const { configurations, ...rest } = JSON.parse(one.stdout) as {
    configurations: readonly { readonly name: string }[];
  };
  expect(configurations.map(({ name }) => name)).toContain('c1-r1-d20');
  expect(Object.keys(rest)).toEqual(['format_version', 'pricesAssumed']);
  expectFailure(await run('catalog', 'tarifs'), 'Give images, configurations or tariffs');
});

test('the prices of a sandbox are assumed over the network, too, and those of another service are not', async () => {
  const world = await DayTwoWorld.open();
  onTestFinished(() => world.close());
  const assumed = async (options = {}) => {
    const { json } = await world.run(['catalog', 'tariffs', '--json'], options);
    return (json as { readonly pricesAssumed: boolean }).pricesAssumed;
  };
  const anonymously = async (_request: Request, pass: () => Promise<Response>) => {
    const { status, headers, body } = await pass();
    const others = new Headers(headers);
    others.delete('server');
    return new Response(body, { status, headers: others });
  };
  expect(await assumed()).toBe(true);
  expect(await assumed({ meddle: anonymously })).toBe(false);
  expect((await world.run(['plan'])).stdout).toContain('The prices are assumed by the sandbox.');
});
