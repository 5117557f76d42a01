// `data` from end to end: what is read, what is made of it, and when a saved plan is refused for it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DayTwoWorld, type RunOptions } from '../support/day-two.ts';
import { forgePlan } from '../support/forge-plan.ts';
import { expectWords } from '../support/expect-words.ts';

const entries = `
  core: { kind: network, project: shared, name: core }
  lts: { kind: image, match: '^ubuntu-', newest: true }
  own: { kind: network, project: shop, name: lab }
`;

const main = (data = entries, more = '') => `version: 1
service: { baseUrl: 'https://sandbox/v1' }
variables: { word: { type: string, default: hunter22, sensitive: true } }
data:${data}
projects:
  shop:
    ignoreUnmanaged: [lab, web-*]
    networks: { beside: { name: 'beside-\${data.core.name}' } }
    vms:
      app:
        image: \${data.lts.id}
        configuration: c1-r1-d20
        tariff: monthly
        networks: ['\${data.own.id}']
outputs:
  range: { value: '\${data.core.cidr}' }
  secret: { value: '\${var.word}-\${data.core.name}', sensitive: true }
${more}`;

let world: DayTwoWorld;
let sharedId = '';
/** The paths of the reads, in order. */
let reads: string[] = [];

beforeEach(async () => {
  world = await DayTwoWorld.open();
  const { client } = world;
  for (const name of ['shared', 'private']) await client.send({ kind: 'createProject', name });
  const projects = await client.listProjects();
  sharedId = projects.find(({ name }) => name === 'shared')?.id ?? '';
  const privateId = projects.find(({ name }) => name === 'private')?.id ?? '';
  for (const name of ['core', 'edge']) {
    await client.send({ kind: 'createNetwork', project: sharedId, name });
  }
  await client.send({ kind: 'createNetwork', project: privateId, name: 'core' });
  await client.send({ kind: 'createNetwork', project: world.projectId, name: 'lab' });
  await world.pass(60);
  reads = [];
  await write(main());
});
afterEach(() => world.close());

const write = (text: string) => writeFile(join(world.directory, 'main.yaml'), text);

function run(argv: readonly string[], options: RunOptions = {}) {
  const { meddle } = options;
  return world.run([...argv], {
    ...options,
    meddle: (request, pass) => {
      const { pathname } = new URL(request.url);
      if (request.method === 'GET') reads.push(pathname.replace('/v1', ''));
      return meddle ? meddle(request, pass) : pass();
    },
  });
}

/** Both VMs of the state have left the configuration. */
const target = ['--target', 'projects.shop.vms.app', '--target', 'projects.shop.networks.beside'];

async function networkOf(projectId: string, name: string) {
  const all = await world.client.list('network', { projectId });
  const found = all.find((one) => one.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
}

async function renameCore(to: string, from = 'core'): Promise<void> {
  const { id } = await networkOf(sharedId, from);
  await world.client.send({ kind: 'renameNetwork', project: sharedId, network: id, name: to });
  await world.pass(10);
}

describe('a plan with data', () => {
  test('has its values, applies, and finds nothing to do after it', async () => {
    const planned = await run(['plan', ...target]);
    expect(planned).toMatchObject({ code: 0, writes: [] });
    expectWords(planned.stdout, 'name = "beside-core"', '= "ubuntu-24.04 (img-ubuntu-24-04)"');
    const lab = await networkOf(world.projectId, 'lab');
    expect(planned.stdout).toContain(`["id:${lab.id}"]`);
    expect(planned.stdout).not.toContain('unmanaged-resources');
    expect(await run(['apply', '--auto-approve', ...target])).toMatchObject({ code: 0 });
    const [app] = (await world.client.list('vm', { projectId: world.projectId })).filter(
      ({ name }) => name === 'app',
    );
    expect(app?.networks?.map(({ networkId }) => networkId)).toEqual([lab.id]);
    expect(await run(['plan', '--detailed-exitcode', ...target])).toMatchObject({ code: 0 });
  });

  test('is explained with the lines that ask for its values', async () => {
    const { stdout } = await run(['plan', '--explain', 'projects.shop.networks.beside']);
    expect(stdout).toContain('data.core.name = "core"  # main.yaml:5:3');
  });

  test('reads of the other project the one list, and nothing twice', async () => {
    await run(['plan', ...target]);
    expect(reads.filter((path) => path.includes(sharedId))).toEqual([
      `/projects/${sharedId}/networks`,
    ]);
    const projects = new Set(reads.flatMap((path) => /^\/projects\/([^/]+)/.exec(path)?.[1] ?? []));
    expect(projects).toEqual(new Set([world.projectId, sharedId]));
    expect(reads).toEqual([...new Set(reads)]);
  });

  test('validates without the account, and asks it once for a sensitive output', async () => {
    expect(await run(['validate'])).toMatchObject({ code: 0 });
    expect(reads).toEqual([]);
    await run(['apply', '--auto-approve', ...target]);
    const { code, stdout } = await run(['output', 'secret', '--raw']);
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: 'hunter22-core' });
  });

  test('imports what it names, in a configuration that is whole', async () => {
    await renameCore('nucleus', 'edge');
    const { id } = await networkOf(world.projectId, 'lab');
    await write(main().replace('name: lab }', 'match: "^x" }'));
    expect(await run(['import', 'projects.shop.networks.beside', id])).toMatchObject({ code: 1 });
    await write(main());
    expect(await run(['import', 'projects.shop.networks.beside', id])).toMatchObject({ code: 0 });
    // From here on it is managed.
    const planned = await run(['plan', ...target]);
    expect(planned).toMatchObject({ code: 1 });
    expect(planned.stdout + planned.stderr).toContain('data-managed');
  });
});

