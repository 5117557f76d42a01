// Leave for probes, and their answers where nobody makes them: `--allow-probes`, rehearsals and `hostwright test`.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Runtime } from '../../src/model/runtime.ts';
import { openFolder } from '../support/open-folder.ts';
import { runInProcess } from './run-in-process.ts';

const ask = vi.fn(() => Promise.resolve({ kind: 'holds' as const }));
const openProber = vi.fn<Runtime['openProber']>(() => ask);
let directory = '';

const configurationOf = (image: string, probe = 'tcp: 203.0.113.7:22') => `version: 1
service: { sandbox: true }
projects:
  p:
    vms:
      web:
        count: 2
        image: debian-${image}
        configuration: c1-r1-d20
        tariff: monthly
        rollout: { atOnce: 1, ready: [${probe}] }
`;
const write = (name: string, text: string) => writeFile(join(directory, name), text);
const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runInProcess(args, { cwd: directory, env, openProber });

beforeEach(async () => {
  vi.clearAllMocks();
  directory = await openFolder('probes');
  await write('main.yaml', configurationOf('12'));
});

describe('probes', () => {
  it.each<[string, string[], Record<string, string>, string | undefined]>([
    ['nothing', ['plan'], {}, 'probe-not-allowed'],
    ['a refusal', ['plan', '--allow-probes=0'], {}, 'probe-not-allowed'],
    ['the flag', ['plan', '--allow-probes', '.'], {}, undefined],
    ['ranges', ['plan', '--allow-probes', '10.0.0.0/8,fd00::/8', '.'], {}, undefined],
    ['the environment', ['plan'], { HOSTWRIGHT_ALLOW_PROBES: '10.0.0.0/8' }, undefined],
    ['no range', ['plan', '--allow-probes=10.0.0.0'], {}, 'invalid-argument'],
    ['no range', ['plan', '--allow-probes=10.0.0.0/33'], {}, 'invalid-argument'],
  ])('are allowed by %s: %j', async (_, args, env, code) => {
    const { stdout, stderr } = await run(args, env);
    expect(/\[([a-z-]+)\]/.exec(stdout + stderr)?.[1]).toBe(code);
    expect(ask).not.toHaveBeenCalled();
  });

  it('of a program need leave for commands as well', async () => {
    await write('main.yaml', configurationOf('12', 'command: [./x]'));
    expect((await run(['plan', '--allow-probes'])).stdout).toContain('[command-not-allowed]');
    const { stdout } = await run(['plan', '--allow-probes', '--allow-commands']);
    expect(stdout).toContain('command ["./x"]');
    expect(stdout).not.toContain('not-allowed]');
  });

  it('are made by an apply, in the ranges that are listed', async () => {
    const args = ['apply', '--auto-approve', '--allow-probes=127.0.0.0/8'];
    const { code, stderr } = await run(args);
    expect({ code, probed: stderr.match(/Probing\.\.\./g)?.length }).toEqual({
      code: 0,
      probed: 2,
    });
    expect(openProber).toHaveBeenCalledWith({
      ...{ ranges: ['127.0.0.0/8'], directory },
      isOnServer: false,
    });
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('of a saved plan need leave from whoever applies it', async () => {
    await run(['plan', '--allow-probes', '--out', 'p.hwp']);
    expect((await run(['apply', 'p.hwp'])).stderr).toContain('[probe-not-allowed]');
    expect(await run(['apply', 'p.hwp', '--allow-probes'])).toMatchObject({ code: 0 });
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('are answered by script in a rehearsal, and make its downtime longer', async () => {
    await run(['apply', '--auto-approve', '--allow-probes']);
    vi.clearAllMocks();
    await write('main.yaml', configurationOf('13'));
    const outOf = async (script: string) => {
      await write('f.faults', `ready: ${script}\n`);
      const args = ['plan', '--allow-probes', '--faults', 'f.faults', '--format', 'json'];
      const { hostwright } = JSON.parse((await run(args)).stdout) as {
        hostwright: {
          downtime: Record<string, { seconds: number }>;
          rehearsal: { failures: object[] };
        };
      };
      const { downtime, rehearsal } = hostwright;
      return { seconds: downtime['projects.p.vms.web']?.seconds, failures: rehearsal.failures };
    };
    const [at, late, never] = [
      await outOf('{ after: 0s }'),
      await outOf('{ after: 40s }'),
      await outOf('{ "projects.p.vms.web[0]": never }'),
    ];
    expect(late.seconds! - at.seconds!).toBeGreaterThanOrEqual(80);
    expect(late.seconds! - at.seconds!).toBeLessThan(95);
    expect(never.failures).toMatchObject([{ address: 'projects.p.vms.web[0]' }]);
    expect(ask).not.toHaveBeenCalled();
  });

  it('are answered by the script of a test', async () => {
    await write(
      'a.test.yaml',
      `version: 1
tests:
  is ready: { steps: [{ apply: { ready: { after: 40s } } }, { plan: {}, assert: plan.isEmpty }] }
  is never ready:
    steps:
      - { apply: { ready: { "projects.p.vms.web[1]": never } }, expectFailures: [not-ready] }
`,
    );
    const { code, stdout } = await run(['test']);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(ask).not.toHaveBeenCalled();
  });
});
