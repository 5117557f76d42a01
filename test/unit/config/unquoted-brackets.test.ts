import { expect, it } from 'vitest';
import type { Attributes } from '../../../src/model/value.ts';
import { inShop, listFaults, loadText, vmFields } from './load.ts';

async function attributesOf(text: string): Promise<Record<string, Attributes>> {
  const result = await loadText(text);
  expect(listFaults(result)).toEqual([]);
  return Object.fromEntries(
    result.configuration!.graph.resources.map(({ address, attributes }) => [
      address.replace('projects.shop.', ''),
      attributes,
    ]),
  );
}

it('inside { } and [ ] an instance and an expression need no quotes', async () => {
  const text = inShop(`
networks: { lan: { name: n-\${var.e} } }
vms:
  web: { count: 2, ${vmFields}, name: web-\${each.index}, networks: [lan] }
publicIps:
  edge:
    forwards:
      https: { protocol: tcp, publicPort: 443, vm: web[0], vmPort: 8443 }
      http: { protocol: tcp, publicPort: 80, vm: web[\${var.n}], vmPort: 80 }`);
  const made = await attributesOf(
    `${text}variables: { e: { default: dev }, n: { type: number, default: 1 } }\nlocals: { a: [web[0], web["x"]] }\n`,
  );
  expect(made['networks.lan']).toEqual({ name: 'n-dev' });
  expect(made['vms.web[1]']).toMatchObject({ name: 'web-1' });
  expect(made['publicIps.edge.forwards.https']).toMatchObject({ vm: 'web[0]' });
  expect(made['publicIps.edge.forwards.http']).toMatchObject({ vm: 'web[1]' });
});

it.each([
  ['{ name: ${var.e == "p" ? "a, b" : "c: d"} }', 'a, b'],
  ['{ name: "${var.e}}{" , exclusive: ${1 > 2} }', 'p}{'],
  ["{ name: ${format('%s}', var.e)}x }", 'p}x'],
  ['{ name: ${{"a": {"b": "deep"}}["a"].b} }', 'deep'],
  ["{ name: ${\"#\" + '\\''} , exclusive: false }", "#'"],
  ['{ name: ${var.e}[0] }', 'p[0]'],
  ['{ name: a${"$"}{x} }', undefined],
])('%s', async (project, name) => {
  const text = `version: 1\nvariables: { e: { default: p } }\nprojects: { shop: ${project} }\n`;
  const { configuration } = await loadText(text);
  expect(configuration?.graph.resources[0]?.attributes.name).toBe(name);
});

it('points to the place of a fault in such a file as in any other', async () => {
  const text = inShop('vms: { web: { name: a[0], image: ${var.nope}, tarif: x } }\nnetwork: {}');
  expect(listFaults(await loadText(text))).toEqual([
    'a.yaml:4:12 missing-key',
    'a.yaml:4:44 unknown-name',
    'a.yaml:4:51 unknown-key',
    'a.yaml:5:5 unknown-key',
  ]);
});

it('leaves a file alone that has such characters itself', async () => {
  const text = 'version: 1\nprojects: { shop: { name: "\ue000", exclusive: ${1 > 2} } }\n';
  expect(listFaults(await loadText(text))).toContain('a.yaml:2:44 broken-yaml');
});
