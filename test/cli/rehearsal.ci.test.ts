// A rehearsal sends nothing, runs nothing and writes nothing, whatever the configuration asks for.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { exchangeByFetch } from '../../src/api/transport/exchange-by-fetch.ts';
import type { ReservedQuota } from '../../src/model/account/reserved-quota.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { hurriedClock } from './hurried-clock.ts';
import { runInProcess } from './run-in-process.ts';

const yaml = `version: 1
tokens:
  kept: { scopes: [compute], writeTo: { file: secrets/kept.token } }
  piped: { scopes: [compute], writeTo: { command: "cat > piped.token" } }
projects:
  demo:
    networks: { backend: }
    vms: { web: { count: 2, image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: [backend] } }
`;

const faults = `rules:
  - { name: lost, when: { method: POST, every: 3 }, then: { drop: after } }
`;

/** No token comes about, so that a second plan creates it. */
const refusal = `rules:
  - { name: refused, when: { operation: createToken }, then: { answer: { status: 403 } } }
`;

let directory = '';
let sandbox: Sandbox;
const sent: string[] = [];
let reservedQuotas: readonly ReservedQuota[] = [];

beforeEach(async () => {
  sent.length = 0;
  reservedQuotas = [];
  directory = await mkdtemp(join(tmpdir(), 'hostwright-rehearsal-'));
  await writeFile(join(directory, 'main.yaml'), yaml);
  await writeFile(join(directory, 'trouble.faults'), faults);
  sandbox = await openSandbox({ dataFile: ':memory:', now: () => hurriedClock.now() });
});
afterEach(async () => {
  sandbox.close();
  await rm(directory, { recursive: true });
});

const execute = vi.fn(() => Promise.resolve(''));

/** A plan of the directory on an account that notes what it is asked; it may run the commands of the configuration. */
const plan = (...flags: string[]) => planWith('--allow-commands', ...flags);

/** The same with these flags alone. */
const planWith = (...flags: string[]) =>
  runInProcess(['plan', ...flags], {
    cwd: directory,
    env: { HOSTWRIGHT_BASE_URL: 'http://127.0.0.1:1/v1', HOSTWRIGHT_TOKEN: sandbox.token },
    execute,
    reservedQuotas,
    openNetwork: () => ({
      exchange: exchangeByFetch((request) => {
        sent.push(`${request.method} ${new URL(request.url).pathname}`);
        return sandbox.fetch(request);
      }, hurriedClock),
      close: () => undefined,
    }),
  });

/** Faults that a plan and its rehearsal tell of, and changes that are left for a second plan. */
interface RefusedPlan {
  readonly findings: readonly { readonly code: string }[];
  readonly rehearsal: Pick<RefusedPlan, 'findings'> & { readonly remaining: readonly object[] };
}

/** Rehearses a plan on an account that refuses to create tokens. */
async function rehearseRefused(...flags: string[]): Promise<RefusedPlan> {
  await writeFile(join(directory, 'refusing.faults'), refusal);
  const shown = await planWith(...flags, '--faults', 'refusing.faults', '--format', 'json');
  return (JSON.parse(shown.stdout) as { readonly hostwright: RefusedPlan }).hostwright;
}

/** Every file below the directory with what it holds. */
async function readTree(): Promise<readonly (readonly [string, string])[]> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  const read = files
    .filter((one) => one.isFile())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path, await readFile(path, 'utf8')] as const;
    });
  return Promise.all(read);
}

