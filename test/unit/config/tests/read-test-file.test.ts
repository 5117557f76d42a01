import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findTestedDirectory, readTestFile } from '../../../../src/config/tests/read-test-file.ts';
import { readRows } from '../../../support/read-rows.ts';
import { openFolder } from '../../../support/open-folder.ts';

let root: string;
beforeEach(async () => {
  root = await openFolder('tests');
});

async function read(text: string) {
  const path = join(root, 'a.test.yaml');
  await writeFile(path, text);
  return readTestFile({ path, root, workingDirectory: root });
}

const step = (text: string) => `version: 1\ntests:\n  one:\n    steps:\n      - ${text}\n`;

async function listFaults(text: string) {
  const { tests, diagnostics } = await read(text);
  expect(tests).toEqual([]);
  return diagnostics.map(({ code, source, hint = '' }) => {
    return `${source?.line}:${source?.column} ${code} ${hint}`.trim();
  });
}

describe('what is wrong with a file is told at its place', () => {
  const faultsIn = async (text: string, fault: string, hint: string) => {
    const faults = await listFaults(text);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(fault);
    expect(faults[0]).toContain(hint);
  };

  test.each(
    readRows(`
    no version | tests: { one: { steps: [{ plan: {} }] } } | 1:1 missing-key |
    nothing at all |  | 1:1 missing-key |
    no test | version: 1\\ntests: {} | 2:8 wrong-type | Add an entry.
    no step | version: 1\\ntests: { one: { steps: [] } } | 2:24 wrong-type | Add an item.
    a quota that is none | version: 1\\ntests: { a: { account: { quotas: { vmCpus: 1 } }, steps: [{ plan: {} }] } } | 2:36 unknown-key | \`vmCpu\`
    a project with a fault | version: 1\\ntests: { a: { account: { projects: { s: { vmz: {} } } }, steps: [{ plan: {} }] } } | 2:43 unknown-key | \`vms\`
  `),
  )('%s', async (_, text, fault, hint) => faultsIn(text.replace('\\n', '\n'), fault, hint));

  test.each(
    readRows(`
    drift: {} | 5:16 wrong-type | \`change\`, \`delete\`
    assert: plan.isEmpty | 5:9 missing-key |
    { plan: {}, apply: {} } | 5:21 exclusive-keys |
    { plan: {}, asert: x } | 5:21 unknown-key | Did you mean \`assert\`?
    plan: { targte: [] } | 5:17 unknown-key | \`target\`
    wait: soon | 5:15 wrong-type | 80d
    plan: { target: [web] } | 5:26 invalid-address |
    drift: { delete: [web] } | 5:27 invalid-address |
    drift: { change: { projects.a.vms.b: { tariff: x } } } | 5:48 unchangeable |
    drift: { change: { projects.a.vms.b: { nmae: x } } } | 5:48 unknown-key | \`name\`
    { plan: {}, expectFailures: [Quota] } | 5:38 wrong-type |
    { plan: {}, expectFailures: [quota-exceded] } | 5:38 unknown-code | \`quota-exceeded\`
    { plan: {}, expectFailures: [checked-on-apply] } | 5:38 unknown-code |
    { plan: {}, assert: { message: x } } | 5:21 missing-key |
    { plan: {}, assert: "plan.isEmpty ==" } | broken-expression |
    { plan: {}, assert: '\${plan.isEmpty}' } | 5:30 broken-expression |
    { plan: {}, assert: plam.isEmpty } | 5:29 unknown-name | \`plan\`
    { plan: {}, assert: plan.isEmtpy } | 5:34 unknown-name | \`isEmpty\`
    { plan: {}, assert: "account.projets.a == 1" } | 5:38 unknown-name | \`projects\`
    { plan: {}, assert: "sise(plan.changes) == 1" } | 5:30 unknown-function | size()
    { plan: {}, assert: 'plan.counts.add == "2"' } | expression-type |
    { plan: {}, assert: size(plan.changes) } | 5:29 expression-type |
    { plan: {}, assert: [{ that: plan.isEmpty, message: 'x \${plam}' }] } | 5:66 unknown-name |
  `),
  )('the step %s', async (text, fault, hint) => faultsIn(step(text), fault, hint));

  test('all of them at once, in their order', async () => {
    const faults = await listFaults(
      `version: 1
tests:
  one:
    steps:
      - { plan: {}, assert: [plan.isEmtpy, 'plan.counts.add ==', 1 + 1] }
  two:
    stepps: [{ plan: {} }]
`,
    );
    // What the schema refuses is told before what is meant is looked at.
    expect(faults).toEqual([expect.stringMatching(/^7:5 unknown-key Did you mean `steps`/)]);
    const later = await listFaults(
      `version: 1
tests:
  one:
    steps:
      - { plan: {}, assert: [plan.isEmtpy, 'plan.counts.add ==', 1 + 1] }
      - { drift: { delete: [web] } }
`,
    );
    expect(later.map((fault) => fault.slice(0, 24))).toEqual([
      expect.stringContaining('5:35 unknown-name'),
      expect.stringContaining('broken-expression'),
      expect.stringContaining('5:66 expression-type'),
      expect.stringContaining('6:29 invalid-address'),
    ]);
  });

  test('the frame shows the line', async () => {
    const { diagnostics } = await read(step('{ plan: {}, assert: plan.isEmtpy }'));
    expect(diagnostics[0]?.source?.frame).toMatch(/> 5 .*isEmtpy.*\n.*\^{7}$/m);
  });

  test('a link out of the directory is not followed', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'hostwright-outside-'));
    await writeFile(join(outside, 'secret'), 'version: secret');
    await symlink(join(outside, 'secret'), join(root, 'a.test.yaml'));
    const read = readTestFile({ path: join(root, 'a.test.yaml'), root, workingDirectory: root });
    expect(read.diagnostics).toMatchObject([{ code: 'file-outside' }]);
    expect(JSON.stringify(read)).not.toContain('version: secret');
    await rm(outside, { recursive: true });
  });
});

