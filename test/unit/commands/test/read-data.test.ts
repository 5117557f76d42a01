// `data` in a test: what it reads is what the account of the test began with, and what was done to that since.
import { describe, expect, test } from 'vitest';
import { listTestFailures } from '../../../../src/model/test-result.ts';
import { codesOf, useRoom } from './room.ts';

const main = `version: 1
service: { baseUrl: https://api.example.com/v1 }
variables:
  phrase: { type: string, default: hunter2-hunter2, sensitive: true }
data:
  core: { kind: network, project: shared, name: core }
  lts: { kind: image, match: '^ubuntu-', newest: true }
  lab: { kind: network, project: shop, name: lab }
  door: { kind: publicIp, project: shop, match: '.', newest: true }
projects:
  shop:
    ignoreUnmanaged: ['*']
    networks:
      beside: { name: 'beside-\${data.core.name}' }
    vms:
      app:
        image: \${data.lts.id}
        configuration: c1-r1-d20
        tariff: monthly
        networks: ['\${data.lab.id}']
        publicIp: \${data.door.id}
outputs:
  range: { value: '\${data.core.cidr}' }
  image: { value: '\${data.lts.name}' }
  both: { value: '\${var.phrase}-\${data.core.name}', sensitive: true }
policies:
  knownRange: { for: networks, assert: "data.core.cidr != ''", message: 'no range' }
`;

const account = `    account:
      projects:
        shared: { networks: { core: {} } }
        shop: { networks: { lab: {} }, publicIps: { door: {} } }
`;

const { write, run, runSteps } = useRoom(main);

describe('what a configuration reads of the account of a test', () => {
  test('is known to its plans and its outputs', async () => {
    const result = await runSteps(
      `
      - plan: { adopt: true }
        assert:
          - plan.counts.import == 1 && plan.counts.create == 2
          - plan.changes.exists(c, c.kind == "vm" && c.after.image == "ubuntu-24.04")
          - output.image == "ubuntu-24.04"
          - output.range == account.projects.shared.networks.core.cidr
          - output.range.endsWith("/16")
          - plan.actions["projects.shop.networks.beside"] == "create"
      - apply: { adopt: true }
        assert:
          - account.projects.shop.networks.beside.name == "beside-core"
          - account.projects.shop.vms.app.networks == ["lab"]
          - account.projects.shop.vms.app.publicIp == "door"
          - account.projects.shop.vms.app.image == "ubuntu-24.04"
          - output.both == var.phrase + "-core"
      - plan: {}
        assert: plan.isEmpty
      - drift: { change: { projects.shared.networks.core: { name: other } } }
      - plan: {}
        expectFailures: [data-not-found]
      - edit: { configuration: { data: { core: { name: other } } } }
      - apply: {}
        assert: account.projects.shop.networks.beside.name == "beside-other"
      - destroy: { target: [projects.shop.vms.app] }
        assert:
          - account.projects.shared.networks.core.name == "other"
          - account.resources.filter(r, r.kind == "vm") == []
`,
      account,
    );
    expect(listTestFailures(result)).toEqual([]);
    expect(result.status).toBe('pass');
    expect(JSON.stringify(result)).not.toContain('hunter2-hunter2');
  });

  test('is not there where the account is empty, which every entry tells', async () => {
    const expected = `
      - plan: {}
        expectFailures: [data-not-found]
        assert: size(findings.filter(f, f.code == "data-not-found")) == 3
`;
    expect(listTestFailures(await runSteps(expected))).toEqual([]);
    const result = await runSteps('\n      - plan: {}\n');
    expect(codesOf(result)).toEqual([
      '6:35 data-not-found',
      '8:34 data-not-found',
      '9:36 data-not-found',
    ]);
    expect(result.steps[0]?.diagnostics[0]?.source?.file).toBe('main.yaml');
  });

  test('is told where it is not one thing, or lies elsewhere', async () => {
    await write(
      'main.yaml',
      `version: 1
data:
  one: { kind: network, project: shared, match: '^n' }
  far: { kind: network, project: shared, name: n1 }
projects:
  shop:
    vms:
      app: { image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: ['\${data.far.id}'] }
`,
    );
    const two = '    account: { projects: { shared: { networks: { n1: {}, n2: {} } } } }\n';
    expect(codesOf(await runSteps('\n      - plan: {}\n', two))).toEqual([
      '3:49 data-ambiguous',
      '8:86 data-elsewhere',
    ]);
  });

  test('is read by modules, and with values of files', async () => {
    await write('hostwright.vars.yaml', 'wanted: core\n');
    await write(
      'modules/m/main.yaml',
      `variables: { wanted: {} }
data: { net: { kind: network, project: shared, name: '\${var.wanted}' } }
projects: { main: { networks: { own: { name: 'like-\${data.net.name}' } } } }
outputs: { range: { value: '\${data.net.cidr}' } }
`,
    );
    await write(
      'main.yaml',
      `version: 1
variables: { wanted: {} }
modules: { m: { source: ./modules/m, variables: { wanted: '\${var.wanted}' } } }
outputs: { range: { value: '\${modules.m.outputs.range}' } }
`,
    );
    const result = await runSteps(
      `
      - apply: {}
        assert:
          - account.modules.m.projects.main.networks.own.name == "like-core"
          - output.range == account.projects.shared.networks.core.cidr
`,
      '    account: { projects: { shared: { networks: { core: {} } } } }\n',
    );
    expect(listTestFailures(result)).toEqual([]);
  });

  test('is needed by no destroy that only outputs give it to, as on the command line', async () => {
    await write(
      'main.yaml',
      `version: 1
variables: { phrase: { type: string, default: hunter2, sensitive: true } }
data: { core: { kind: network, project: shared, name: core } }
projects: { shop: { networks: { own: {}, other: {} } } }
outputs:
  range: { value: '\${data.core.cidr}' }
  both: { value: '\${var.phrase}', sensitive: true }
`,
    );
    const result = await runSteps(
      `
      - apply: {}
      - drift: { delete: [projects.shared.networks.core] }
      - plan: { destroy: true }
        assert: plan.counts.destroy == 3
      - plan: {}
        expectFailures: [data-not-found]
      - destroy: { target: [projects.shop.networks.own] }
        assert: output.both == var.phrase && output.range != ""
      - destroy: {}
        assert: account.resources.filter(r, r.kind == "network") == []
`,
      '    account: { projects: { shared: { networks: { core: {} } } } }\n',
    );
    expect(listTestFailures(result)).toEqual([]);
  });

  test('belongs to its test alone', async () => {
    const one = (name: string, network: string) => `  ${name}:
    account: { projects: { shared: { networks: { core: { name: ${network} } } } } }
    steps:
`;
    await write(
      'main.yaml',
      `version: 1
data: { core: { kind: network, project: shared, match: '.' } }
outputs: { name: { value: '\${data.core.name}' } }
`,
    );
    await write(
      'a.test.yaml',
      `version: 1
tests:
${one('here', 'a')}      - { plan: {}, assert: output.name == "a" }
${one('there', 'b')}      - { plan: {}, assert: output.name == "b" }
`,
    );
    const { results } = await run();
    expect(results.flatMap(listTestFailures)).toEqual([]);
  });
});
