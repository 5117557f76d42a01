// The configurations that a mistake is put into: each is accepted as it is.
import { inShop, publicKey } from '../load.ts';

/** The files of a configuration; `a.yaml` holds the mistake. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

const indent = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : ' '.repeat(width) + line))
    .join('\n');

/** Without the lines whose key the mistake has itself. */
const withoutKeys = (lines: readonly string[], mistake: string): readonly string[] =>
  lines.filter((line) => !new RegExp(`^${line.split(':')[0] ?? ''}:`, 'm').test(mistake));

const top = `version: 1
service: { sandbox: true }
variables:
  name: { default: shop }
  n: { type: number, default: 2 }
  my-name: { default: me }
  on: { type: bool, default: true }
  power: { default: running }
  wait: { default: 20m }
  names: { type: list(string), default: [back] }
  sizes: { type: map(number), default: { a: 1, b: 2 } }
locals:
  net: back
  data: { a: 1 }
`;

const project = `projects:
  shop:
    networks: { back: {}, front: { name: shop-front } }
    sshKeys: { alice: { publicKey: ${publicKey} } }
    publicIps: { edge: {}, more: {} }
    vms:
      one: { image: u, configuration: c, tariff: t }
      many: { image: u, configuration: c, tariff: t, count: 2 }
      some: { image: u, configuration: c, tariff: t, forEach: [a, b] }
`;

const whole = top + project;

const vmLines = ['image: u', 'configuration: c', 'tariff: t'];
const forwardLines = ['protocol: tcp', 'publicPort: 443', 'vm: one', 'vmPort: 8443'];

/** Each puts a mistake into its place. */
export const frames = {
  /** The whole file, but for its last line end. */
  file: (mistake: string) => (mistake === '' ? '' : `${mistake}\n`),
  /** Below the version: the rest of the file. */
  version: (mistake: string) => `version: 1\n${mistake}\n`,
  /** In a project, the only one and with nothing else in it. */
  shop: inShop,
  /** At the top of a configuration, which has everything else. */
  top: (mistake: string) => `${whole}${mistake}\n`,
  /** In the block of a project. */
  project: (mistake: string) => `${whole}  other:\n${indent(mistake, 4)}\n`,
  /** Among the fields of a VM of the same project. */
  vm: (mistake: string) =>
    `${whole}      web:\n${indent([...withoutKeys(vmLines, mistake), mistake].join('\n'), 8)}\n`,
  /** Among the fields of a port forward. */
  forward: (mistake: string) =>
    `${whole}      web: { image: u, configuration: c, tariff: t }\n    # below\n`.replace(
      'publicIps: { edge: {}, more: {} }',
      `publicIps:\n      edge: {}\n      more:\n        forwards:\n          https:\n${indent([...withoutKeys(forwardLines, mistake), mistake].join('\n'), 12)}`,
    ),
  /** The value of a local, in its quotes if it needs some. */
  local: (mistake: string) => whole.replace('  net: back\n', `  net: back\n  it: ${mistake}\n`),
  /** An expression, without its `${…}`. */
  expression: (mistake: string) =>
    whole.replace('  net: back\n', `  net: back\n  it: |-\n${indent(`\${${mistake}}`, 4)}\n`),
} satisfies Record<string, (mistake: string) => string>;

export type FrameName = keyof typeof frames;

/** What lies beside the file with the mistake. */
export const neighbours: Files = {
  'keys/alice.pub': `${publicKey}\n`,
  'keys/latin.pub': Buffer.from(publicKey.replace('alice', 'zoë'), 'latin1'),
  'files/hello.txt': 'Hello\n',
  'shop/main.yaml': 'variables: { region: { default: eu } }\noutputs: { ip: { value: 1 } }\n',
};