test('variables and the environment of a test come over those of its file', async () => {
  const { tests, diagnostics } = await read(`version: 1
variables: { a: 1, b: 1 }
environment: { REGION: eu, ZONE: z }
tests:
  first: { steps: [{ plan: {} }] }
  second:
    variables: { b: 2 }
    environment: { REGION: us }
    account: { quotas: { vmCpu: 3 }, nameLengths: { vm: 9 } }
    steps:
      - apply: { force: true, allowDataLoss: true, retryFailed: true, adopt: true, replace: [projects.a.vms.b] }
      - destroy: { exclude: [modules.prod] }
      - plan: { refreshOnly: true }
      - wait: 1d2h3m
      - edit: { variables: { a: 3 } }
`);
  expect(diagnostics).toEqual([]);
  const [first, second] = tests;
  expect(first).toMatchObject({ name: 'first', environment: { REGION: 'eu', ZONE: 'z' } });
  expect(first?.variables).toHaveLength(1);
  expect(second).toMatchObject({
    environment: { REGION: 'us', ZONE: 'z' },
    account: { quotas: { vmCpu: 3 }, nameLengths: { vm: 9 }, tree: undefined },
    source: { line: 6, column: 3 },
  });
  expect(second?.variables).toHaveLength(2);
  expect(second?.steps.map(({ name, action }) => [name, action])).toMatchObject([
    [
      'apply',
      {
        kind: 'apply',
        mode: 'apply',
        planOptions: {
          ...{ adoptsAll: true, isForced: true, allowsDataLoss: true },
          replace: ['projects.a.vms.b'],
        },
      },
    ],
    ['destroy', { mode: 'destroy', planOptions: { selection: { excludes: ['modules.prod'] } } }],
    ['plan', { kind: 'plan', mode: 'refresh' }],
    ['wait', { kind: 'wait', ms: ((24 + 2) * 60 + 3) * 60_000 }],
    ['edit', { kind: 'edit', patch: undefined }],
  ]);
});

test('a file tests its own directory, or the one above `tests`', async () => {
  await mkdir(join(root, 'tests'));
  expect(findTestedDirectory(join(root, 'a.test.yaml'))).toBe(root);
  expect(findTestedDirectory(join(root, 'tests', 'a.test.yaml'))).toBe(root);
  expect(findTestedDirectory(join(root, 'contests', 'a.test.yaml'))).toBe(join(root, 'contests'));
});
