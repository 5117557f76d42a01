import { expect, it } from 'vitest';
import type { ValueOrigin } from '../../../../src/model/provenance.ts';
import { formatSourcePlace } from '../../../../src/model/source.ts';
import type { ConfigurationLoadOptions } from '../../../../src/config/load-configuration.ts';
import { loadFiles, publicKey } from '../load.ts';

/** `image = "u" written a.yaml:7:14 ${var.image}`, with what it reads indented below it. */
function draw(origin: ValueOrigin, indent = ''): string[] {
  const { name, kind, value, isSensitive, givenBy, source, written, reads } = origin;
  const shown = isSensitive ? '***' : value === undefined ? '?' : JSON.stringify(value);
  const place = [kind, givenBy, source && formatSourcePlace(source), written].filter(
    (one) => one !== undefined,
  );
  return [
    `${indent}${name} = ${shown}  ${place.join('  ')}`,
    ...reads.flatMap((one) => draw(one, `${indent}  `)),
  ];
}

/** Where an attribute comes from, a line for each value. */
async function trace(
  files: Readonly<Record<string, string>>,
  [address, ...names]: readonly string[],
  options: Partial<ConfigurationLoadOptions> = {},
): Promise<string> {
  const traced = [address ?? ''];
  const { configuration, diagnostics } = await loadFiles(files, { ...options, traced });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const origins = configuration?.origins?.get(address ?? '') ?? [];
  return origins
    .filter(({ name }) => names.includes(name))
    .flatMap((one) => draw(one))
    .join('\n');
}

const main = `version: 1
variables:
  size: { type: string, default: c2 }
  secret: { type: string, default: hidden, sensitive: true }
locals: { tariff: "\${var.size}-monthly" }
defaults: { vms: { image: debian-12 } }
projects:
  shop:
    publicIps: { edge: {} }
    vms:
      web: { count: 2, name: "web-\${each.index}", configuration: "\${var.size}", tariff: "\${local.tariff}" }
      db: { forEach: { a: big }, image: "\${projects.shop.vms.web[0].image}", configuration: "\${each.value}", tariff: "\${projects.shop.publicIps.edge.id == '' ? 't' : 't'}" }
`;
const web = 'projects.shop.vms.web[1]';

it('follows a value through locals and variables to the line that sets it', async () => {
  expect(await trace({ 'a.yaml': main }, [web, 'configuration', 'tariff', 'image', 'power']))
    .toMatchInlineSnapshot(`
    "image = "debian-12"  defaults  a.yaml:6:27
    configuration = "c2"  written  a.yaml:11:66  \${var.size}
      var.size = "c2"  default-value  a.yaml:3:34
    tariff = "c2-monthly"  written  a.yaml:11:89  \${local.tariff}
      local.tariff = "c2-monthly"  written  a.yaml:5:19  \${var.size}-monthly
        var.size = "c2"  default-value  a.yaml:3:34
    power = "running"  default"
  `);
});

it('names the flag, the variable of the environment or the file that gave a value', async () => {
  const address = [web, 'configuration'] as const;
  const given = [{ flag: 'size=c4' }];
  expect(await trace({ 'a.yaml': main }, address, { variables: { given } })).toContain(
    'var.size = "c4"  given  --var size',
  );
  const env = { HOSTWRIGHT_VAR_size: 'c8' };
  expect(await trace({ 'a.yaml': main }, address, { variables: { env } })).toContain(
    'var.size = "c8"  given  HOSTWRIGHT_VAR_size',
  );
});

it('says what repeats an instance, and what another resource gives', async () => {
  expect(await trace({ 'a.yaml': main }, [web, 'name'])).toMatchInlineSnapshot(`
    "name = "web-1"  written  a.yaml:11:30  web-\${each.index}
      each.index = 1  repeated  a.yaml:11:21"
  `);
  expect(await trace({ 'a.yaml': main }, ['projects.shop.vms.db["a"]', 'image', 'configuration']))
    .toMatchInlineSnapshot(`
    "image = "debian-12"  written  a.yaml:12:41  \${projects.shop.vms.web[0].image}
      projects.shop.vms.web[0].image = "debian-12"  written  a.yaml:6:27
    configuration = "big"  written  a.yaml:12:93  \${each.value}
      each.value = "big"  repeated  a.yaml:12:27"
  `);
});

