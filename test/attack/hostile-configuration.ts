import { hostileText, hostileTexts } from '../support/hostile-text.ts';

const publicKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2rSPYrq0HpkQO8Vu7HbJcVIRqM0bWvgFAjWh5Xq0Nq me@test';
const vm = { image: 'debian-12', configuration: 'c1-r1-d20', tariff: 'hourly' };
const forward = { protocol: 'tcp', publicPort: 443, vm: 'web', vmPort: 8443 };

/** JSON of ASCII alone is YAML, whatever its strings hold. */
export const toYaml = (value: unknown): string =>
  JSON.stringify(value, null, 1).replaceAll(
    /[^\x20-\x7e\n]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** All texts, a few in one: a VM each would take its time. */
const someTexts = Array.from({ length: 6 }, (_, start) =>
  Object.values(hostileTexts)
    .filter((__, index) => index % 6 === start)
    .join(' '),
);

/** A configuration with something hostile wherever it takes a text of any kind; each text is the key of a VM. */
export const hostileConfiguration = {
  version: 1,
  variables: {
    greeting: { type: 'string', default: hostileText },
    hidden: { type: 'string', default: `hidden ${hostileText}`, sensitive: true },
  },
  locals: { both: '${var.greeting} ${var.greeting}' },
  projects: {
    shop: {
      sshKeys: { me: { publicKey } },
      networks: { lan: {} },
      publicIps: { edge: { forwards: { https: forward } } },
      vms: {
        web: { ...vm, networks: ['lan'] },
        each: {
          ...vm,
          forEach: Object.fromEntries(someTexts.map((text, index) => [text, `vm-${index}`])),
          name: '${each.value}',
        },
      },
    },
  },
  modules: { part: { source: './part' } },
  policies: {
    named: {
      ...{ for: 'vms', assert: 'action == "no-op"', severity: 'warn' },
      message: '${var.greeting} of ${address}',
    },
  },
  checks: { greets: { assert: 'false', message: '${local.both}', severity: 'warn' } },
  outputs: {
    text: { value: '${var.greeting}' },
    list: { value: ['${var.greeting}', '${var.greeting}'] },
    lines: { value: 'first\n${var.greeting}\n::error::last\n' },
    hidden: { value: '${var.hidden}', sensitive: true },
  },
};

/** One in which nearly every text is a fault. */
export const faultyConfiguration = {
  version: 1,
  [hostileText]: hostileText,
  variables: { greeting: { type: hostileText }, [hostileText]: {} },
  service: { baseUrl: `https://account.test/${hostileText}` },
  projects: {
    [hostileText]: {},
    shop: {
      name: hostileText,
      [hostileText]: 1,
      networks: { lan: { name: hostileText }, [hostileText]: {} },
      sshKeys: { me: { publicKeyFile: hostileText }, you: { publicKey: hostileText } },
      vms: {
        web: { ...vm, image: hostileText, networks: [hostileText], name: `\${${hostileText}}` },
        each: { ...vm, forEach: [hostileText, hostileText], name: '${each.value}' },
      },
    },
  },
  modules: { part: { source: hostileText, variables: { [hostileText]: hostileText } } },
  imports: [{ to: hostileText, id: hostileText }],
  moved: [{ from: hostileText, to: `projects.shop.vms["${hostileText}"]` }],
  policies: { one: { for: hostileText, assert: hostileText, message: hostileText } },
  outputs: {
    one: { value: '${"' + hostileText + '"}' },
    two: { value: '${file("' + hostileText + '")}' },
  },
};
