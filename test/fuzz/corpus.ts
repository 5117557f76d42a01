// What cases are made of: the examples, the configurations of the golden cases, and one that uses everything.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** `npm run` and vitest both start at the root of the package. */
const root = resolve('.');

/** Everything that the language has, in small. */
const everything = `version: 1
service: { sandbox: { data: .box, speed: 20, seed: 7 }, requestsPerSecond: 50, timeouts: { read: 5s } }
state: { lease: 60s }
variables:
  env: { type: string, default: staging, allowed: [staging, production] }
  size: { type: number, default: 2 }
  secret: { type: string, sensitive: true }
  zones: { type: list, default: [a, b] }
  settings: { type: map, default: { a: 1, b: [x, y] } }
  shape: { type: 'object({ name = string, ram = optional(number, 3), tags = optional(set(string)) })', default: { name: a }, validation: [{ assert: 'var.shape.ram < 9', message: 'no \${var.shape.ram} of \${var.secret}' }] }
locals:
  prefix: "shop-\${var.env}"
  ports: "\${[80, 443].map(p, p + 8000)}"
  hidden: "x-\${var.secret}"
  late: "\${projects.shop.publicIps.edge.address}"
defaults: { vms: { tariff: monthly, image: ubuntu-24.04 } }
projects:
  shop:
    name: "\${local.prefix}"
    exclusive: true
    sshKeys: { alice: { publicKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICvYBsl/DgCvGh/DMo+nY6kmlyPI24+sT5OvcdsYbW6Q alice } }
    networks: { backend: {}, front: { name: front } }
    publicIps: { edge: { forwards: { https: { protocol: tcp, publicPort: 443, vm: "web[0]", vmPort: 8443 } } } }
    vms:
      web:
        count: "\${var.size}"
        name: web-\${each.index}
        configuration: c2-r4-d40
        sshKeys: [alice]
        networks: [backend]
        publicIp: edge
        power: running
        renewal: active
        plugins: ["\${var.env}"]
        rebuild: { on: [image], backupFirst: true }
        lifecycle: { preventDestroy: true, createBeforeDestroy: false, ignoreChanges: [image] }
        timeouts: { create: 20m, update: 20m, delete: 10m }
      db:
        forEach: { a: "\${local.prefix}", b: 2 }
        name: db-\${each.key}-\${each.value}
        configuration: c1-r1-d20
tokens: { ci: { scopes: [compute], expiresIn: 90d, writeTo: { file: secrets/ci.token } } }
modules:
  inner: { source: ./inner, forEach: [eu, us], variables: { region: "\${each.key}", secret: "\${var.secret}" } }
outputs:
  ip: { value: "\${projects.shop.publicIps.edge.address}", description: the address }
  hidden: { value: "\${local.hidden}", sensitive: true }
  inner: { value: "\${modules.inner[\\"eu\\"].outputs.name}" }
moved: [{ from: projects.shop.vms.old, to: projects.shop.vms.web }]
imports: [{ to: "projects.shop.vms.web[0]", name: web-0 }]
removed: [{ from: projects.shop.vms.legacy, destroy: false }]
guards: { maxDeletes: 30%, minResources: 1 }
policies: { small: { for: vms, assert: "after.ram <= 64", message: "too big \${after.name}", severity: warn } }
checks: { has: { assert: "projects.shop.publicIps.edge.address != ''", message: none } }
account: { locale: en-GB }
`;

const inner = `variables:
  region: { type: string }
  secret: { type: string, sensitive: true }
locals: { name: "in-\${var.region}" }
projects:
  inner:
    name: "\${local.name}"
    networks: { lan: { name: "lan-\${var.region}" } }
outputs: { name: { value: "\${projects.inner.name}" }, id: { value: "\${projects.inner.networks.lan.id}" } }
`;

/** Files by their path, as one configuration has them. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

const readExamples = (): Files[] =>
  ['quickstart', 'shop'].map((name) => {
    const directory = join(root, 'examples', name);
    const files = readdirSync(directory).filter((file) => file.endsWith('.yaml'));
    return Object.fromEntries(
      files.map((file) => [file, readFileSync(join(directory, file), 'utf8')]),
    );
  });

function readGoldens(): Files[] {
  const directory = join(root, 'test/golden');
  return readdirSync(directory).flatMap((name) => {
    try {
      const text = readFileSync(join(directory, name, 'config.yaml'), 'utf8');
      return [{ 'main.yaml': `${text}service: { sandbox: true }\n` }];
    } catch {
      return []; // one that takes its configuration from elsewhere
    }
  });
}

let corpus: readonly Files[] | undefined;

/** Configurations to begin with, those that use most of the language several times. */
export function readCorpus(): readonly Files[] {
  const all = { 'main.yaml': everything, 'inner/main.yaml': inner };
  corpus ??= [all, all, all, all, ...readExamples(), ...readGoldens()];
  return corpus;
}
