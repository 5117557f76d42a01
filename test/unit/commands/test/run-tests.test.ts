import { describe, expect, test } from 'vitest';
import type { RunTestsOptions } from '../../../../src/commands/test/run-tests.ts';
import { DiagnosticError } from '../../../../src/model/errors.ts';
import { listTestFailures, type TestResult } from '../../../../src/model/test-result.ts';
import { codesOf, useRoom } from './room.ts';

const shop = `version: 1
service: { baseUrl: https://api.example.com/v1, tls: { caFile: not-there.pem } }
state: { postgres: { name: shop } }
variables:
  servers: { type: number, default: 2 }
  phrase: { type: string, default: hunter2-hunter2, sensitive: true }
projects:
  shop:
    networks: { backend: {} }
    vms:
      web:
        count: \${var.servers}
        image: ubuntu-24.04
        configuration: c2-r4-d40
        tariff: monthly
        networks: [backend]
outputs:
  names: { value: '\${projects.shop.vms.web.map(v, v.name)}' }
  phrase: { value: '\${var.phrase}', sensitive: true }
`;

const { write, run, runSteps, listFiles } = useRoom(shop);

describe('a test', () => {
  test('goes through the life of an account, without a network, an environment or a state', async () => {
    const before = await listFiles();
    const result = await runSteps(`
      - plan: {}
        assert:
          - plan.counts.add == 4 && plan.counts.create == 4 && plan.counts.destroy == 0
          - plan.changes.map(c, c.address)[3] == "projects.shop.vms.web[1]"
          - plan.changes[2].after.name == "web-0" && plan.changes[2].before == null
          - '"id" in plan.changes[2].afterUnknown && plan.changes[2].actions == ["create"]'
          - plan.outputs.names == ["web-0", "web-1"]
          - size(account.resources) == 0
          - plan.quotas.vmCpu.after == 4
          - size(findings) == size(plan.findings)
      - apply: {}
        assert:
          - account.projects.shop.vms.web[0].status == "active"
          - account.projects.shop.vms.web.all(v, v.networks == ["backend"] && v.ram == 4)
          - account.projects.shop.publicIps == {}
          - output.names == ["web-0", "web-1"] && output.phrase == var.phrase
          - size(account.resources) == 4
      - plan: {}
        assert: plan.isEmpty && plan.actions["projects.shop"] == "no-op"
      - edit: { variables: { servers: 0 } }
      - plan: {}
        assert: plan.counts.destroy == 2 && output.names == []
      - edit: { configuration: { projects: { shop: { vms: null } }, outputs: { names: null } } }
      - apply: {}
        assert: plan.counts.delete == 2 && account.projects.shop.vms == {}
      - destroy: {}
        assert: size(account.resources) == 0 && account.projects == {}
`);
    expect(listTestFailures(result)).toEqual([]);
    expect(result).toMatchObject({ status: 'pass', file: 'a.test.yaml', name: 'one' });
    expect(result.virtualMs).toBeGreaterThan(30_000);
    const after = await listFiles();
    expect(after.sort()).toEqual([...before, 'a.test.yaml'].sort());
  });

  test('counts the backups that are due, which change nothing', async () => {
    const result = await runSteps(`
      - edit: { configuration: { defaults: { vms: { backups: { maxAge: 1d } } } } }
      - apply: {}
      - plan: {}
        assert:
          - plan.isEmpty && plan.counts.due == 2 && plan.counts.change == 0
          - plan.actions["projects.shop.vms.web[0]"] == "due"
      - apply: {}
      - plan: {}
        assert: plan.counts.due == 0
`);
    expect(listTestFailures(result)).toEqual([]);
  });

  test('sees what somebody does in the console', async () => {
    const result = await runSteps(
      `
      - apply: {}
      - drift:
          change:
            projects.shop.vms.web[0]: { power: stopped, name: by-hand }
            projects.shop.vms.web[1]: { networks: [], image: debian-13 }
          delete: [projects.old.networks.lan]
        assert:
          - account.projects.shop.vms.web[0].power == "stopped"
          - account.projects.shop.vms.web[0].name == "by-hand"
          - account.projects.old.networks == {}
          - account.projects.shop.vms.web[1].image == "debian-13"
      - plan: {}
        assert:
          - plan.counts.change == 1 && plan.counts.rebuild == 1 && size(plan.changes) == 2
          - plan.drift.exists(d, d.address == "projects.shop.vms.web[0]" && "power" in d.fields)
          - plan.changes[0].fields == ["name", "power"]
      - plan: { refreshOnly: true }
      - apply: {}
      - plan: {}
        assert: { that: plan.isEmpty, message: '\${size(plan.changes)} changes are left' }
`,
      '    account: { projects: { old: { networks: { lan: {} } } } }\n',
    );
    expect(listTestFailures(result)).toEqual([]);
  });

  test('adopts what was there, within the limits of the account', async () => {
    const account =
      '    account: { projects: { shop: { networks: { backend: {} } } }, quotas: { vmCpu: 2 } }\n';
    const result = await runSteps(
      `
      - plan: {}
        expectFailures: [name-taken, quota-exceeded]
        assert: findings.exists(f, f.code == "name-taken" && f.address == "projects.shop")
      - plan: { adopt: true, exclude: ['projects.shop.vms.web[1]'] }
        assert: plan.counts.import == 2 && plan.changes[0].isImported
`,
      account,
    );
    expect(listTestFailures(result)).toEqual([]);
  });

  test('lets time pass', async () => {
    await write(
      'tokens.yaml',
      `version: 1
tokens:
  ci: { scopes: [read], expiresIn: 30d, rotateBefore: 5d, writeTo: { file: out/ci.token } }
`,
    );
    const result = await runSteps(`
      - apply: { target: [tokens.ci] }
        assert: account.tokens.ci.name == "ci"
      - wait: 26d
      - plan: { target: [tokens.ci] }
        assert: plan.changes[0].action == "replace" && plan.changes[0].reason == "rotation-due"
`);
    expect(listTestFailures(result)).toEqual([]);
    expect(await listFiles()).not.toContain('out');
  });

  test('fails with each assertion that is not true, with what was seen, and goes on', async () => {
    const result = await runSteps(`
      - plan: {}
        assert:
          - plan.counts.add == 5
          - { that: plan.isEmpty, message: '\${size(plan.changes)} changes' }
          - var.phrase == "nothing"
          - { that: var.phrase == "nothing", message: 'It is \${var.phrase}' }
          - plan.changes[2].after.id == "x"
          - plan.changes[0].after.nmae == "x"
          - plan.changes[0].fields
      - plan: {}
        assert: size(plan.changes) == 0
`);
    expect(codesOf(result)).toEqual([
      '8:13 assertion-failed',
      '9:21 assertion-failed',
      '10:13 assertion-failed',
      '11:21 assertion-failed',
      '12:13 assertion-broken',
      '13:35 assertion-broken',
      '14:13 assertion-broken',
      '16:17 assertion-failed',
    ]);
    const [counts, said, secret, secretly, unknown, , list] = listTestFailures(result);
    expect(counts?.detail).toBe('  plan.counts.add = 4');
    expect(counts?.source?.frame).toMatch(/> +8 \| +- plan\.counts\.add == 5/);
    expect(said?.summary).toBe('4 changes');
    expect(secret?.detail).toBe('  var.phrase = (sensitive value)');
    expect(secretly?.summary).toBe('(the message depends on a sensitive value)');
    expect(unknown?.detail).toContain('known after apply');
    expect(list?.detail).toContain('neither true nor false');
    expect(JSON.stringify(result)).not.toContain('hunter2-hunter2');
  });

  test('fails with what its steps fail with, and skips those behind', async () => {
    const result = await runSteps(`
      - edit: { variables: { servers: many, unknown: 1 } }
      - plan: {}
        assert: plan.isEmpty
      - apply: {}
`);
    expect(codesOf(result)).toEqual(['6:39 wrong-type', '6:45 undeclared-variable']);
    expect(result.steps.map(({ status, assertions }) => [status, assertions])).toEqual([
      ['pass', 0],
      ['fail', 0],
      ['skip', 0],
    ]);
  });

  test.each(
    // prettier-ignore
    [
      ['a script for probes that nothing has', '{ apply: { ready: { projects.shop.vms.web: never } } }', '6:11 no-probes'],
      ['a failure that does not come', '{ plan: {}, expectFailures: [quota-exceeded] }', '6:38 failure-missing'],
      ['a configuration with a fault', '{ edit: { configuration: { projects: { shop: { vmz: {} } } } } }\n      - plan: {}', '6:56 unknown-key'],
      ['drift of what is not there', "{ drift: { delete: ['projects.shop.vms.web[0]'] } }", '6:29 not-live'],
      ['drift that the service refuses', '{ apply: {} }\n      - drift: { delete: [projects.shop.networks.backend] }', '7:27 drift-failed'],
    ],
  )('fails with %s', async (_, step, expected) => {
    expect(codesOf(await runSteps(`\n      - ${step}\n`))).toEqual([expected]);
  });

  test('fails where its account cannot be made', async () => {
    const account =
      '    account: { projects: { old: { vms: { a: { image: nonsense, configuration: c1-r1-d20, tariff: hourly } } } } }\n';
    const result = await runSteps('\n      - plan: {}\n', account);
    expect(result.status).toBe('fail');
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['unknown-image']);
    expect(result.steps.map(({ status }) => status)).toEqual(['skip']);
  });

  test('ends when it takes too long on this machine', async () => {
    await write('a.test.yaml', 'version: 1\ntests: { one: { steps: [{ apply: {} }] } }');
    const { results, tally } = await run({ timeoutMs: 1 });
    expect(results.flatMap(codesOf)).toEqual(['2:10 test-timeout']);
    expect(tally).toMatchObject({ passed: 0, failed: 1 });
  });

  test('comes to the same for the same seed', async () => {
    const steps =
      '\n      - apply: {}\n        assert: output.names == [] || account.projects.shop.id == ""\n';
    const detailOf = (result: TestResult) => listTestFailures(result)[0]?.detail;
    const [one, two] = [await runSteps(steps), await runSteps(steps)];
    expect(detailOf(one)).toMatch(/prj-\w+/);
    expect(detailOf(two)).toBe(detailOf(one));
    expect(two.virtualMs).toBe(one.virtualMs);
    const { results } = await run({ seed: 2 });
    expect(detailOf(results[0]!)).not.toBe(detailOf(one));
  });
});

