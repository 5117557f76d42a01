// What the tables of `mistakes/` cannot hold: files without end, what is kept back, and what is no fault.
import { describe, expect, it } from 'vitest';
import { inShop, listFaults, loadText, vmFields } from './load.ts';

describe('broken YAML', () => {
  it.each([
    ['a control character', 'a\u0007b', '2:11', 'a control character', 'U+0007'],
    ['nesting', '['.repeat(20_000), '2:74', 'nested deeper than 64 levels', ''],
  ])('of %s is refused', async (_what, value, place, summary, detail) => {
    const result = await loadText(`version: 1\nservice: ${value}\n`);
    expect(listFaults(result)).toEqual([`a.yaml:${place} broken-yaml`]);
    const [first] = result.diagnostics;
    expect(first).toMatchObject({ hint: expect.any(String) as string });
    expect(first?.summary).toContain(summary);
    expect(first?.detail ?? '').toContain(detail);
  });

  it('does not repeat what the parser says of a secret', async () => {
    const result = await loadText('version: 1\nservice:\n  token: "hunter2\\q"\n');
    expect(result.diagnostics).toMatchObject([{ code: 'broken-yaml' }]);
    expect(result.diagnostics[0]!.detail).toBeUndefined();
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  it('cuts what the parser says', async () => {
    const result = await loadText(`version: ! ${'x'.repeat(300)}\n  y: [}${'z'.repeat(400)}\n`);
    for (const { detail } of result.diagnostics) expect(detail!.length).toBeLessThan(200);
  });

  it.each(['---\n', '---\n# the end\n', '...\n'])('takes %j at the end of a file', async (end) => {
    const result = await loadText(`version: 1\nprojects: { shop: }\n${end}`);
    expect(listFaults(result)).toEqual([]);
  });

  it('reads the values of YAML 1.2, whatever a file says of its version', async () => {
    const text = '%YAML 1.1\n---\nversion: 1\nprojects: { on: { name: yes }, null: }\n';
    const { resources } = (await loadText(text)).configuration!.graph;
    expect(resources.map(({ attributes }) => attributes.name)).toEqual(['yes', 'null']);
  });
});

it('never shows the credentials of an address', async () => {
  const text = 'version: 1\nservice:\n  baseUrl: https://me:hunter2@a.example/v1\n';
  expect(JSON.stringify(await loadText(text))).not.toContain('hunter2');
});

it.each([
  ['timeouts: { create: x }', 'projects.shop.vms.web'],
  ['count: 2, networks: [a]', 'projects.shop.vms.web[0]'],
])('the resource or the instance with a fault has its address: %s', async (field, address) => {
  const { diagnostics } = await loadText(inShop(`vms: { web: { ${vmFields}, ${field} } }`));
  expect(diagnostics.map((one) => one.address)).toEqual([address]);
});
