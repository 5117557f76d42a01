// `show NEW --compare OLD` is what an approval rests on: it says so wherever the two are not the same to a person.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DayTwoWorld } from '../support/day-two.ts';

let world: DayTwoWorld;
beforeEach(async () => {
  world = await DayTwoWorld.open();
});
afterEach(() => world.close());

const vms =
  "vms: { web: { count: '${var.count}', image: '${var.image}', configuration: c1-r1-d20, tariff: '${var.tariff}', lifecycle: { ignoreChanges: [tariff] } } }";

const configure = (text: string) =>
  writeFile(
    join(world.directory, 'main.yaml'),
    `version: 1
variables:
  secret: { default: hush-1, sensitive: true }
  tariff: { default: hourly }
  count: { default: 2 }
  image: { default: ubuntu-24.04 }
  value: { default: a }
projects: { shop: { ${vms}, networks: { lan: { name: '\${var.secret}-lan' } } } }
${text}
`,
  );

async function plan(file: string, ...flags: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await world.run(['plan', '--out', file, ...flags]);
  expect([code, code === 0 ? '' : stdout + stderr]).toEqual([0, '']);
}

const compare = async () => (await world.run(['show', 'new', '--compare', 'old'])).stdout;

test('the same configuration plans the same, whichever is made first', async () => {
  await configure("outputs: { o: { value: '${var.value}' } }");
  await plan('old');
  await configure("# one line more\noutputs: { o: { value: '${var.value}' } }");
  await plan('new');
  expect(await compare()).toBe('Both plans do the same.\n');
});

// What else is told stands with `compareWithApprovedPlan`.
test.each([
  ['a sensitive value', ''],
  ['a sensitive output', "outputs: { o: { value: '${var.secret}', sensitive: true } }"],
])('%s is told, and not shown', async (_what, text) => {
  const line = 'sensitive values: at least one differs';
  await configure(text);
  await plan('old');
  await plan('new', '--var', 'secret=hush-2');
  const told = await compare();
  expect(told).toContain(line);
  expect(told).not.toMatch(/hush/);
  const json = await world.run(['show', 'new', '--compare', 'old', '--json']);
  expect(JSON.stringify(json.json)).toContain(JSON.stringify(line).slice(1, -1));
});

test('another account is told', async () => {
  await configure('');
  await plan('old');
  const env = { HOSTWRIGHT_BASE_URL: 'https://other.test/v1' };
  const other = await world.run(['plan', '--out', 'new', '--allow-other-service'], { env });
  expect([other.code, other.stderr]).toEqual([0, expect.anything()]);
  expect(await compare()).toContain('service: "https://sandbox/v1" -> "https://other.test/v1"');
});

test('equal ones are folded as in a plan, with what is lost on top, and each is data in the JSON', async () => {
  await configure('');
  await plan('old', '--var', 'count=100');
  await plan('new', '--var', 'count=100', '--var', 'image=debian-12');
  expect(await compare()).toMatchInlineSnapshot(`
    "Differs from old in 100 changes (2 of them would lose or destroy what it keeps), 2 findings.

    ! projects.shop.vms.web[0]: no change -> rebuild
    ! projects.shop.vms.web[0]: data lost [] -> ["Everything on its disk (20 GB) is lost."]
    ! projects.shop.vms.web[0]: image, as planned, "ubuntu-24.04" -> "debian-12"
    ! projects.shop.vms.web[1]: no change -> rebuild
    ! projects.shop.vms.web[1]: data lost [] -> ["Everything on its disk (20 GB) is lost."]
    ! projects.shop.vms.web[1]: image, as planned, "ubuntu-24.04" -> "debian-12"
    ! new finding warning [data-loss]: This plan loses the disks of 2 VMs (40 GB)
      projects.shop.vms.web[2..99]: image, as planned, "ubuntu-24.04" -> "debian-12"
      new finding warning [all-at-once] projects.shop.vms.web: All 2 running VMs of projects.shop.vms.web go out of service at once
    "
  `);
  const whole = (await world.run(['show', 'new', '--compare', 'old', '--verbose'])).stdout;
  expect(whole.split('\n').length).toBeGreaterThan(100);
  const { json } = await world.run(['show', 'new', '--compare', 'old', '--json']);
  const address = 'projects.shop.vms.web[7]';
  const data = { field: 'after.image', was: 'ubuntu-24.04', is: 'debian-12', loses: false };
  const { differences } = json as { differences: readonly unknown[] };
  expect(differences).toContainEqual(expect.objectContaining({ kind: 'change', address, ...data }));
});
