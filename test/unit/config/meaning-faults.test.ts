import { describe, expect, it } from 'vitest';
import { inShop, listFaults, loadText, publicKey, vmFields } from './load.ts';

interface Case {
  readonly name: string;
  readonly text: string;
  readonly faults: readonly string[];
  readonly says?: readonly string[];
}

const web = `web: { ${vmFields} }`;
const webs = (count: number) => `web: { ${vmFields}, count: ${count} }`;
const forwardTo = (vm: string) =>
  `publicIps:\n  edge:\n    forwards:\n      f: { protocol: tcp, publicPort: 1, vm: '${vm}', vmPort: 1 }\nvms:`;

const references: readonly Case[] = [
  {
    name: 'a network that is not there, with the one that was meant',
    text: inShop(`networks: { backend: }\nvms: { web: { ${vmFields}, networks: [backnd] } }`),
    faults: ['a.yaml:5:69 dangling-reference'],
    says: [
      'There is no network `backnd` in projects.shop',
      'projects.shop.networks has `backend`.',
      'Did you mean `backend`?',
    ],
  },
  {
    name: 'an SSH key where there is none at all',
    text: inShop(`vms: { web: { ${vmFields}, sshKeys: [alice] } }`),
    faults: ['a.yaml:4:68 dangling-reference'],
    says: ['There is nothing in projects.shop.sshKeys.', 'Add it to projects.shop.sshKeys'],
  },
  {
    name: 'publicIp: none',
    text: inShop(`vms: { web: { ${vmFields}, publicIp: none } }`),
    faults: ['a.yaml:4:68 dangling-reference'],
    says: ['Leave publicIp out for none.'],
  },
  {
    name: 'a VM with a count by its bare key',
    text: inShop(`${forwardTo('web')} { ${webs(5)} }`),
    faults: ['a.yaml:7:50 dangling-reference'],
    says: ['`count: 5`', '`web[0]`, `web[1]`, `web[2]` … `web[4]`', 'for example `web[0]`'],
  },
  {
    name: 'an instance behind the last',
    text: inShop(`${forwardTo('web[2]')} { ${webs(2)} }`),
    faults: ['a.yaml:7:50 dangling-reference'],
    says: ['there are `web[0]`, `web[1]`.', 'or raise the count'],
  },
  {
    name: 'an instance of none',
    text: inShop(`${forwardTo('web[0]')} { ${webs(0)} }`),
    faults: ['a.yaml:7:50 dangling-reference'],
    says: ['`count: 0`, so there is none', 'Raise its count'],
  },
  {
    name: 'an instance of a single VM',
    text: inShop(`${forwardTo('web[0]')} { ${web} }`),
    faults: ['a.yaml:7:50 dangling-reference'],
    says: ['it is one', 'Write the key alone: `web`.'],
  },
  {
    name: 'an instance by a key',
    text: inShop(`${forwardTo('web["a"]')} { ${webs(1)} }`),
    faults: ['a.yaml:7:50 dangling-reference'],
  },
  {
    name: 'many at one place, once',
    text: inShop(
      "networks: { n0: }\nvms: { web: { image: u, configuration: c, tariff: t, count: 4, networks: ['n${each.index}'] } }",
    ),
    faults: ['a.yaml:5:79 dangling-reference'],
    says: ['`n1`', 'Missing too: `n2`, `n3`.'],
  },
  {
    name: 'nothing about instances of a VM whose count is wrong',
    text: inShop(`${forwardTo('web[7]')} { web: { ${vmFields}, count: many } }`),
    faults: ['a.yaml:8:65 wrong-type'],
  },
  {
    name: 'nothing about a forward that names no VM',
    text: inShop(
      'publicIps: { e: { forwards: { f: { protocol: tcp, publicPort: 1, vmPort: 1 } } } }',
    ),
    faults: ['a.yaml:4:35 missing-key'],
  },
  {
    name: 'nothing when a file is broken that may hold it',
    text: inShop(`vms: { web: { ${vmFields}, networks: [a] } }`) + 'service: "\n',
    faults: ['a.yaml:5:10 broken-yaml'],
  },
];