describe('an image that data picks', () => {
  const only = ['--target', 'projects.shop.vms.app'];
  const readImages = (isOld: boolean): RunOptions => ({
    meddle: async (request, pass) => {
      const answer = await pass();
      if (!isOld || !request.url.includes('/images')) return answer;
      const images = (await answer.json()) as { name: string }[];
      return Response.json(images.filter(({ name }) => !name.startsWith('ubuntu-24')));
    },
  });
  const plan = async (isOld: boolean) => {
    const { stdout, stderr } = await run(['plan', ...only], readImages(isOld));
    return `${stdout}${stderr}`.replace(/\s*\n│ /g, ' ');
  };
  const withField = (field: string) =>
    main().replace('tariff: monthly', `tariff: monthly\n        ${field}`);

  test.each([
    ['its id', main()],
    [
      'a local that reads it',
      main(undefined, "locals: { image: '${data.lts.id}' }").replace(
        'image: ${data.lts.id}',
        'image: ${local.image}',
      ),
    ],
  ])(
    'and that is read by %s is told before and when it is another, by name',
    async (_what, text) => {
      await write(text);
      expect(await plan(true)).toContain(
        'Warning: A newer entry of `data.lts` rebuilds the VM, which loses its data [data-newest]',
      );
      expect(await run(['apply', '--auto-approve', ...only], readImages(true))).toMatchObject({
        code: 0,
      });
      expect(await plan(true)).toContain('[data-newest]');
      const told = await plan(false);
      expect(told).toContain(
        'The VM is rebuilt because `data.lts` picks `ubuntu-24.04` now [data-changed]',
      );
      expect(told).toContain('Its `image` was `ubuntu-22.04`.');
      expect(told).not.toContain('[data-newest]');
      // Somebody else has changed the VM: that is not what `data` picks.
      await run(['apply', '--auto-approve', ...only]);
      const [app] = (await world.client.list('vm', { projectId: world.projectId })).filter(
        ({ name }) => name === 'app',
      );
      await world.client.send({
        ...{ kind: 'rebuildVm', project: world.projectId, vm: app?.id ?? '', sshKeys: [] },
        ...{ imageId: 'img-debian-12', deleteBackups: false },
      });
      await world.pass(120);
      const drifted = await plan(false);
      expect(drifted).toContain('will be rebuilt');
      expect(drifted).not.toContain('[data-changed]');
    },
  );

  test.each(['rebuild: { on: [] }', 'lifecycle: { ignoreChanges: [image] }'])(
    'wipes nothing and warns of nothing with %s',
    async (field) => {
      await write(withField(field));
      expect(await plan(true)).not.toContain('[data-newest]');
      const applied = await run(['apply', '--auto-approve', ...only], readImages(true));
      expect(applied).toMatchObject({ code: 0 });
      const later = await plan(false);
      expect(later).toContain('No changes.');
      expect(later).not.toContain('[data-');
    },
  );
});

