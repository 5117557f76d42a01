// A kind of resource costs one folder: `test/support/firewall/` has all that is known of firewalls, and the program, which
// knows nothing of them, takes one through its whole life.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHostileAccount, type HostileAccount } from '../attack/hostile-account.ts';
import { openFirewalls } from '../support/firewall/handlers.ts';

const service = openFirewalls();
let directory: string;
let account: HostileAccount;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-firewall-'));
  account = await openHostileAccount(directory, { extension: service, validateAnswers: true });
});
afterAll(async () => {
  account.close();
  await rm(directory, { recursive: true });
});

const vm = '{ image: ubuntu-24.04, configuration: c1-r2-d20, tariff: monthly }';
const edge = 'edge: { rules: { https: { vm: web, port: 443 } } }';
const front =
  'edge: { name: front, rules: { https: { vm: web, port: 8443 }, sql: { vm: db, port: 5432 } } }';

/** Writes a configuration of two VMs and the firewalls given; `more` stands below it. */
async function configure(firewalls: string, more = ''): Promise<void> {
  const text = `version: 1
projects:
  shop:
    vms: { web: ${vm}, db: ${vm} }
    firewalls: { ${firewalls} }
${more}`;
  await writeFile(join(directory, 'main.yaml'), text);
}

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await account.run(args);
  expect(code, stdout + stderr).toBe(0);
  return stdout;
}