describe('a run', () => {
  const passing = (name: string) => `version: 1\ntests: { ${name}: { steps: [{ plan: {} }] } }`;

  test('finds the files beside the configuration and in `tests`, and tells results in their order', async () => {
    await write('b.test.yaml', passing('b'));
    await write(
      'a.test.yml',
      `version: 1\ntests: { slow: { steps: [{ apply: {} }] }, quick: { steps: [{ wait: 1m }] } }`,
    );
    await write('tests/c.test.yaml', passing('c'));
    await write('tests/deeper/d.test.yaml', passing('d'));
    const { results, tally } = await run();
    expect(results.map(({ file, name }) => `${file} ${name}`)).toEqual([
      'a.test.yml slow',
      'a.test.yml quick',
      'b.test.yaml b',
      'tests/c.test.yaml c',
    ]);
    expect(tally).toMatchObject({ passed: 4, failed: 0, filtered: 0 });
  });

  test('runs the tests that are asked for', async () => {
    await write('b.test.yaml', passing('b'));
    await write('c.test.yaml', passing('web'));
    const { results, tally } = await run({ filter: /^we/u });
    expect(results.map(({ name }) => name)).toEqual(['web']);
    expect(tally).toMatchObject({ passed: 1, filtered: 1 });
    const one = await run({ paths: ['b.test.yaml', './b.test.yaml'] });
    expect(one.results.map(({ file }) => file)).toEqual(['b.test.yaml']);
  });

  test('tests a module by itself', async () => {
    await write(
      'modules/m/main.yaml',
      'variables: { name: {} }\nprojects: { a: { name: "${var.name}" } }',
    );
    await write(
      'modules/m/m.test.yaml',
      `version: 1
tests:
  named:
    variables: { name: x }
    steps: [{ plan: {}, assert: 'plan.changes[0].after.name == "x"' }]
`,
    );
    const { results } = await run({ paths: ['modules/m'] });
    expect(results.flatMap(listTestFailures)).toEqual([]);
  });

  test('takes variables of the command line, which tests override', async () => {
    await write(
      'a.test.yaml',
      `version: 1
tests:
  given: { steps: [{ plan: {}, assert: var.servers == 5 }] }
  own: { variables: { servers: 1 }, steps: [{ plan: {}, assert: var.servers == 1 }] }
`,
    );
    const { tally } = await run({}, { variables: [{ flag: 'servers=5' }] });
    expect(tally).toMatchObject({ passed: 2 });
  });

  test('reads env() from the test alone', async () => {
    await write(
      'env.yaml',
      "version: 1\nvariables: { REGION: { default: '' } }\nlocals: { region: '${env(\"REGION\")}' }\noutputs: { region: { value: '${local.region}' } }",
    );
    await write(
      'a.test.yaml',
      `version: 1
environment: { REGION: eu }
tests: { region: { steps: [{ plan: {}, assert: 'output.region == "eu"' }] } }
`,
    );
    expect((await run()).tally).toMatchObject({ passed: 1 });
  });

  const refused = async (options: Partial<RunTestsOptions>) => {
    const error: unknown = await run(options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DiagnosticError);
    return (error as DiagnosticError).diagnostics.map(({ code, summary }) => `${code}: ${summary}`);
  };

  test('refuses what is no test, and what has none', async () => {
    expect(await refused({})).toEqual(['no-tests: There are no tests in .']);
    expect(await refused({ paths: ['gone', 'main.yaml'] })).toEqual([
      'file-unreadable: There is no gone',
      'not-a-test: main.yaml is not a file with tests',
    ]);
    await write('b.test.yaml', passing('b'));
    expect(await refused({ filter: /web/u })).toEqual(['no-tests: No name of a test matches web']);
  });

  test('tells the faults of all files before it runs anything', async () => {
    await write('a.test.yaml', 'version: 1');
    await write('b.test.yaml', 'version: 2\ntests: []');
    await write('c.test.yaml', passing('c'));
    const faults = await refused({});
    expect(faults).toHaveLength(3);
    expect(faults[0]).toBe('missing-key: The file has no `tests`');
  });
});