describe('data that is not there', () => {
  test('is an error at each place, with what there is, and nothing changes', async () => {
    await write(
      main(`
  core: { kind: network, project: shared, match: '.' }
  lts: { kind: image, name: ubuntu-24.05 }
  own: { kind: network, project: shopp, name: lab }
`),
    );
    const { code, stderr, writes } = await run(['apply', '--auto-approve']);
    expect({ code, writes }).toEqual({ code: 1, writes: [] });
    expectWords(stderr, '2 networks match `.` in the project `shared`', 'They are `core`, `edge`.');
    expect(stderr).toMatch(/main\.yaml line 5, column 50/);
    expect(stderr).toContain('There is no image `ubuntu-24.05`');
    expect(stderr).toContain('Did you mean `ubuntu-24.04`?');
    expect(stderr).toContain('The account has no project `shopp`');
    expect(stderr).toContain('Did you mean `shop`?');
  });

  test.each([
    [403, 'the access token does not allow this'],
    [404, 'the service does not have this resource'],
  ])('is an error where the service answers %i', async (status, words) => {
    const { code, stderr } = await run(['plan'], {
      meddle: (request, pass) =>
        request.url.includes(`${sharedId}/networks`)
          ? Promise.resolve(
              new Response(JSON.stringify({ title: 'No' }), {
                ...{ status, headers: { 'content-type': 'application/problem+json' } },
              }),
            )
          : pass(),
    });
    expect(code).toBe(1);
    expect(stderr).toContain('`data.core` cannot be read');
    expect(stderr.replace(/\s+/g, ' ')).toContain(words);
    expect(stderr).toMatch(/main\.yaml line 5, column 35/);
  });

  test('is told how to refer to what the configuration creates itself', async () => {
    await write(
      main(entries.replace('project: shared, name: core', 'project: shop, name: beside')).replace(
        'beside-${data.core.name}',
        'beside',
      ),
    );
    const { code, stderr } = await run(['plan']);
    expect(code).toBe(1);
    expect(stderr.replace(/\s*\n│ /g, ' ')).toContain(
      'This configuration has it as projects.shop.networks.beside.',
    );
  });
});

