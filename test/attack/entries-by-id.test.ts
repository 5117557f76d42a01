// An image, a size or a tariff that is written by its id is judged and shown by its name: no id steps around a policy.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DayTwoWorld } from '../support/day-two.ts';

let world: DayTwoWorld;
beforeEach(async () => {
  world = await DayTwoWorld.open();
  await rm(join(world.directory, '.hostwright'), { recursive: true });
});
afterEach(() => world.close());

interface Given {
  readonly image?: string;
  readonly configuration?: string;
  readonly tariff?: string;
  readonly more?: string;
}

/** One VM, and whatever the configuration has beside it. */
const configure = ({
  image = 'ubuntu-24.04',
  configuration = 'c1-r1-d20',
  tariff = 'monthly',
  more = '',
}: Given) =>
  writeFile(
    join(world.directory, 'main.yaml'),
    `version: 1
projects: { lab: { vms: { web: { image: '${image}', configuration: '${configuration}', tariff: '${tariff}' } } } }
${more}
`,
  );

const deny = (assert: string) =>
  `policies: { rule: { for: vms, assert: '${assert}', severity: deny } }`;
const onImage = deny('after.image.startsWith("ubuntu")');

describe('a policy that denies', () => {
  test.each<[string, Given]>([
    ['an image by its id', { image: 'img-rocky-9', more: onImage }],
    ['by its id in capitals', { image: 'IMG-Rocky-9', more: onImage }],
    [
      'through a variable',
      { image: '${var.image}', more: `variables: { image: { default: img-rocky-9 } }\n${onImage}` },
    ],
    [
      'through a sensitive variable',
      {
        image: '${var.image}',
        more: `variables: { image: { default: img-rocky-9, sensitive: true } }\n${onImage}`,
      },
    ],
    ['through an expression', { image: '${"img-" + "rocky-9"}', more: onImage }],
    [
      'through an entry of data',
      { image: '${data.os.id}', more: `data: { os: { kind: image, name: rocky-9 } }\n${onImage}` },
    ],
    ['a size', { configuration: 'cfg-c2r4d40', more: deny('after.configuration != "c2-r4-d40"') }],
    ['a tariff', { tariff: 'trf-hourly', more: deny('after.tariff == "monthly"') }],
    [
      'through the resources',
      { image: 'img-rocky-9', more: deny('projects.lab.vms.web.image != "rocky-9"') },
    ],
  ])('%s', async (_what, given) => {
    await configure(given);
    const planned = await world.run(['plan', '--format', 'json']);
    expect(planned.stdout + planned.stderr).toContain('policy-violated');
    const applied = await world.run(['apply', '--auto-approve']);
    expect(applied.stdout + applied.stderr).toContain('[policy-violated]');
    expect(applied).toMatchObject({ code: 1, writes: [] });
  });

  test('lets pass by id what it lets pass by name', async () => {
    await configure({ image: 'img-ubuntu-24-04', more: onImage });
    expect(await world.run(['apply', '--auto-approve'])).toMatchObject({ code: 0 });
  });

  test('judges what stands by the id that the state has of it', async () => {
    await configure({ image: 'img-rocky-9' });
    expect(await world.run(['apply', '--auto-approve'])).toMatchObject({ code: 0 });
    await configure({ image: 'img-debian-12', more: deny('before.image != "rocky-9"') });
    const { stdout, code } = await world.run(['plan']);
    expect([stdout, code]).toEqual([expect.stringContaining('[policy-violated]'), 1]);
  });
});

test.each([
  ['itself', 'after.image != "img-rocky-9"', ''],
  ['by a variable', 'after.image != var.no', 'variables: { no: { default: img-rocky-9 } }'],
])(
  'a policy that denies an id %s is refused, for it would deny nothing',
  async (_w, text, more) => {
    await configure({ image: 'img-rocky-9', more: `${more}\n${deny(text)}` });
    const { stdout, code } = await world.run(['plan']);
    expect([stdout, code]).toEqual([expect.stringContaining('[condition-by-id]'), 1]);
  },
);

test('a check reads the name, before an apply and after it', async () => {
  const more =
    'checks: { c: { assert: \'projects.lab.vms.web.image == "ubuntu-24.04"\', severity: deny } }';
  await configure({ image: 'img-rocky-9', more });
  const { stderr, stdout, code } = await world.run(['apply', '--auto-approve']);
  expect(stdout + stderr).toContain('does not hold');
  expect(code).toBe(1);
});

describe('a plan of an entry that is written by its id', () => {
  test.each([
    ['text', 'rocky-9 (img-rocky-9)'],
    ['markdown', 'rocky-9 (img-rocky-9)'],
    ['html', 'rocky-9 (img-rocky-9)'],
  ])('has its name as %s', async (format, shown) => {
    await configure({ image: 'img-rocky-9' });
    const { stdout } = await world.run(['plan', '--format', format, '--out', 'saved.plan']);
    expect(stdout).toContain(shown);
    expect((await world.run(['show', 'saved.plan', '--format', format])).stdout).toContain(shown);
  });

  test('has its name in the JSON, and the id beside it', async () => {
    await configure({ image: 'img-rocky-9' });
    const plan = JSON.parse((await world.run(['plan', '--format', 'json'])).stdout) as {
      resource_changes: { address: string; change: { after: object } }[];
      hostwright: { entryIds: object };
    };
    const address = 'projects.lab.vms.web';
    const found = plan.resource_changes.find((one) => one.address === address);
    expect(found?.change.after).toMatchObject({ image: 'rocky-9' });
    expect(plan.hostwright.entryIds).toEqual({ [address]: { image: { after: 'img-rocky-9' } } });
  });

  test('shows no sensitive one', async () => {
    const more = 'variables: { image: { default: img-rocky-9, sensitive: true } }';
    await configure({ image: '${var.image}', more });
    for (const format of ['text', 'json', 'html', 'markdown']) {
      const { stdout } = await world.run(['plan', '--format', format, '--out', 'saved.plan']);
      expect(stdout).not.toContain('rocky-9');
    }
  });

  test('changes nothing where the name was written before', async () => {
    await configure({ image: 'rocky-9' });
    await world.run(['apply', '--auto-approve']);
    for (const image of ['img-rocky-9', 'IMG-rocky-9']) {
      await configure({ image });
      expect((await world.run(['plan'])).stdout).toContain('No changes.');
    }
  });
});