it('follows the variables and outputs of modules in both directions', async () => {
  const files = {
    'main.yaml': `version: 1
variables: { size: { type: string, default: c2 } }
modules:
  eu: { source: ./part, variables: { size: "\${var.size}" } }
projects:
  shop:
    vms: { web: { image: "\${modules.eu.outputs.image}", configuration: c, tariff: t } }
`,
    'part/part.yaml': `version: 1
variables: { size: { type: string }, image: { type: string, default: u } }
outputs: { image: { value: "\${var.image}" } }
projects:
  in: { vms: { web: { image: "\${var.image}", configuration: "\${var.size}", tariff: t } } }
`,
  };
  expect(await trace(files, ['modules.eu.projects.in.vms.web', 'configuration', 'image']))
    .toMatchInlineSnapshot(`
    "image = "u"  written  part/part.yaml:5:30  \${var.image}
      var.image = "u"  default-value  part/part.yaml:2:70
    configuration = "c2"  written  part/part.yaml:5:61  \${var.size}
      var.size = "c2"  written  main.yaml:4:44  \${var.size}
        var.size = "c2"  default-value  main.yaml:2:45"
  `);
  expect(await trace(files, ['projects.shop.vms.web', 'image'])).toMatchInlineSnapshot(`
    "image = "u"  written  main.yaml:7:26  \${modules.eu.outputs.image}
      modules.eu.outputs.image = "u"  written  part/part.yaml:3:28  \${var.image}
        var.image = "u"  default-value  part/part.yaml:2:70"
  `);
});

it('follows `each` of a block around it, and of a module, and variables that one expression gives', async () => {
  const files = {
    'a.yaml': `version: 1
locals: { site: { size: c4 } }
modules:
  m: { source: ./m, forEach: { eu: u1 }, variables: { image: "\${each.value}" } }
  w: { source: ./m, variables: "\${local.site}" }
projects:
  p:
    forEach: { x: { sizes: { s: c1 } } }
    vms:
      a: { image: i, configuration: "\${each.key}", tariff: t }
      b: { forEach: "\${each.value.sizes}", image: i, configuration: "\${each.value}", tariff: t }
`,
    'm/m.yaml': `variables: { image: { default: d }, size: { default: c } }
projects: { q: { name: "\${var.size}", vms: { v: { image: "\${var.image}", configuration: "\${var.size}", tariff: t } } } }
`,
  };
  const traced = (...asked: readonly string[]) => trace(files, asked);
  expect(await traced('projects.p["x"].vms.a', 'configuration')).toMatchInlineSnapshot(`
    "configuration = "x"  written  a.yaml:10:37  \${each.key}
      each.key = "x"  repeated  a.yaml:8:14"
  `);
  expect(await traced('projects.p["x"].vms.b["s"]', 'configuration')).toMatchInlineSnapshot(`
    "configuration = "c1"  written  a.yaml:11:69  \${each.value}
      each.value = "c1"  repeated  a.yaml:11:21  \${each.value.sizes}
        each.value.sizes = {"s":"c1"}  repeated  a.yaml:8:19"
  `);
  expect(await traced('modules.m["eu"].projects.q.vms.v', 'image')).toMatchInlineSnapshot(`
    "image = "u1"  written  m/m.yaml:2:58  \${var.image}
      var.image = "u1"  written  a.yaml:4:62  \${each.value}
        each.value = "u1"  repeated  a.yaml:4:36"
  `);
  expect(await traced('modules.w.projects.q.vms.v', 'configuration', 'image'))
    .toMatchInlineSnapshot(`
      "image = "d"  written  m/m.yaml:2:58  \${var.image}
        var.image = "d"  default-value  m/m.yaml:1:32
      configuration = "c4"  written  m/m.yaml:2:89  \${var.size}
        var.size = "c4"  written  a.yaml:5:32  \${local.site}
          local.site = {"size":"c4"}  written  a.yaml:2:17"
    `);
});

