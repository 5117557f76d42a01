import { describe, expect, it } from 'vitest';
import { inShop, listFaults, loadText, vmFields } from './load.ts';

interface Case {
  readonly name: string;
  readonly text: string;
  /** Every fault, by position. */
  readonly faults: readonly string[];
  /** Pieces of the first one's words. */
  readonly says?: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: 'an unknown key, with the one that was meant and no report of it as missing',
    text: inShop('vms:\n  web: { imge: u, configuration: c, tariff: t }'),
    faults: ['a.yaml:5:14 unknown-key'],
    says: [
      'projects.shop.vms.web has no key `imge`',
      'Valid keys: `enabled`, `count`',
      'Did you mean `image`?',
    ],
  },
  {
    name: 'an unknown key that is like none',
    text: 'version: 1\nwhatever: 1\n',
    faults: ['a.yaml:2:1 unknown-key'],
    says: ['the configuration has no key `whatever`', 'check the indentation'],
  },
  {
    name: 'a token',
    text: 'version: 1\nservice:\n  token: abc-def\n',
    faults: ['a.yaml:3:3 token-in-configuration'],
    says: ['`token` is not allowed', 'HOSTWRIGHT_TOKEN'],
  },
  {
    name: 'a token as a local value',
    text: 'version: 1\nlocals:\n  apiToken: abc\n  deep: { access_token: abc }\n',
    faults: ['a.yaml:3:3 token-in-configuration', 'a.yaml:4:11 token-in-configuration'],
  },
  {
    name: 'a number where text belongs',
    text: inShop('name: 0123'),
    faults: ['a.yaml:4:11 wrong-type'],
    says: ['projects.shop.name must be text', 'Got the number 123', "in quotes: '0123'"],
  },
  {
    name: 'a text where a list belongs',
    text: inShop(`networks: { a: }\nvms: { web: { ${vmFields}, networks: a } }`),
    faults: ['a.yaml:5:68 wrong-type'],
    says: ['must be a list', 'Got text', 'Write a list: [a].'],
  },
  {
    name: 'a list that names something twice, and holds what looks like an object of the program',
    text: inShop(
      `vms: { web: { ${vmFields}, networks: [a, a], sshKeys: [{ valueOf: 1 }, { valueOf: 1 }] } }`,
    ),
    faults: [
      ...['a.yaml:4:72 duplicate-item', 'a.yaml:4:69 dangling-reference'],
      ...['a.yaml:4:72 dangling-reference', 'a.yaml:4:86 wrong-type', 'a.yaml:4:102 wrong-type'],
    ],
  },
  {
    name: 'a list where a map belongs',
    text: 'version: 1\nprojects:\n  - shop\n',
    faults: ['a.yaml:3:3 wrong-type'],
    says: ['projects must be a map', 'Got a list', 'without the dashes'],
  },
  {
    name: 'a map where text belongs',
    text: inShop('name: { a: b }'),
    faults: ['a.yaml:4:11 wrong-type'],
    says: ['must be text', 'Got a map', 'Give text here.'],
  },
  {
    name: 'a list with nothing in it, where something has to be',
    text: 'version: 1\ntokens: { t: { scopes: [], writeTo: { file: a } } }\n',
    faults: ['a.yaml:2:24 wrong-type'],
    says: ['tokens.t.scopes is empty', 'Add an item.'],
  },
  {
    name: 'a map with nothing in it, where something has to be',
    text: 'version: 1\ntokens: { t: { scopes: [read], writeTo: {} } }\n',
    faults: ['a.yaml:2:41 wrong-type'],
    says: ['tokens.t.writeTo is empty', 'Add at least one of `file`, `command`.'],
  },
  {
    name: 'two keys, of which only one may stand',
    text: 'version: 1\ntokens: { t: { scopes: [read], writeTo: { command: b, file: a } } }\n',
    faults: ['a.yaml:2:55 exclusive-keys'],
    says: [
      'tokens.t.writeTo has `file`, `command`, which exclude each other',
      'Remove one of them.',
    ],
  },
  {
    name: 'two keys of such a map, one of them unknown',
    text: 'version: 1\ntokens: { t: { scopes: [read], writeTo: { xyz: b, file: a } } }\n',
    faults: ['a.yaml:2:43 unknown-key'],
  },
  {
    name: 'yes for true',
    text: inShop('exclusive: yes'),
    faults: ['a.yaml:4:16 wrong-type'],
    says: ['must be true or false', 'small letters and without quotes'],
  },
  {
    name: 'true where text belongs',
    text: inShop('name: true'),
    faults: ['a.yaml:4:11 wrong-type'],
    says: ['Got true', "'true'"],
  },
  {
    name: 'a number in quotes',
    text: inShop(`vms: { web: { ${vmFields}, count: "2" } }`),
    faults: ['a.yaml:4:65 wrong-type'],
    says: ['count must be a whole number', 'without quotes'],
  },
  {
    name: 'a version in quotes',
    text: "version: '1'\n",
    faults: ['a.yaml:1:10 wrong-type'],
    says: ['version must be `1`', 'It is in quotes', 'Remove the quotes.'],
  },
  {
    name: 'another version',
    text: 'version: 2\n',
    faults: ['a.yaml:1:10 invalid-value'],
    says: ['version must be `1`', 'Got `2`'],
  },
  {
    name: 'a list for the version',
    text: 'version: [1]\n',
    faults: ['a.yaml:1:10 wrong-type'],
    says: ['version must be `1`'],
  },
  {
    name: 'a fraction for a count',
    text: inShop(`vms: { web: { ${vmFields}, count: 1.5 } }`),
    faults: ['a.yaml:4:65 wrong-type'],
    says: ['count must be a whole number', 'Got the number 1.5', 'Give a whole number here.'],
  },
  {
    name: 'a count below zero',
    text: inShop(`vms: { web: { ${vmFields}, count: -1 } }`),
    faults: ['a.yaml:4:65 out-of-range'],
    says: ['count is the number -1', 'Allowed is 0 to 100000.'],
  },
  {
    name: 'a count too high',
    text: inShop(`vms: { web: { ${vmFields}, count: 100001 } }`),
    faults: ['a.yaml:4:65 out-of-range'],
  },
  {
    name: 'an infinite count',
    text: inShop(`vms: { web: { ${vmFields}, count: .inf } }`),
    faults: ['a.yaml:4:65 wrong-type'],
  },
  {
    name: 'a speed of zero',
    text: 'version: 1\nservice: { sandbox: { speed: 0 } }\n',
    faults: ['a.yaml:2:30 out-of-range'],
    says: ['Allowed is more than 0 to 1000000.'],
  },
  {
    name: 'a guard below zero: a range without an upper end',
    text: 'version: 1\nguards: { minResources: -1 }\n',
    faults: ['a.yaml:2:25 out-of-range'],
  },
  {
    name: 'sandbox: false',
    text: 'version: 1\nservice: { sandbox: false }\n',
    faults: ['a.yaml:2:21 wrong-type'],
    says: ['service.sandbox must be `true` or a map', 'Got false'],
  },
  {
    name: 'a missing key, at the key of what misses it',
    text: inShop('vms:\n  web: { image: u, configuration: c }'),
    faults: ['a.yaml:5:7 missing-key'],
    says: ['projects.shop.vms.web has no `tariff`', 'tariff: monthly'],
  },
  {
    name: 'a VM with nothing in it',
    text: inShop('vms:\n  web:'),
    faults: Array.from({ length: 3 }, () => 'a.yaml:5:7 missing-key'),
    says: ['projects.shop.vms.web has no `image`'],
  },
  {
    name: 'a value that is not allowed',
    text: inShop(`vms: { web: { ${vmFields}, power: runing } }`),
    faults: ['a.yaml:4:65 invalid-value'],
    says: ['power must be `running` or `stopped`', 'Got `runing`', 'Did you mean `running`?'],
  },
  {
    name: 'a value that is like none of those allowed',
    text: inShop(`vms: { web: { ${vmFields}, power: ja } }`),
    faults: ['a.yaml:4:65 invalid-value'],
    says: ['Write `running` or `stopped`.'],
  },
  {
    name: 'a number where one of some texts belongs',
    text: inShop(`vms: { web: { ${vmFields}, power: 1 } }`),
    faults: ['a.yaml:4:65 invalid-value'],
  },
  {
    name: 'nothing where one of some texts belongs',
    text: inShop(`vms: { web: { ${vmFields}, power: } }`),
    faults: ['a.yaml:4:58 wrong-type'],
  },
  {
    name: 'a blank name',
    text: inShop("name: '  '"),
    faults: ['a.yaml:4:11 blank-text'],
    says: ['projects.shop.name is blank'],
  },
  {
    name: 'a name without a value',
    text: inShop('name:'),
    faults: ['a.yaml:4:5 wrong-type'],
    says: ['It is empty.', 'Give text, or remove the key.'],
  },
  {
    name: 'a key that cannot be part of an address',
    text: inShop('networks:\n  back end: {}\n  1: {}'),
    faults: ['a.yaml:5:7 invalid-key', 'a.yaml:6:7 invalid-key'],
    says: ['`back end` cannot be a key of projects.shop.networks', 'letters, digits'],
  },
  {
    name: 'a public IP with a reserved key',
    text: inShop('publicIps: { new: {} }'),
    faults: ['a.yaml:4:18 invalid-key'],
    says: ["a meaning of their own at a VM's publicIp"],
  },
  {
    name: 'an SSH key with both ways to give it',
    text: inShop('sshKeys:\n  a:\n    publicKeyFile: /nowhere\n    publicKey: x'),
    faults: ['a.yaml:7:9 exclusive-keys', 'a.yaml:7:20 invalid-public-key'],
    says: ['has `publicKey`, `publicKeyFile`, which exclude each other'],
  },
  {
    name: 'an SSH key with neither',
    text: inShop('sshKeys:\n  a: {}'),
    faults: ['a.yaml:5:7 missing-key'],
    says: ['projects.shop.sshKeys.a needs one of `publicKey`, `publicKeyFile`'],
  },
  {
    name: 'an SSH key with a misspelt way',
    text: inShop('sshKeys:\n  a: { publicKeyFle: x }'),
    faults: ['a.yaml:5:12 unknown-key'],
  },
  {
    name: 'an SSH key that is text',
    text: inShop('sshKeys:\n  a: text'),
    faults: ['a.yaml:5:10 wrong-type'],
  },
  {
    name: 'both count and forEach',
    text: inShop(`vms: { web: { ${vmFields}, count: 1, forEach: [a] } }`),
    faults: ['a.yaml:4:68 exclusive-keys'],
  },
  {
    name: 'both an address and the sandbox',
    text: 'version: 1\nservice:\n  sandbox: true\n  baseUrl: https://a.example/v1\n',
    faults: ['a.yaml:4:3 exclusive-keys'],
    says: ['service has `baseUrl`, `sandbox`, which exclude each other'],
  },
  {
    name: 'one item twice',
    text: inShop(`networks: { a: }\nvms: { web: { ${vmFields}, networks: [a, a] } }`),
    faults: ['a.yaml:5:72 duplicate-item'],
    says: ['names `a` twice'],
  },
  {
    name: 'a duration without a unit',
    text: inShop(
      `vms: { web: { ${vmFields}, timeouts: { create: 20, update: 5 min, delete: '' } } }`,
    ),
    faults: [
      'a.yaml:4:78 invalid-duration',
      'a.yaml:4:90 invalid-duration',
      'a.yaml:4:105 blank-text',
    ],
    says: ['timeouts.create is not a duration', '90s, 20m or 1h30m'],
  },
  {
    name: 'an id where a key belongs',
    text: inShop(`vms: { web: { ${vmFields}, publicIp: '123' } }`),
    faults: ['a.yaml:4:68 invalid-reference'],
    says: ['publicIp is not the key of a resource'],
  },
  {
    name: 'a port out of range, and one that is text',
    text: inShop(
      `vms: { web: { ${vmFields} } }\npublicIps: { e: { forwards: { f: { protocol: tcp, publicPort: 0, vm: web, vmPort: x } } } }`,
    ),
    faults: ['a.yaml:5:67 out-of-range', 'a.yaml:5:87 wrong-type'],
    says: ['Allowed is 1 to 65535.'],
  },
  {
    name: 'a protocol that is none',
    text: inShop(
      `vms: { web: { ${vmFields} } }\npublicIps: { e: { forwards: { f: { protocol: icmp, publicPort: 1, vm: web, vmPort: 1 } } } }`,
    ),
    faults: ['a.yaml:5:50 invalid-value'],
    says: ['protocol must be `tcp` or `udp`'],
  },
  { name: 'a file that is a list', text: '- a\n- b\n', faults: ['a.yaml:1:1 wrong-type'] },
  {
    name: 'several faults in one VM, each once',
    text: inShop(
      "vms:\n  web:\n    count: '2'\n    imag: u\n    configuration: 5\n    networks: [a, 7]\n    name: web",
    ),
    faults: [
      'a.yaml:5:7 missing-key',
      'a.yaml:6:16 wrong-type',
      'a.yaml:7:9 unknown-key',
      'a.yaml:8:24 wrong-type',
      'a.yaml:9:20 dangling-reference',
      'a.yaml:9:23 wrong-type',
    ],
  },
];

describe('faults of shape', () => {
  it.each(cases)('$name', async ({ text, faults, says = [] }) => {
    const result = await loadText(text);
    expect(listFaults(result).sort()).toEqual([...faults].sort());
    expect(result.configuration).toBeUndefined();
    const [first] = result.diagnostics;
    const words = [first?.summary, first?.detail, first?.hint].join('\n');
    for (const piece of says) expect(words).toContain(piece);
    for (const { summary, hint, source } of result.diagnostics) {
      expect(summary).not.toMatch(/\.$|\n/);
      expect(hint).toBeTruthy();
      expect(source?.frame).toContain('^');
    }
  });

  it('gives the address of the resource that a fault is in', async () => {
    const { diagnostics } = await loadText(
      inShop(`vms: { web: { ${vmFields}, timeouts: { create: x } } }`),
    );
    expect(diagnostics[0]?.address).toBe('projects.shop.vms.web');
  });
});