describe('a saved plan with data', () => {
  const save = () => run(['plan', ...target, '--out', 'plan.hwp']);

  test('is carried out where what it was made with is the same, whatever else has moved', async () => {
    expect(await save()).toMatchObject({ code: 0 });
    // What no expression reads may have moved.
    await renameCore('border', 'edge');
    expect(await run(['apply', 'plan.hwp', ...target])).toMatchObject({ code: 0 });
    expect(await run(['plan', '--detailed-exitcode', ...target])).toMatchObject({ code: 0 });
  });

  test('is refused where a value that it was made with has moved', async () => {
    await save();
    const before = await networkOf(sharedId, 'core');
    await renameCore('old-core');
    await world.client.send({ kind: 'createNetwork', project: sharedId, name: 'core' });
    await world.pass(10);
    const after = await networkOf(sharedId, 'core');
    const { code, stderr, writes } = await run(['apply', 'plan.hwp', ...target]);
    expect({ code, writes }).toEqual({ code: 1, writes: [] });
    expect(stderr).toContain('Saved plan is stale');
    expect(stderr).toContain(`data.core: cidr "${before.cidr}" -> "${after.cidr}"`);
    // No expression reads it.
    expect(stderr).not.toContain(after.id);
  });

  test('is refused where it is gone', async () => {
    await save();
    await renameCore('old-core');
    const { code, stderr, writes } = await run(['apply', 'plan.hwp', ...target]);
    expect({ code, writes }).toEqual({ code: 1, writes: [] });
    expect(stderr.replace(/\s*\n│ /g, ' ')).toContain('data.core: There is no network `core`');
  });

  test('is refused where the configuration asks for something else', async () => {
    await save();
    await write(main(entries.replace('name: core', 'name: edge')));
    reads = [];
    const { code, stderr } = await run(['apply', 'plan.hwp', ...target]);
    expect(code).toBe(1);
    expect(stderr.replace(/\s*\n│ /g, ' ')).toContain(
      'does not ask for `data.core` as the plan has it',
    );
    expect(reads).toEqual([]);
  });

  test('is refused where its configuration is another', async () => {
    await save();
    await forgePlan(join(world.directory, 'plan.hwp'), ({ desired }) => ({
      desired: { ...desired, resources: [] },
    }));
    const { code, stderr, writes } = await run(['apply', 'plan.hwp', ...target]);
    expect({ code, writes }).toEqual({ code: 1, writes: [] });
    expect(stderr).toContain('projects.shop.vms.app: it is not in the plan');
  });

  test('has the variables of the apply, unless it is sealed', async () => {
    const text = main()
      .replace('project: shared,', "project: '${var.where}',")
      .replace('variables: {', 'variables: { where: { default: private },');
    await write(text);
    const save = ['plan', ...target, '--out', 'plan.hwp', '--var', 'where=shared'];
    await run(save);
    const refused = await run(['apply', 'plan.hwp', ...target]);
    expect(refused).toMatchObject({ code: 1, writes: [] });
    expect(refused.stderr).toContain('Hint: Add --var where=shared to apply');
    const env = {
      HOSTWRIGHT_PLAN_KEY: 'q3JhbmRvbSBieXRlcyBmb3IgYSBrZXkgb2YgdGVzdHM=',
      HOSTWRIGHT_VAR_word: 'w',
    };
    await run(save, { env });
    expect(await run(['apply', 'plan.hwp'], { env })).toMatchObject({ code: 0 });
  });

  test('takes a sensitive value that is made of data from both', async () => {
    await write(main().replace("'beside-${data.core.name}'", "'${var.word}-${data.core.name}'"));
    expect(await save()).toMatchObject({ code: 0 });
    expect(await run(['apply', 'plan.hwp', ...target])).toMatchObject({ code: 0 });
    expect((await networkOf(world.projectId, 'hunter22-core')).name).toBe('hunter22-core');
  });
});

test('destroy leaves alone what data has read, and what is ignored', async () => {
  await write(
    main(undefined, 'policies: { all: { for: vms, assert: "before.name != data.core.name" } }\n'),
  );
  expect(await run(['apply', '--auto-approve', ...target])).toMatchObject({ code: 0 });
  const { code, stdout } = await run(['plan', '--destroy']);
  expect(stdout).not.toContain('- network "lab"');
  expect(stdout).not.toContain('unmanaged-resources');
  // The project still holds it.
  expect(code).toBe(1);
  expect(await run(['destroy', '--auto-approve', ...target])).toMatchObject({ code: 0 });
  expect((await networkOf(world.projectId, 'lab')).name).toBe('lab');
});

test('destroy needs neither what data cannot find nor an output', async () => {
  expect(await run(['apply', '--auto-approve', ...target])).toMatchObject({ code: 0 });
  const broken = main(
    `
  core: { kind: network, project: nowhere, name: core }
  lts: { kind: image, match: '^nothing-', newest: true }
  own: { kind: network, project: shop, name: gone }
`,
  ).replace('outputs:', `outputs:\n  odd: { value: '\${[1][size(var.word)]}' }`);
  await write(broken);
  expect((await run(['plan', ...target])).stderr).toContain('[unknown-name]');
  // What a policy goes by has to be there, through a local, too.
  const policy = `locals: { n: '\${data.core.name}' }\npolicies: { all: { for: vms, assert: before.name != local.n } }\n`;
  await write(`${broken}${policy}`);
  const refused = await run(['plan', '--destroy', ...target]);
  expect(refused.stderr).toContain('The account has no project `nowhere`');
  expect(refused.stderr).not.toMatch(/unknown-name|no image|no network/);
  await write(broken);
  const left = ['--target', 'projects.shop.networks.beside', '--target', 'projects.shop.vms.app'];
  expect(await run(['plan', '--destroy', '--out', 'p.hwp', ...left])).toMatchObject({ code: 0 });
  const flags = ['--destroy', ...left];
  expect(await run(['apply', 'p.hwp', ...flags])).toMatchObject({ code: 0 });
  const vms = await world.client.list('vm', { projectId: world.projectId });
  expect(vms.map(({ name }) => name)).not.toContain('app');
});