it('shows no sensitive value, nor the text in which it is written', async () => {
  const yaml = main.replace('image: debian-12', 'image: "${var.secret}"');
  const shown = await trace({ 'a.yaml': yaml }, [web, 'image']);
  expect(shown).not.toContain('hidden');
  expect(shown).toMatchInlineSnapshot(`
    "image = ***  defaults  a.yaml:6:27  \${var.secret}
      var.secret = ***  default-value  a.yaml:4:36"
  `);
});

it('names the file that holds a public key, and nothing of what is not configured', async () => {
  const files = {
    'a.yaml': `version: 1\nprojects: { shop: { sshKeys: { alice: { publicKeyFile: alice.pub } } } }\n`,
    'alice.pub': publicKey,
  };
  expect(await trace(files, ['projects.shop.sshKeys.alice', 'publicKey'])).toContain(
    'written  a.yaml:2:',
  );
  expect(await trace(files, ['projects.shop.sshKeys.bob', 'publicKey'])).toBe('');
});

it('names what is there alone, and the files that functions and keys read', async () => {
  const files = {
    'a.yaml': `version: 1
variables:
  on: { default: false }
  names: { default: { a: one } }
  secret: { default: zz, sensitive: true }
locals: { word: "\${file('n.txt').trim()}" }
defaults: { vms: { image: i, configuration: c, tariff: t } }
projects:
  shop:
    sshKeys: { k: { publicKeyFile: k.pub } }
    networks: { lan: {}, opt: { enabled: "\${var.on}" }, many: { count: 2 } }
    vms:
      branch: { name: "\${var.on ? projects.shop.networks.opt.name : projects.shop.networks.lan.name}" }
      maybe: { name: "\${has(var.names.z) ? var.names.z : 'no'}\${projects.shop.networks.many.map(m, m.id).size()}" }
      read: { name: "\${var.on ? file('none.txt') : local.word}-\${templateFile('n.tpl', {'n': 'q'})}" }
      hidden: { name: "\${file(var.secret + '.txt').trim()}" }
`,
    'n.txt': 'hello\n',
    'zz.txt': 'x',
    'n.tpl': 'x-${n}',
    'k.pub': publicKey,
  };
  const told: string[] = [];
  for (const one of ['vms.branch', 'vms.maybe', 'vms.read', 'vms.hidden', 'sshKeys.k'])
    told.push(await trace(files, [`projects.shop.${one}`, 'name', 'publicKey']));
  expect(told.join('\n').replaceAll(publicKey, 'KEY')).toMatchInlineSnapshot(`
    "name = "lan"  written  a.yaml:13:23  \${var.on ? projects.shop.networks.opt.name : projects.shop.networks.lan.name}
      var.on = false  default-value  a.yaml:3:18
      projects.shop.networks.lan.name = "lan"  default
    name = "no2"  written  a.yaml:14:22  \${has(var.names.z) ? var.names.z : 'no'}\${projects.shop.networks.many.map(m, m.id).size()}
      var.names = {"a":"one"}  default-value  a.yaml:4:21
      projects.shop.networks.many = ?  block
    name = "hello-x-q"  written  a.yaml:15:21  \${var.on ? file('none.txt') : local.word}-\${templateFile('n.tpl', {'n': 'q'})}
      var.on = false  default-value  a.yaml:3:18
      local.word = "hello"  written  a.yaml:6:17  \${file('n.txt').trim()}
        file("n.txt") = "hello\\n"  file
      templateFile("n.tpl") = "x-q"  file
    name = ***  written  a.yaml:16:23  \${file(var.secret + '.txt').trim()}
      var.secret = ***  default-value  a.yaml:5:22
    name = "k"  default
    publicKey = "KEY"  written  a.yaml:10:36
      file("k.pub") = "KEY"  file"
  `);
});