/** What a plan says of the firewalls, without the frame around it. */
async function planFirewalls(...args: string[]): Promise<string> {
  const text = await run('plan', ...args);
  return text
    .split(/\n(?= {2}# |\S)/)
    .filter(
      (part) => /firewall|^(Plan:|No changes)/.test(part) && !/^(Plan for |Summary:)/.test(part),
    )
    .join('\n')
    .trimEnd();
}

const firewalls = () =>
  [...service.records.values()].map(({ id, name, rules }) => ({ id, name, rules }));

test('what is wrong with it is said before anything is read', async () => {
  await configure('edge: { rules: { https: { vm: wep, port: 70000 } }, ruels: {} }');
  const { code, stderr } = await account.run(['validate']);
  expect(code).toBe(1);
  expect(stderr).toMatchInlineSnapshot(`
    "╷
    │ Error: There is no VM \`wep\` in projects.shop [dangling-reference]
    │
    │   with projects.shop.firewalls.edge,
    │   on main.yaml line 5, column 33:
    │       2 | projects:
    │       3 |   shop:
    │       4 |     vms: { web: { image: ubuntu-24.04, configuration: c1-r2-d20, ta…
    │     > 5 |     firewalls: { edge: { rules: { https: { vm: wep, port: 70000 } }…
    │         |                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    │
    │ projects.shop.vms has \`web\`, \`db\`.
    │
    │ Hint: Did you mean \`web\`?
    ╵
    ╷
    │ Error: projects.shop.firewalls.edge.rules.https.port is the number 70000,
    │ which is out of range [out-of-range]
    │
    │   with projects.shop.firewalls.edge,
    │   on main.yaml line 5, column 59:
    │       2 | projects:
    │       3 |   shop:
    │       4 |     vms: { web: { image: ubuntu-24.04, configuration: c1-r2-d20, ta…
    │     > 5 |     firewalls: { edge: { rules: { https: { vm: wep, port: 70000 } }…
    │         |                                                           ^^^^^
    │
    │ Allowed is 1 to 65535.
    │
    │ Hint: Give a number within the range.
    ╵
    ╷
    │ Error: projects.shop.firewalls.edge has no key \`ruels\` [unknown-key]
    │
    │   with projects.shop.firewalls.edge,
    │   on main.yaml line 5, column 70:
    │       2 | …
    │       3 | …
    │       4 | …onfiguration: c1-r2-d20, tariff: monthly }, db: { image:…
    │     > 5 | … { vm: wep, port: 70000 } }, ruels: {} } }
    │         |                               ^^^^^
    │
    │ Valid keys: \`enabled\`, \`count\`, \`forEach\`, \`name\`, \`rules\`, \`lifecycle\`.
    │
    │ Hint: Did you mean \`rules\`?
    ╵
    "
  `);
  expect(account.requests).toEqual([]);
});

test('it is planned, created after the VMs that it names, and as configured then', async () => {
  await configure(edge);
  await run('validate');
  expect(await planFirewalls()).toMatchInlineSnapshot(`
    "  # projects.shop.firewalls.edge will be created
      + firewall "edge" {
          + id    = (known after apply)
          + name  = "edge"
          + rules = {
              + https = {
                  + port = 443
                  + vm   = "web"
                }
            }
        }

    Plan: 4 to add, 0 to change, 0 to destroy."
  `);
  await run('apply', '--auto-approve');
  const sent = account.requests.filter((request) => request.startsWith('POST'));
  expect(sent.at(-1)).toMatch(/firewalls$/);
  expect(firewalls()).toEqual([
    {
      id: 'fw-1',
      name: 'edge',
      rules: { https: { vmId: expect.any(String) as string, port: 443 } },
    },
  ]);
  expect(await planFirewalls()).toMatchInlineSnapshot(
    `"No changes. Your infrastructure matches the configuration."`,
  );
});

test('a change is made in place, and told in JSON too', async () => {
  await configure(front);
  expect(await planFirewalls()).toMatchInlineSnapshot(`
    "  # projects.shop.firewalls.edge will be updated in-place
      ~ firewall "edge" {
            id    = "fw-1"
          ~ name  = "edge" -> "front"
          ~ rules = {
              ~ https = {
                  ~ port = 443 -> 8443
                    # (1 unchanged attribute hidden)
                }
              + sql   = {
                  + port = 5432
                  + vm   = "db"
                }
            }
        }

    Plan: 0 to add, 1 to change, 0 to destroy."
  `);
  const told = JSON.parse(await run('plan', '--format', 'json')) as {
    resource_changes: { address: string; change: unknown }[];
  };
  const change = told.resource_changes.find(({ address }) => address.includes('firewalls'));
  expect(change).toMatchInlineSnapshot(`
    {
      "address": "projects.shop.firewalls.edge",
      "change": {
        "actions": [
          "update",
        ],
        "after": {
          "id": "fw-1",
          "name": "front",
          "rules": {
            "https": {
              "port": 8443,
              "vm": "web",
            },
            "sql": {
              "port": 5432,
              "vm": "db",
            },
          },
        },
        "after_sensitive": {},
        "after_unknown": {},
        "before": {
          "id": "fw-1",
          "name": "edge",
          "rules": {
            "https": {
              "port": 443,
              "vm": "web",
            },
          },
        },
        "before_sensitive": {},
      },
      "hostwright": {
        "action": "update",
        "losses": [],
      },
      "mode": "managed",
      "name": "edge",
      "provider_name": "hostwright",
      "type": "hostwright_firewall",
    }
  `);
  await run('apply', '--auto-approve');
  expect(firewalls()).toMatchObject([
    { id: 'fw-1', name: 'front', rules: { sql: { port: 5432 } } },
  ]);
});

test('what somebody else changes is told, and put right', async () => {
  const record = service.records.get('fw-1');
  if (record) service.records.set('fw-1', { ...record, rules: {} });
  expect(await planFirewalls()).toMatchInlineSnapshot(`
    "  # projects.shop.firewalls.edge will be updated in-place
      ~ firewall "edge" {
            id    = "fw-1"
            name  = "front"
          ~ rules = { # changed outside: was {"https":{"port":8443,"vm":"web"},"sql":{"port":5432,"vm":"db"}}
              + https = {
                  + port = 8443
                  + vm   = "web"
                }
              + sql   = {
                  + port = 5432
                  + vm   = "db"
                }
            }
        }

    Plan: 0 to add, 1 to change, 0 to destroy."
  `);
  await run('apply', '--auto-approve');
  expect(firewalls()).toMatchObject([{ rules: { https: { port: 8443 }, sql: { port: 5432 } } }]);
  service.records.delete('fw-1');
  expect(await planFirewalls()).toContain('# (deleted outside of Hostwright)');
  await run('apply', '--auto-approve');
  expect(firewalls()).toMatchObject([{ id: 'fw-2', name: 'front' }]);
});

test('expressions and outputs name it, and a slip in its name is told', async () => {
  await configure(front, 'outputs: { id: { value: "${projects.shop.firewalls.edge.id}" } }');
  await run('apply', '--auto-approve');
  expect(await run('output', 'id', '--raw')).toBe('fw-2');
  await configure(front, 'outputs: { id: { value: "${projects.shop.firewalls.egde.id}" } }');
  expect((await account.run(['validate'])).stderr).toContain('Did you mean `edge`?');
});

test('it is forgotten, and imported by its id, its name, or with what is exported', async () => {
  await configure(front);
  await run('apply', '--auto-approve');
  const address = 'projects.shop.firewalls.edge';
  await run('state', 'rm', address);
  expect(await run('state', 'list')).not.toContain(address);
  await run('import', address, 'fw-2');
  expect(await planFirewalls()).toContain('No changes');
  await run('state', 'rm', address);
  expect(await planFirewalls('--adopt')).toContain(
    '# projects.shop.firewalls.edge will be imported',
  );
  const exported = await run('export', '--project', 'shop');
  expect(exported.slice(exported.indexOf('firewalls:'))).toMatchInlineSnapshot(`
    "firewalls:
          front:
            rules: { https: { vm: web, port: 8443 }, sql: { vm: db, port: 5432 } }

    imports:
      - { to: projects.shop, id: prj-hccfwvj7 }
      - { to: projects.shop.vms.db, id: vm-c8mgj6fa }
      - { to: projects.shop.vms.web, id: vm-grt2mqbv }
      - { to: projects.shop.firewalls.front, id: fw-2 }
    "
  `);
  await writeFile(join(directory, 'main.yaml'), exported);
  expect(await planFirewalls()).toMatchInlineSnapshot(`
    "  # projects.shop.firewalls.front will be imported
     <= firewall "front" {
            id    = "fw-2"
            name  = "front"
            rules = {
                https = {
                    port = 8443
                    vm   = "web"
                }
                sql   = {
                    port = 5432
                    vm   = "db"
                }
            }
        }

    Plan: 1 to import, 0 to add, 0 to change, 0 to destroy."
  `);
  await run('apply', '--auto-approve');
});

test('what leaves the configuration is destroyed, before the VMs that it names', async () => {
  await configure('');
  expect(await planFirewalls()).toMatchInlineSnapshot(`
    "  # projects.shop.firewalls.front will be destroyed
      # (because projects.shop.firewalls.front is not in configuration)
      - firewall "front" {
          - id    = "fw-2" -> null
          - name  = "front" -> null
          - rules = {
              - https = {
                  - port = 8443
                  - vm   = "web"
                }
              - sql   = {
                  - port = 5432
                  - vm   = "db"
                }
            } -> null
        }

    Plan: 0 to add, 0 to change, 1 to destroy."
  `);
  await configure(front);
  await run('apply', '--auto-approve');
  account.requests.length = 0;
  await run('destroy', '--auto-approve');
  const sent = account.requests.filter((request) => request.startsWith('DELETE'));
  expect(sent[0]).toMatch(/firewalls\/fw-\d+$/);
  expect(firewalls()).toEqual([]);
});
