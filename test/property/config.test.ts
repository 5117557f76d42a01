import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfiguration } from '../../src/config/load-configuration.ts';
import { countRuns } from '../support/budget/budget.ts';

const seed = `version: 1
variables: { env: { default: dev, allowed: [dev] }, key: { default: hunter2, sensitive: true } }
locals: { a: "\${local.b + 1}", b: "\${size(var.env)}", c: [1, { d: "x\${local.a}" }] }
defaults: { vms: { tariff: hourly, timeouts: { delete: 1h } } }
service: { sandbox: { speed: 20 } }
projects:
  shop: &shop
    name: "shop-production"
    sshKeys:
      alice: { publicKey: ssh-ed25519 AAAA alice }
    networks: { backend: , other: &o { name: x } }
    publicIps:
      edge:
        forwards:
          https: { protocol: tcp, publicPort: 443, vm: 'web[0]', vmPort: 8443 }
    vms:
      web:
        count: 2
        name: web-\${each.index}
        image: ubuntu-24.04
        configuration: c2-r4-d40
        tariff: monthly
        sshKeys: [alice]
        networks: [backend]
        publicIp: new
        timeouts: { create: 1h30m }
      db:
        <<: { image: u, configuration: c, tariff: t }
        power: stopped
        publicIp: "\${projects.shop.vms.web[0].publicIp}"
      app: { <<: { image: u, configuration: c }, forEach: "\${{'x': 1, 'y': 2}}", name: "\${each.key}-\${each.value}" }
  other:
    networks: { n: *o, m: { name: "\${local.c[1].d.trim()}" }, k: { name: "\${projects.shop.name.size() > 3 ? 'a' : 'b'}" } }
guards: { maxDeletes: 30% }
moved: [{ from: projects.x, to: projects.shop }]
checks: { a: { assert: projects.shop.id != '' } }
`;

/** What breaks YAML, shapes and meanings. */
const snippets = [
  ...[
    '{',
    '}',
    '[',
    ']',
    ':',
    ': ',
    '- ',
    '? ',
    '"',
    "'",
    '|',
    '>',
    '#',
    '%',
    '@',
    '`',
    '!',
    '&a ',
    '*o',
    '*shop',
  ],
  ...[
    '<<: ',
    '\n',
    '\n---\n',
    '\t',
    '  ',
    '\r',
    '\0',
    '\ufeff',
    '\ud800',
    '${',
    '$${',
    '}',
    '${each.index}',
    '${local.a}',
    '${var.key}',
    '${projects.shop.vms.web}',
    '${projects.shop.id}',
    '${[1].map(v, ',
    '"a".matches("(a+)+$")',
    '.map(x, ',
    '[0]',
    ' ? 1 : ',
    '"\\u00e9\\n',
    'modules: { m: { source: . } }\n',
  ],
  ...[
    'null',
    'true',
    '-1',
    '1e999',
    '.nan',
    '99999999999999999999',
    'constructor',
    '__proto__',
    'toString',
  ],
  ...[
    'count: 3',
    'forEach: [a]',
    'token: x',
    'web[0]',
    'id:1',
    'version: 1\n',
    'locals: {}',
    '!!str ',
    '!!set ',
  ],
];

/** The line of the seed that declares the secret, as long as no edit touched it. */
const secretLine =
  '\nvariables: { env: { default: dev, allowed: [dev] }, key: { default: hunter2, sensitive: true } }\n';

const edit = fc.record({
  at: fc.nat(seed.length),
  remove: fc.nat(12),
  insert: fc.oneof(fc.constantFrom(...snippets), fc.string({ maxLength: 8, unit: 'binary' })),
});

const applyEdits = (edits: readonly { at: number; remove: number; insert: string }[]): string =>
  edits.reduce(
    (text, { at, remove, insert }) => text.slice(0, at) + insert + text.slice(at + remove),
    seed,
  );

describe('loading a configuration', () => {
  let directory = '';
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hostwright-property-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  async function checkText(text: string): Promise<void> {
    await writeFile(join(directory, 'a.yaml'), text);
    const options = { directory, workingDirectory: directory, refused: [] };
    const { configuration, diagnostics } = await loadConfiguration(options);
    expect(configuration === undefined).toBe(diagnostics.length > 0);
    const places = diagnostics.map(({ source }) => [source!.line, source!.column] as const);
    expect(places).toEqual([...places].sort((a, b) => a[0] - b[0] || a[1] - b[1]));
    for (const { code, summary, hint, source } of diagnostics) {
      expect(code).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(summary).toMatch(/^[^\n]+[^.\n]$/);
      expect(hint).toBeTruthy();
      expect(source!.frame).toContain('^');
      expect(JSON.stringify(source)).not.toContain('\\u001b');
      // An edit may make a key of it, or something else that nobody called a secret: then it is none.
      if (text.includes(secretLine)) expect(summary).not.toContain('hunter2');
    }
    const addresses = configuration?.graph.resources.map(({ address }) => address) ?? [];
    expect(new Set(addresses).size).toBe(addresses.length);
  }

  it('never throws on a mutated configuration, and says where every fault is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) =>
        checkText(applyEdits(edits)),
      ),
      { numRuns: countRuns(300) },
    );
  });

  it('never throws on any text', async () => {
    const text = fc.array(fc.oneof(fc.constantFrom(...snippets), fc.string({ unit: 'binary' })), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(text, (pieces) => checkText(pieces.join(''))),
      { numRuns: countRuns(200) },
    );
  });
});
