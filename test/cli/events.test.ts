import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runInProcess as run, serve, type ServedSandbox } from './run-in-process.ts';
import { expectFailure, expectOutput } from '../support/expect-words.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);
const validate = ajv.compile(
  JSON.parse(readFileSync('schemas/events.schema.json', 'utf8')) as object,
);

const configuration = `version: 1
variables: { password: { default: correct-horse, sensitive: true } }
outputs: { secret: { value: "\${var.password}", sensitive: true } }
projects: { shop: { networks: { lan: {} } } }
`;

interface Line {
  readonly type: string;
  readonly '@message': string;
}

describe('the stream of events', () => {
  let sandbox: ServedSandbox;
  let directory: string;
  const hostwright = (...args: string[]) => run(args, { cwd: directory, env: sandbox.env });
  const configure = (text: string) => writeFile(join(directory, 'main.yaml'), text);

  /** Every line of a stream, checked against the schema. */
  function read(stream: string): Line[] {
    expect(stream.endsWith('\n')).toBe(true);
    return stream
      .trimEnd()
      .split('\n')
      .map((line) => {
        const event = JSON.parse(line) as Line;
        validate(event);
        expect(validate.errors, line).toBeNull();
        return event;
      });
  }

  beforeAll(async () => {
    sandbox = await serve('--speed', '100');
    directory = await mkdtemp(join(tmpdir(), 'hostwright-events-'));
    await configure(configuration);
  });
  afterAll(async () => {
    await sandbox.stop();
    await rm(directory, { recursive: true });
  });

  test('of a plan is all that it prints', async () => {
    const { code, stdout, stderr } = await hostwright('plan', '--json', '--detailed-exitcode');
    expect([code, stderr]).toEqual([2, '']);
    expect(read(stdout).map(({ type }) => type)).toEqual([
      ...['version', 'planned_change', 'planned_change', 'change_summary', 'outputs'],
    ]);
    expect(stdout).not.toContain('correct-horse');
  });

  test('of an apply stands in a file, beside the text', async () => {
    const applied = await hostwright('apply', '--auto-approve', '--json-into', 'events.jsonl');
    expect(applied.code, applied.stderr).toBe(0);
    expect(applied.stdout).toContain('Apply complete! Resources: 2 added');
    const stream = await readFile(join(directory, 'events.jsonl'), 'utf8');
    const types = read(stream).map(({ type }) => type);
    expect(types.slice(0, 5)).toEqual([
      ...['version', 'planned_change', 'planned_change', 'change_summary', 'outputs'],
    ]);
    expect(types.filter((type) => type.startsWith('apply_')).sort()).toEqual([
      ...['apply_complete', 'apply_complete', 'apply_start', 'apply_start'],
    ]);
    expect(types.slice(-2)).toEqual(['change_summary', 'outputs']);
    expect(stream).not.toContain('correct-horse');
  });

  test('tells what stops a command, and nothing else does', async () => {
    await configure('version: 1\nprojects: { shop: { netwroks: {} } }\n');
    const { code, stdout, stderr } = await hostwright('plan', '--json');
    await configure(configuration);
    expect([code, stderr]).toEqual([1, '']);
    expect(read(stdout).map(({ type }) => type)).toEqual(['version', 'diagnostic']);
    const missing = await hostwright('apply', 'nowhere', '--json');
    expect(missing.code).toBe(1);
    expect(read(missing.stdout).at(-1)).toMatchObject({
      diagnostic: { code: 'directory-not-found' },
    });
  });

  test('goes to a file that can be written', async () =>
    expectFailure(
      await hostwright('plan', '--json-into', 'no/such/directory'),
      '[events-unwritable]',
    ));

  test('goes to no device', async () =>
    expectFailure(
      await hostwright('plan', '--json-into', '/dev/full'),
      '[events-unwritable]',
      'It is a device, not a file.',
    ));

  test('of a destroy ends with its own counts', async () => {
    const { code, stdout } = await hostwright('destroy', '--auto-approve', '--json');
    expect(code).toBe(0);
    expect(
      read(stdout)
        .filter(({ type }) => type === 'change_summary')
        .at(-1),
    ).toMatchObject({ changes: { operation: 'destroy', remove: 2 } });
  });
});

describe('findings for code hosts', () => {
  let directory: string;
  const hostwright = (...args: string[]) => run(args, { cwd: directory });

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hostwright-findings-'));
    await writeFile(
      join(directory, 'main.yaml'),
      'version: 1\nservice: { sandbox: true }\nprojects: { shop: { netwroks: {} } }\n',
    );
  });
  afterAll(() => rm(directory, { recursive: true }));

  test.each(['validate', 'plan'])('of %s are there although it stops', async (command) => {
    const sarif = await hostwright(command, '--format', 'sarif');
    expect(sarif.code).toBe(1);
    const log = JSON.parse(sarif.stdout) as { runs: { results: object[] }[] };
    expect(log.runs[0]?.results).toMatchObject([
      {
        ruleId: 'unknown-key',
        locations: [{ physicalLocation: { region: { startLine: 3, startColumn: 21 } } }],
      },
    ]);
    const junit = await hostwright(command, '--format', 'junit');
    expect(junit.code).toBe(1);
    expect(junit.stdout).toContain('<failure type="unknown-key"');
  });

  test('are none where nothing is wrong, and none of a state', async () => {
    await writeFile(join(directory, 'main.yaml'), 'version: 1\nservice: { sandbox: true }\n');
    expectOutput(await hostwright('plan', '--format', 'junit'), 'name="no findings"');
    const state = await hostwright('show', '--format', 'sarif');
    expectFailure(state, '[no-findings-in-state]');
  });
});