const uniqueness: readonly Case[] = [
  {
    name: 'two VMs of one name',
    text: inShop(`vms:\n  a: { ${vmFields}, name: web }\n  b: { ${vmFields}, name: web }`),
    faults: ['a.yaml:6:57 duplicate-name'],
    says: ['Two VMs of projects.shop have the name `web`', 'projects.shop.vms.a at a.yaml:5:57'],
  },
  {
    name: 'a name and a default name',
    text: inShop('networks:\n  a: { name: b }\n  b:'),
    faults: ['a.yaml:6:7 duplicate-name'],
    says: ['Two networks of projects.shop'],
  },
  {
    name: 'one name for all instances, once',
    text: inShop(`vms: { web: { ${vmFields}, count: 3, name: web } }`),
    faults: ['a.yaml:4:74 duplicate-name'],
    says: ['Put `${each.index}` into the name'],
  },
  {
    name: 'two projects of one name',
    text: 'version: 1\nprojects:\n  a: { name: x }\n  b: { name: x }\n',
    faults: ['a.yaml:4:14 duplicate-name'],
    says: ['Two projects of the account'],
  },
  {
    name: 'two SSH keys of one name',
    text: inShop(
      `sshKeys:\n  a: { name: x, publicKey: ${publicKey} }\n  b: { name: x, publicKey: ${publicKey} }`,
    ),
    faults: ['a.yaml:6:18 duplicate-name'],
  },
  {
    name: 'one port forwarded twice',
    text: inShop(
      `vms: { ${web} }\npublicIps:\n  edge:\n    forwards:\n      f: { protocol: tcp, publicPort: 1, vm: web, vmPort: 1 }\n      g: { protocol: udp, publicPort: 1, vm: web, vmPort: 1 }\n      h: { protocol: tcp, publicPort: 1, vm: web, vmPort: 2 }`,
    ),
    faults: ['a.yaml:10:43 duplicate-port'],
    says: ['projects.shop.publicIps.edge forwards its tcp port 1 twice', 'a.yaml:8:43'],
  },
  {
    name: 'a public IP for two VMs',
    text: inShop(
      `publicIps: { e: }\nvms:\n  a: { ${vmFields}, publicIp: e }\n  b: { ${vmFields}, publicIp: e }`,
    ),
    faults: ['a.yaml:7:61 public-ip-shared'],
    says: ['Two VMs of projects.shop use the public IP `e`', 'or `new`; port forwards'],
  },
  {
    name: 'a public IP for all instances',
    text: inShop(`publicIps: { e: }\nvms: { web: { ${vmFields}, count: 2, publicIp: e } }`),
    faults: ['a.yaml:5:78 public-ip-shared'],
    says: ['a public IP for each'],
  },
];