describe('a rehearsal', () => {
  test('asks nothing of the account beyond what the plan reads', async () => {
    expect(await plan()).toMatchObject({ code: 0 });
    const asked = [...sent].sort();
    sent.length = 0;
    expect((await plan('--rehearse')).stdout).toContain('Rehearsal: 6 changes end in');
    expect([...sent].sort()).toEqual(asked);
    expect(sent.filter((one) => !one.startsWith('GET '))).toEqual([]);
  });

  test('writes no file, runs no command and opens no connection', async () => {
    const before = await readTree();
    const connect = vi.spyOn(Socket.prototype, 'connect');
    const rehearsed = await plan('--faults', 'trouble.faults', '--rehearsals', '5');
    expect(rehearsed.stdout).toMatch(/Rehearsal: 6 changes end whole in \d of 5 rehearsals\./);
    expect(await readTree()).toEqual(before);
    expect(execute).not.toHaveBeenCalled();
    expect(connect).not.toHaveBeenCalled();
    connect.mockRestore();
  });

  test.each([
    [['--allow-commands'], false],
    [[], true],
  ])(
    'lets its second plan run the commands that the first one may, with %j',
    async (flags, isRefused) => {
      const { rehearsal, findings } = await rehearseRefused(...flags);
      expect(rehearsal.remaining).toContainEqual({ address: 'tokens.piped', action: 'create' });
      const isTold = ({ code }: { readonly code: string }) => code === 'command-not-allowed';
      expect(findings.some(isTold)).toBe(isRefused);
      expect(rehearsal.findings.some(isTold)).toBe(isRefused);
    },
  );

  test('counts in its second plan, too, what others have reserved of the quotas', async () => {
    reservedQuotas = [{ name: 'accessTokens', amount: 1_000_000, workspace: 'other', run: 7 }];
    const { rehearsal, findings } = await rehearseRefused('--allow-commands');
    for (const told of [findings, rehearsal.findings]) {
      expect(told).toContainEqual(
        expect.objectContaining({
          code: 'quota-exceeded',
          summary: expect.stringContaining('reserved by the workspace other') as string,
        }),
      );
    }
  });

  test('is no part of a saved plan', async () => {
    expect(await plan('--rehearse', '--out', 'with.plan')).toMatchObject({ code: 0 });
    const saved = JSON.parse(await readFile(join(directory, 'with.plan'), 'utf8')) as object;
    // The name of the directory has the word in it.
    expect(JSON.stringify({ ...saved, identity: undefined })).not.toMatch(/rehears/i);
    const shown = await runInProcess(['show', 'with.plan'], { cwd: directory });
    expect(shown.stdout).not.toContain('Rehearsal:');
  });

  test('shows the same in every form', async () => {
    const json = await plan('--rehearse', '--format', 'json');
    const { hostwright } = JSON.parse(json.stdout) as { hostwright: { rehearsal: object } };
    expect(hostwright.rehearsal).toMatchObject({ whole: true, changes: 6, failures: [] });
    const { summary } = hostwright.rehearsal as { summary: string };
    const markdown = await plan('--rehearse', '--format', 'markdown');
    expect(markdown.stdout).toContain(`**Rehearsal:** ${summary}\n`);
    const html = await plan('--rehearse', '--format', 'html');
    expect(html.stdout).toContain(`<h2 id="rehearsal">Rehearsal</h2>`);
    const events = await plan('--rehearse', '--json');
    expect(events.stdout).toContain(`"@message":"Rehearsal: ${summary}"`);
  });

  test.each([
    [['--faults', 'missing.yaml'], 'unreadable-file', '--faults cannot read missing.yaml'],
    [['--faults', 'main.yaml'], 'invalid-faults', 'on main.yaml line 1, column 1'],
  ])('is refused with %j before anything is asked', async (flags, _code, words) => {
    const refused = await plan(...flags);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(words);
    expect(sent).toEqual([]);
  });

  test.each([
    [
      'rules: [{ then: { capacity: { configuration: c2-r4-d40 } } }]',
      'rules[0].then.capacity.configuration is the size of no VM in the configuration: write `c1-r1-d20`',
      46,
    ],
    [
      'edits: [{ do: stopVm, on: { project: demo, vm: web_0 } }]',
      'edits[0].on.vm names nothing that the rehearsal has: did you mean `web-0`?',
      48,
    ],
    [
      'edits: [{ do: deletePortForward, on: { project: demo, publicIp: web-0, portForward: tcp/443 } }]',
      'edits[0].on.portForward names nothing that the rehearsal has: there is none',
      85,
    ],
    [
      'ready: { projects.demo.vms.web: never }',
      'ready.projects.demo.vms.web is neither a VM with probes nor the block of one: there is none',
      10,
    ],
  ])('refuses a script about what it has not: %s', async (script, words, column) => {
    await writeFile(join(directory, 'absent.faults'), script);
    const refused = await plan('--faults', 'absent.faults');
    expect(refused.code).toBe(1);
    const said = refused.stderr.replaceAll(/\n│ +/g, ' ');
    expect(said).toContain(words);
    expect(said).toContain(`on absent.faults line 1, column ${column}\n`);
  });

  test.each([
    [
      'what an edit names',
      'edits: [{ do: renameVm, on: { project: demo, vm: web-0 }, body: { name: w } }, { do: stopVm, on: { project: demo, vm: w } }]',
    ],
    [
      'a newest backup',
      'edits: [{ do: deleteBackup, on: { project: demo, vm: web-0, backup: newest } }]',
    ],
    [
      'a size that is ordered',
      'rules: [{ then: { capacity: { configuration: c1-r1-d20, left: 1 } } }]',
    ],
  ])('takes a script about %s', async (_what, script) => {
    await writeFile(join(directory, 'some.faults'), script);
    expect(await plan('--faults', 'some.faults')).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    [['--rehearse', '--refresh-only'], '--rehearse cannot be used with --refresh-only'],
    [['--rehearse', '--format', 'sarif'], 'A rehearsal cannot be shown as sarif'],
    [['--rehearsals', '0'], 'Give a whole number from 1 to 1000.'],
  ])('is not made with %j', async (flags, words) => {
    const refused = await plan(...flags);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(words);
  });
});
