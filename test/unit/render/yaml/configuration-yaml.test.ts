import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseResourceAddress } from '../../../../src/model/address.ts';
import type { Attributes } from '../../../../src/model/value.ts';
import { renderConfigurationYaml } from '../../../../src/render/yaml/configuration-yaml.ts';

/** What an address says besides its fields. */
function resource(address: string, id: string, fields: Attributes, ...remarks: string[]) {
  const { kind, parent, local } = parseResourceAddress(address)!;
  return { kind, address, parent, local, id, fields, remarks };
}

const remote = { kind: 'remote', baseUrl: 'https://api.example.com/v1' } as const;
const nothing = { resources: [], leftOut: [] };

test('a configuration as a person would write it', () => {
  const at = 'projects.shop';
  const yaml = renderConfigurationYaml(
    {
      resources: [
        resource(at, 'p1', { name: 'my shop' }),
        resource(`${at}.networks.lan`, 'n1', {}),
        resource(`${at}.publicIps.edge`, 'i1', {}),
        resource(`${at}.publicIps.edge.forwards.tcp-443`, 'f1', {
          ...{ protocol: 'tcp', publicPort: 443, vm: 'web', vmPort: 8443 },
        }),
        resource(
          `${at}.vms.web`,
          '1e3',
          { image: 'debian-12', networks: ['lan'], lifecycle: { ignoreChanges: ['name'] } },
          'Its name is "a\u001b".',
        ),
      ],
      leftOut: [
        { kind: 'vm', id: 'v2', title: 'VM "db" (v2)', project: at, why: 'Its creation failed.' },
        { kind: 'project', id: 'p2', title: 'project "x" (p2)', project: undefined, why: 'No.' },
      ],
    },
    remote,
  );
  expect(yaml)
    .toBe(`# What "hostwright export" found in the account. A plan imports all of it and changes nothing.
# Once that is applied, \`imports\` has done its work and can be removed.
# Left out: project "x" (p2). No.

version: 1

service:
  baseUrl: https://api.example.com/v1

projects:
  # Left out: VM "db" (v2). Its creation failed.
  shop:
    name: my shop
    networks:
      lan: {}
    publicIps:
      edge:
        forwards:
          tcp-443: { protocol: tcp, publicPort: 443, vm: web, vmPort: 8443 }
    vms:
      # Its name is "a\\u001b".
      web:
        image: debian-12
        networks: [lan]
        lifecycle: { ignoreChanges: [name] }

imports:
  - { to: projects.shop, id: p1 }
  - { to: projects.shop.networks.lan, id: n1 }
  - { to: projects.shop.publicIps.edge, id: i1 }
  - { to: projects.shop.publicIps.edge.forwards.tcp-443, id: f1 }
  - { to: projects.shop.vms.web, id: "1e3" }
`);
});

test('an empty account, and where an embedded sandbox is', () => {
  expect(renderConfigurationYaml(nothing, remote)).toMatch(
    /^version: 1\n\nservice:\n {2}baseUrl: https:\/\/api.example.com\/v1\n$/m,
  );
  const yaml = renderConfigurationYaml(nothing, { kind: 'sandbox', dataDirectory: '/srv/a "b"' });
  expect(yaml).toContain('# service: { sandbox: { data: "/srv/a \\"b\\"" } }\n');
  expect(parse(yaml)).toEqual({ version: 1, projects: {}, imports: [] });
});

test.each([
  ['yes', '"yes"'],
  ['null', '"null"'],
  ['1e3', '"1e3"'],
  ['${var.x}', '$${var.x}'],
  ['a: b', '"a: b"'],
  ['', '""'],
  ['a\nb', '"a\\nb"'],
  ['\u007f\u202e', '"\\u007f\\u202e"'],
  [`${'word '.repeat(60)}.\n.`, `"${'word '.repeat(60)}.\\n."`],
])('the text %j stands as %s', (text, written) => {
  const resources = [resource('projects.p', 'p', { name: text })];
  const yaml = renderConfigurationYaml({ resources, leftOut: [] }, remote);
  expect(yaml).toContain(`    name: ${written}\n`);
});