const expressions: readonly Case[] = [
  {
    name: 'a variable that is not declared, at its own column',
    text: inShop('name: "shop-${var.env}-x"'),
    faults: ['a.yaml:4:23 unknown-name'],
    says: ['`var` has no `env`', 'Declare it in `variables`.'],
  },
  {
    name: 'two in one text, and one behind an escape',
    text: inShop('name: $${a} ${b} ${c}'),
    faults: ['a.yaml:4:19 unknown-name', 'a.yaml:4:24 unknown-name'],
    says: ['There is no name `b`', 'Put a text in quotes: `"b"`.'],
  },
  {
    name: 'one in a text of several lines',
    text: inShop('name: >\n  shop\n  ${b}'),
    faults: ['a.yaml:6:9 unknown-name'],
  },
  {
    name: 'one in a block whose lines are kept',
    text: inShop('name: |-\n  shop\n   more\n  ${b}'),
    faults: ['a.yaml:7:9 unknown-name'],
  },
  {
    name: 'one in plain text over two lines',
    text: inShop('name: shop\n  more ${b}'),
    faults: ['a.yaml:5:14 unknown-name'],
  },
  {
    name: 'one behind escapes of double quotes',
    text: inShop('name: "\\x24{b}\\n\\u00e9\\U0001F600 ${c}"'),
    faults: ['a.yaml:4:17 unknown-name', 'a.yaml:4:40 unknown-name'],
  },
  {
    name: 'one behind the quotes of single quotes',
    text: inShop("name: 'it''s ${b}'"),
    faults: ['a.yaml:4:20 unknown-name'],
  },
  {
    name: 'one in an alias',
    text: inShop('name: x\nnetworks: { a: { name: &n "${b}" }, c: { name: *n } }'),
    faults: ['a.yaml:5:34 unknown-name', 'a.yaml:5:52 unknown-name'],
  },
  {
    name: 'one with braces and quotes in it',
    text: inShop(`name: |-\n  x \${ {"a": '}\\'}'}["a"] } \${b}`),
    faults: ['a.yaml:5:35 unknown-name'],
  },
  {
    name: 'one that is not closed',
    text: inShop('name: x-${each.index'),
    faults: ['a.yaml:4:13 broken-expression'],
    says: ['not closed', 'Close it with `}`'],
  },
  {
    name: 'one that is not well formed, where it is not',
    text: inShop('name: "${1 + }"'),
    faults: ['a.yaml:4:17 broken-expression'],
    says: ['ends too early'],
  },
  {
    name: 'types that do not fit, in a branch that is not taken too',
    text: inShop('name: \'${true ? "a" : "b" + 1}\''),
    faults: ['a.yaml:4:27 expression-type'],
    says: ['No such operation: string + int'],
  },
  {
    name: 'a function that is misspelt',
    text: inShop('name: \'${formt("a")}\''),
    faults: ['a.yaml:4:14 unknown-function'],
    says: ['Did you mean `format()`?'],
  },
  {
    name: 'the index without a count',
    text: inShop(
      'vms: { web: { image: u, configuration: c, tariff: t, name: "w-${each.index}" } }',
    ),
    faults: ['a.yaml:4:69 each-outside-count'],
    says: ['`each.index` has no meaning here', 'Give the VM a `count`'],
  },
  {
    name: 'the index of a block that is not repeated',
    text: inShop('networks: { a: { name: "${each.index}" } }'),
    faults: ['a.yaml:4:31 each-outside-count'],
    says: ['Give the network a `count` or a `forEach`'],
  },
  {
    name: 'the index as a power',
    text: inShop(
      'vms: { web: { image: u, configuration: c, tariff: t, count: 1, power: "${each.index}" } }',
    ),
    faults: ['a.yaml:4:75 invalid-value'],
    says: ['projects.shop.vms.web.power must be `running` or `stopped`'],
  },
  {
    name: 'the index misspelt',
    text: inShop(
      'vms: { web: { image: u, configuration: c, tariff: t, count: 1, name: "${each.indx}" } }',
    ),
    faults: ['a.yaml:4:77 each-outside-count'],
    says: ['With `count` there is `each.index`.'],
  },
  {
    name: 'keys that are sensitive',
    text: `variables: { keys: { type: list, default: [a], sensitive: true } }\n${inShop(`vms: { web: { ${vmFields}, forEach: "\${var.keys}" } }`)}`,
    faults: ['a.yaml:5:67 sensitive-keys'],
    says: ['Keys become part of addresses'],
  },
  {
    name: 'the index with a forEach',
    text: inShop(
      'vms: { web: { image: u, configuration: c, tariff: t, forEach: [a], name: "${each.index}" } }',
    ),
    faults: ['a.yaml:4:81 each-outside-count'],
    says: ['With `forEach` there are `each.key` and `each.value`.'],
  },
  {
    name: 'expressions where numbers and flags stand',
    text:
      inShop(
        'exclusive: ${a}\nvms:\n  web:\n    image: u\n    configuration: c\n    tariff: t\n    count: ${b}\n    networks: ${c}\n    rebuild: { deleteBackups: "${d}" }\n    timeouts: { create: "${e}" }',
      ) + 'service:\n  baseUrl: ${f}\n  requestsPerSecond: ${g}\n',
    faults: [
      'a.yaml:4:18 unknown-name',
      'a.yaml:10:18 unknown-name',
      'a.yaml:11:21 unknown-name',
      'a.yaml:12:38 unknown-name',
      'a.yaml:13:32 unknown-name',
      'a.yaml:15:14 unknown-name',
      'a.yaml:16:24 unknown-name',
    ],
  },
  {
    name: 'an expression among list items, beside a dangling one',
    text: inShop('vms: { web: { image: u, configuration: c, tariff: t, networks: ["${a}", b] } }'),
    faults: ['a.yaml:4:72 unknown-name', 'a.yaml:4:77 dangling-reference'],
  },
  {
    name: 'values of a wrong type, out of range or not allowed',
    text: inShop(
      'vms: { web: { image: "${1}", configuration: c, tariff: t, count: "${-1}", power: "${string(2)}" } }',
    ),
    faults: ['a.yaml:4:26 wrong-type', 'a.yaml:4:70 out-of-range', 'a.yaml:4:86 invalid-value'],
  },
  {
    name: 'a backup that is made for the rebuild that deletes it',
    text: inShop(
      `vms:\n  web:\n    <<: { ${vmFields} }\n    rebuild: { backupFirst: true, deleteBackups: true }`,
    ),
    faults: ['a.yaml:7:33 conflicting-fields'],
    says: ['`deleteBackups` and `backupFirst` contradict each other'],
  },
];

