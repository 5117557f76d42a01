import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { renderWholeExport, writeExport } from '../../../../src/commands/lifecycle/write-export.ts';
import { loadConfiguration } from '../../../../src/config/load-configuration.ts';
import { defaultConfigurationSizeLimits } from '../../../../src/model/bounds.ts';
import type { ExportedAccount, ExportedResource } from '../../../../src/model/account/exported.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'hostwright-export-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const service = { kind: 'remote', baseUrl: 'https://api.example.com/v1' } as const;
const shop = 'projects.shop';
const vm = { image: 'a', configuration: 'b', tariff: 'c' };

function one(
  kind: ExportedResource['kind'],
  address: string,
  fields: ExportedResource['fields'] = {},
): ExportedResource {
  const path = address.split('.');
  const parent = kind === 'project' ? undefined : path.slice(0, -2).join('.');
  return {
    kind,
    address,
    parent,
    local: path.at(-1) ?? '',
    id: `id-${address}`,
    fields,
    remarks: [],
  };
}

const forward = { protocol: 'tcp', publicPort: 443, vm: 'vm3', vmPort: 443 };
const exported: ExportedAccount = {
  resources: [
    one('project', shop, { name: 'the shop' }),
    one('network', `${shop}.networks.lan`),
    one('publicIp', `${shop}.publicIps.edge`),
    ...Array.from({ length: 20 }, (_, index) => one('vm', `${shop}.vms.vm${index}`, vm)),
    one('portForward', `${shop}.publicIps.edge.forwards.https`, forward),
    one('project', 'projects.other'),
  ],
  leftOut: [],
};

async function load() {
  const { configuration, diagnostics } = await loadConfiguration({
    directory: cwd,
    workingDirectory: cwd,
  });
  expect(diagnostics).toEqual([]);
  const { resources = [], imports = [] } = configuration?.graph ?? {};
  return {
    resources: resources.map(({ address, attributes }) => [address, attributes]).sort(),
    imports: imports.map(({ to, id }) => `${to} ${id ?? ''}`).sort(),
  };
}

test('an export in several files is the same configuration, each of them small enough', async () => {
  expect(await writeExport({ cwd }, '.', exported, service)).toEqual(['main.yaml']);
  const whole = await load();
  expect(whole.imports).toHaveLength(exported.resources.length);
  rmSync(join(cwd, 'main.yaml'));
  const bounds = { ...defaultConfigurationSizeLimits, fileBytes: 1_000 };
  const written = await writeExport({ cwd, bounds }, '.', exported, service);
  expect(written.length).toBeGreaterThan(3);
  expect(readdirSync(cwd).sort()).toEqual([...written].sort());
  for (const name of written) expect(statSync(join(cwd, name)).size).toBeLessThanOrEqual(1_000);
  expect(await load()).toEqual(whole);
  // Nothing is written over.
  await expect(writeExport({ cwd }, '.', exported, service)).rejects.toThrow(
    'main.yaml is there already',
  );
});

test('a directory that cannot be made is said', async () => {
  const writing = writeExport({ cwd }, '/proc/hostwright/x', exported, service);
  await expect(writing).rejects.toThrow('/proc/hostwright/x/main.yaml cannot be written');
});

test('an export that is too large for one file says how to write several', () => {
  const bounds = { ...defaultConfigurationSizeLimits, fileBytes: 1_000 };
  expect(() => renderWholeExport({ bounds }, exported, service)).toThrow('too much for one file');
  expect(renderWholeExport({}, exported, service)).toContain('the shop');
});
