import { describe, expect, it } from 'vitest';
import { inShop, listFaults, loadFiles, loadText, vmFields } from './load.ts';
import { readRows } from '../../support/read-rows.ts';

const areOptional = { variables: { areOptional: true } };

/** Variables of every type that nothing sets. */
const variables = `variables:
  text: { type: string }
  number: { type: number }
  flag: { type: boolean }
  list: { type: list }
  map: { type: map }
  secret: { type: string, sensitive: true }
  region: { type: string, allowed: [eu, us] }
`;

/** Every place of a configuration where a variable may stand. */
const everywhere = {
  'a.yaml': `version: 1
${variables}
service: { baseUrl: "\${var.text}", requestsPerSecond: "\${var.number}" }
locals:
  prefix: "shop-\${var.region}"
  sizes: "\${var.map}"
  first: "\${var.list[0]}"
  ofEnvironment: "\${env('text')}"
  file: "\${file(var.text)}"
defaults: { vms: { tariff: "\${var.text}" } }
projects:
  shop:
    name: "\${local.prefix}"
    exclusive: "\${var.flag}"
    sshKeys: { alice: { publicKey: "\${var.text}" }, bob: { publicKeyFile: "\${var.text}" } }
    networks: { lan: { name: "\${local.prefix}-lan" } }
    publicIps:
      edge:
        forwards:
          https: { protocol: "\${var.text}", publicPort: "\${var.number}", vm: "web[0]", vmPort: "\${var.number + 1}" }
    vms:
      web:
        count: "\${var.number}"
        name: "web-\${each.index}-\${var.text}"
        image: "\${local.first}"
        configuration: "\${var.flag ? 'a' : local.sizes['b']}"
        sshKeys: "\${var.list}"
        networks: ["\${var.text}", lan]
        publicIp: "\${var.text}"
        plugins: ["\${var.text}"]
        power: "\${var.flag ? 'running' : 'stopped'}"
        rebuild: { deleteBackups: "\${var.flag}" }
        lifecycle: { preventDestroy: "\${var.flag}", ignoreChanges: "\${var.list}", replaceTriggeredBy: "\${var.list}" }
        timeouts: { create: "\${var.text}" }
      each:
        forEach: "\${var.list}"
        name: "\${each.key}-\${each.value}"
        image: "\${local.ofEnvironment}"
        configuration: c
      keyed:
        forEach: { a: "\${var.text}" }
        name: "\${each.value}"
        image: "\${local.file}"
        configuration: "\${projects.shop.vms.web[0].configuration}"
        lifecycle: { replaceTriggeredBy: ["projects.shop.vms.web[1]", 'projects.shop.vms.each["x"]'] }
tokens:
  ci: { scopes: ["\${var.text}"], expiresIn: "\${var.text}", rotateBefore: 1d, writeTo: { file: "\${var.text}" } }
  cd: { count: "\${var.number}", name: "\${var.text}-\${each.index}", scopes: "\${var.list}", writeTo: { file: "x-\${each.index}" } }
modules:
  eu: { source: ./part, variables: { text: "\${var.text}", plain: x } }
  many: { source: ./part, count: "\${var.number}", variables: { text: "\${each.index}", plain: "\${var.text}" } }
outputs:
  all: { value: "\${var.map}" }
  size: { value: "\${size(projects.shop.vms.web)}" }
  read: { value: "\${file(var.text)}-\${projects.shop.vms.keyed['a'].id}" }
  modules: { value: "\${modules.many[0].outputs.ip}" }
  hidden: { value: "\${var.secret}", sensitive: true }
imports:
  - { to: "projects.shop.vms.web[0]", name: "\${var.text}" }
  - { to: "modules.many[1].projects.q", id: x }
moved: [{ from: projects.shop.vms.old, to: "projects.shop.vms.web[0]" }]
removed: [{ from: "projects.shop.vms.\${var.text}" }]
guards: { maxDeletes: "\${var.text}", minResources: "\${var.number}" }
policies: { small: { for: vms, assert: "after.ram <= var.number", message: "no more than \${var.number}" } }
checks: { some: { assert: "size(projects.shop.vms.web) == var.number && modules.many[0].outputs.ip != ''" } }
account: { locale: "\${var.text}" }
`,
  'part/part.yaml': `variables: { text: { type: string }, plain: { type: string } }
projects: { q: { name: "q-\${var.text}", publicIps: { out: } } }
outputs: { ip: { value: "\${projects.q.publicIps.out.address}-\${var.text}" } }
`,
};

describe('a configuration without values for its variables', () => {
  it('has no fault, wherever they are read', async () => {
    const result = await loadFiles(everywhere, areOptional);
    expect(result.diagnostics).toEqual([]);
    expect(result.configuration).toBeDefined();
  });

  it('lacks them when a plan is to be made', async () => {
    const codes = (await loadFiles(everywhere)).diagnostics.map(({ code }) => code);
    expect(codes.filter((code) => code === 'missing-variable')).toHaveLength(7);
  });

  it.each(
    readRows(`
    a type that does not fit | name: "\${var.text + 1}" | 15:14 expression-type
    a name that is not there | name: "\${var.txt}" | 15:18 unknown-name
    a reference into what is repeated nobody knows how often | vms: { web: { ${vmFields}, count: "\${var.number}", networks: [lan] } } | 15:93 dangling-reference
    another field of what is repeated | vms: { web: { ${vmFields}, forEach: "\${var.list}", power: on } } | 15:89 invalid-value
    a value of a wrong type beside one that is not known | vms: { web: { ${vmFields}, name: "\${var.text}", plugins: [1, "\${var.text}"] } } | 15:89 wrong-type
    a name that is taken twice | networks: { a: { name: x }, b: { name: x }, c: { name: "\${var.text}" } } | 15:44 duplicate-name
  `),
  )('has every other fault: %s', async (_what, body, fault) => {
    const text = inShop(body).replace('version: 1\n', `version: 1\n${variables}\n\n\n`);
    expect(listFaults(await loadText(text, areOptional))).toEqual([`a.yaml:${fault}`]);
  });

  it('has the faults within a module that is used nobody knows how often', async () => {
    const files = {
      'a.yaml': `version: 1\n${variables}modules: { m: { source: ./m, count: "\${var.number}" } }\n`,
      'm/m.yaml': 'projects: { p: { networks: { n: { name: "${local.x}" } } } }\n',
    };
    expect(listFaults(await loadFiles(files, areOptional))).toEqual(['m/m.yaml:1:50 unknown-name']);
  });

  it.each([
    ['a value of a wrong type', 'number=many'],
    ['a value that is not allowed', 'region=mars'],
    ['a variable that is not declared', 'zone=a'],
  ])('has the fault of what is given: %s', async (_what, flag) => {
    const text = `version: 1\n${variables}projects: { p: }\n`;
    const given = { variables: { areOptional: true, given: [{ flag }] } };
    expect((await loadText(text, given)).diagnostics).toHaveLength(1);
  });

  it('has those of a module that is not given what it asks for', async () => {
    const files = {
      'a.yaml': 'version: 1\nmodules: { m: { source: ./m } }\n',
      'm/m.yaml': `variables: { key: { type: string } }\nprojects: { p: { sshKeys: { k: { publicKey: "\${var.key}" } } } }\n`,
    };
    expect(listFaults(await loadFiles(files, areOptional))).toEqual([
      'a.yaml:2:12 missing-variable',
    ]);
  });
});