const service: readonly Case[] = [
  ['ftp://a.example/v1', 'invalid-base-url', 'http or https'],
  ['api.example.com/v1', 'invalid-base-url', 'Write the whole address'],
  ['https://a.example/v1?x=1', 'invalid-base-url', 'Remove everything from the ?'],
  ['"https://a.example/v1#"', 'invalid-base-url', 'from the ? or # on'],
  ['https://a.example', 'base-url-without-version', 'Write https://a.example/v1.'],
  ['https://a.example/api/', 'base-url-without-version', 'Write https://a.example/api/v1.'],
  ['https://a.example/v1/projects', 'base-url-without-version', 'Write https://a.example/v1.'],
  ['https://me:hunter2@a.example/v1', 'credentials-in-url', 'HOSTWRIGHT_TOKEN'],
  ['https://hunter2@a.example/v1', 'credentials-in-url', 'HOSTWRIGHT_TOKEN'],
].map(([url = '', code = '', says = '']) => ({
  name: url,
  text: `version: 1\nservice:\n  baseUrl: ${url}\n`,
  faults: [`a.yaml:3:12 ${code}`],
  says: [says],
}));

const others: readonly Case[] = [
  {
    name: 'a timeout of nothing, and one of more than a week',
    text: inShop(`vms: { web: { ${vmFields}, timeouts: { create: 0s, update: 169h } } }`),
    faults: ['a.yaml:4:78 out-of-range', 'a.yaml:4:90 out-of-range'],
    says: ['The timeout `0s` is out of range', 'at most a week'],
  },
  {
    name: 'a lease that is too short',
    text: 'version: 1\nstate: { lease: 1s }\n',
    faults: ['a.yaml:2:17 out-of-range'],
    says: ['The lease `1s` is out of range', 'at least 2s and at most 1h'],
  },
  {
    name: 'a lease that is too long',
    text: 'version: 1\nstate: { lease: 2h }\n',
    faults: ['a.yaml:2:17 out-of-range'],
  },
  {
    name: 'a lease by an expression: the state is opened before any is evaluated',
    text: 'version: 1\nlocals: { a: 60s }\nstate: { lease: "${local.a}" }\n',
    faults: ['a.yaml:3:17 invalid-duration'],
  },
];

const tables = { references, uniqueness, expressions, service, others };

describe.each(Object.entries(tables))('faults of meaning: %s', (_title, cases) => {
  it.each(cases)('$name', async ({ text, faults, says = [] }) => {
    const result = await loadText(text);
    expect(listFaults(result)).toEqual(faults);
    expect(result.configuration).toBeUndefined();
    const [first] = result.diagnostics;
    const words = [first?.summary, first?.detail, first?.hint].join('\n');
    for (const piece of says) expect(words).toContain(piece);
    for (const { hint, source } of result.diagnostics) {
      expect(hint).toBeTruthy();
      expect(source?.frame).toContain('^');
    }
  });
});

it('never shows the credentials of an address', async () => {
  const result = await loadText(
    'version: 1\nservice:\n  baseUrl: https://me:hunter2@a.example/v1\n',
  );
  expect(JSON.stringify(result)).not.toContain('hunter2');
});

it('names the instance that refers to something missing', async () => {
  const { diagnostics } = await loadText(
    inShop(`vms: { web: { ${vmFields}, count: 2, networks: [a] } }`),
  );
  expect(diagnostics.map(({ address }) => address)).toEqual(['projects.shop.vms.web[0]']);
});
