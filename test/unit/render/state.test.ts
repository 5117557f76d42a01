import { describe, expect, test } from 'vitest';
import type { ManagedResource, State } from '../../../src/model/state/state.ts';
import { renderLimitsJson, renderLimitsText } from '../../../src/render/account/limits-text.ts';
import { renderStateJson } from '../../../src/render/json/state-json.ts';
import { renderResourceText, renderStateText } from '../../../src/render/text/state-text.ts';
import { makeChange, plain } from './sample-plan.ts';

function makeResource(address: string, attributes: ManagedResource['attributes']): ManagedResource {
  const { kind } = makeChange({ action: 'create', address });
  return { address, kind, id: 'id-1', projectId: 'prj-1', attributes, configured: [] };
}

function makeState(resources: readonly ManagedResource[], pending: readonly string[] = []): State {
  const sent = pending.map((address) => ({
    address,
    command: { kind: 'createProject', name: 'x' } as const,
    knownIds: [],
    at: 0,
    configured: [],
  }));
  return {
    lineage: 'l-1',
    serial: 3,
    service: 'https://api.example.com/v1',
    resources: new Map(resources.map((resource) => [resource.address, resource])),
    pending: new Map(sent.map((entry) => [entry.address, entry])),
  };
}

const web = makeResource('projects.shop.vms.web[0]', {
  sshKeys: ['alice'],
  name: 'web-0',
  nothing: null,
  network: { cidr: '10.0.0.0/24' },
});
const shop = makeResource('projects.shop', { name: 'shop' });

describe('the state', () => {
  test('what is sensitive is named, whether it is at hand or not', () => {
    const read = renderResourceText({ ...shop, attributes: {}, sensitive: ['name'] }, plain);
    expect(read).toContain('name = (sensitive value)');
    expect(renderResourceText({ ...shop, sensitive: ['name'] }, plain)).toBe(read);
  });

  test('what the account shows otherwise stands below, but for what is sensitive', () => {
    const shown = { name: 'WEB-0', plugins: [] };
    const read = renderResourceText({ ...web, shown, accepted: ['plugins'] }, plain);
    expect(read.split('\n').slice(-4, -1)).toEqual([
      ...['}', '# name: the account shows "WEB-0"'],
      '# plugins: the account shows [], which is accepted',
    ]);
    expect(renderResourceText({ ...web, shown, sensitive: ['name'] }, plain)).not.toContain('WEB');
  });

  test("what stood under an address before stands behind it, by its id in Terraform's terms", () => {
    const old = makeResource('projects.shop.vms.web[0] (deposed object vm-0)', { name: 'aside' });
    expect(renderStateText(makeState([old, web]), plain).match(/^#.*|^vm.*/gm)).toEqual([
      '# projects.shop.vms.web[0]:',
      'vm "web" {',
      '# projects.shop.vms.web[0] (deposed object vm-0):',
      'vm "web" {',
    ]);
    expect(renderStateJson(makeState([old]))).toMatchObject({
      values: {
        root_module: {
          resources: [
            { address: 'projects.shop.vms.web[0]', deposed_key: 'vm-0', name: 'web', index: 0 },
          ],
        },
      },
    });
  });

  test('all resources in address order, and what was sent', () =>
    expect(renderStateText(makeState([web, shop], ['projects.new']), plain)).toMatchInlineSnapshot(`
      "# projects.shop:
      project "shop" {
          id   = "id-1"
          name = "shop"
      }

      # projects.shop.vms.web[0]:
      vm "web" {
          id      = "id-1"
          name    = "web-0"
          network = {
              cidr = "10.0.0.0/24"
          }
          sshKeys = ["alice"]
      }

      # projects.new: sent, not yet seen in the account
      "
    `));

  test('empty', () =>
    expect(renderStateText(makeState([]), plain)).toBe(
      'The state file is empty. No resources are represented.\n',
    ));

  test('as JSON', () => {
    const json = renderStateJson(makeState([web, shop], ['projects.new']));
    const values = { id: 'id-1', name: 'web-0', network: { cidr: '10.0.0.0/24' }, nothing: null };
    expect(json).toMatchObject({
      format_version: '1.0',
      hostwright: { lineage: 'l-1', pending: ['projects.new'], serial: 3 },
      values: {
        root_module: {
          resources: [
            { address: 'projects.shop', name: 'shop', type: 'hostwright_project' },
            { address: web.address, index: 0, name: 'web', type: 'hostwright_vm', values },
          ],
        },
      },
    });
    expect(renderStateJson(makeState([]))).not.toHaveProperty('values');
  });
});

describe('limits', () => {
  const limits = {
    quotas: {
      projects: { limit: 10, used: 3, remaining: 7 },
      vmCpu: { limit: 64, used: 60, remaining: 4 },
      vmRam: { limit: 128, used: null, remaining: null },
      networks: { limit: 0, used: 0, remaining: 0 },
    },
    maxSshKeysPerProject: 20,
  } as const;
  const lengths = {
    project: 64,
    network: 64,
    vm: 63,
    sshKey: 64,
    sshPublicKey: 4096,
    accessToken: null,
  };

  test('as text', () =>
    expect(renderLimitsText(limits, lengths, plain)).toMatchInlineSnapshot(`
    "Quotas:
                    used   limit   remaining
      projects         3      10           7   ██████░░░░░░░░░░░░░░
      networks         0       0           0   ░░░░░░░░░░░░░░░░░░░░
      VM cores        60      64           4   ███████████████████░
      VM RAM (GB)      -     128           -

    SSH keys in a project:
      at most 20

    Longest names, in characters:
      project name          64
      network name          64
      VM name               63
      SSH key name          64
      SSH public key      4096
      access token name      -
    "
  `));

  test('without gauges where there is no room', () =>
    expect(renderLimitsText(limits, lengths, { ...plain, columns: 50 })).not.toContain('█'));

  test('as JSON', () =>
    expect(renderLimitsJson(limits, lengths)).toEqual({
      format_version: '1.0',
      ...limits,
      nameLengths: lengths,
    }));

  test('below zero as JSON, in one place, and not among the lengths of names', () => {
    const below = { ...limits, belowZero: { networks: -5 } };
    const named = { ...lengths, belowZero: { maxVmNameLength: -2 } };
    expect(renderLimitsJson(below, named)).toEqual({
      ...renderLimitsJson(limits, lengths),
      belowZero: { networks: -5, maxVmNameLength: -2 },
    });
    expect(renderLimitsText(below, named, plain)).toBe(renderLimitsText(limits, lengths, plain));
  });
});
