import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/program.ts';
import type { KindName } from '../../../src/model/kind-places.ts';
import type { Attributes } from '../../../src/model/value.ts';
import type { JournalRecord } from '../../../src/state/journal/records.ts';
import { openStateStore } from '../../../src/state/store.ts';
import { silentRuntime } from '../../support/silent-runtime.ts';
import { openLocalBackend } from '../../../src/state/backends/local.ts';
import { openFolder } from '../../support/open-folder.ts';

let directory: string;
beforeEach(async () => {
  directory = await openFolder('state');
});

async function hostwright(...argv: string[]) {
  const told = { stdout: '', stderr: '' };
  const sink = (name: keyof typeof told) => ({
    ...silentRuntime.stdout,
    write: (text: string) => void (told[name] += text),
  });
  const runtime = {
    ...silentRuntime,
    ...{ cwd: directory, stdout: sink('stdout'), stderr: sink('stderr') },
    process: { ...silentRuntime.process, pid: process.pid },
  };
  return { code: await runCommandLine(argv, runtime), ...told };
}

const bound = (address: string, kind: 'project' | 'vm', projectId = 'p'): JournalRecord => {
  const id = kind === 'project' ? projectId : `${address}-id`;
  return {
    kind: 'bound',
    resource: { address, kind, id, projectId, attributes: {}, configured: [] },
  };
};

/** A run that ends, or that is killed before it has a snapshot of what it wrote down. */
async function record(records: readonly JournalRecord[], isKilled = false): Promise<void> {
  const store = await openStateStore(openLocalBackend(directory));
  for (const one of records) await store.record(one);
  if (!isKilled) await store.compact();
  await store.close();
}

const shop = [
  bound('projects.shop', 'project'),
  bound('projects.shop.vms.web[0]', 'vm'),
  bound('projects.shop.vms.web[1]', 'vm'),
];

describe('state list', () => {
  test('lists what stands at or below each address', async () => {
    await record([...shop, bound('projects.blog', 'project')]);
    const { code, stdout } = await hostwright('state', 'list', 'projects.shop.vms');
    expect([code, stdout]).toEqual([0, 'projects.shop.vms.web[0]\nprojects.shop.vms.web[1]\n']);
  });

  test('refuses every address that the state does not have, with what comes near', async () => {
    await record(shop);
    const { code, stdout, stderr } = await hostwright(
      ...['state', 'list', 'projects.shop', 'projects.shop.vms.wep[0]', 'projects.blog.vms'],
    );
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('The state has no projects.shop.vms.wep[0]');
    expect(stderr).toContain('Did you mean projects.shop.vms.web[0]?');
    expect(stderr).toContain('The state has no projects.blog.vms');
  });
});

describe('state mv', () => {
  const inModule = (name: string): JournalRecord[] => [
    bound(`modules.${name}.projects.shop`, 'project', `${name}-shop`),
    bound(`modules.${name}.projects.shop.vms.web`, 'vm', `${name}-shop`),
  ];

  test('moves a module with all that stands in it', async () => {
    await record([...inModule('old'), ...inModule('other')]);
    const { code, stdout } = await hostwright('state', 'mv', 'modules.old', 'modules.new["a"]');
    expect([code, stdout]).toEqual([
      0,
      'Move "modules.old.projects.shop" to "modules.new["a"].projects.shop"\n' +
        'Move "modules.old.projects.shop.vms.web" to "modules.new["a"].projects.shop.vms.web"\n' +
        'Successfully moved 2 objects.\n',
    ]);
    const listed = await hostwright('state', 'list', 'modules.new');
    expect(listed.stdout.split('\n')).toHaveLength(3);
  });

  test.each([
    ['modules.old', 'modules.other', 'move-target-taken'],
    ['modules.old', 'projects.shop', 'wrong-kind'],
    ['modules.old.projects.shop', 'modules.old', 'wrong-kind'],
    ['modules.none', 'modules.new', 'not-in-state'],
    ['modules.old', 'modules', 'not-an-address'],
  ])('%s to %s: %s', async (from, to, code) => {
    await record([...inModule('old'), ...inModule('other')]);
    const refused = await hostwright('state', 'mv', from, to);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`[${code}]`);
  });
});

describe('after a run that was killed', () => {
  beforeEach(async () => {
    await record(shop.slice(0, 1));
    await record(shop.slice(1), true);
  });

  const pull = async () => {
    const { stdout } = await hostwright('state', 'pull');
    return JSON.parse(stdout) as { serial: number; resources: { address: string }[] };
  };

  test('what is pulled holds what it wrote down, and has the serial of that', async () => {
    const pulled = await pull();
    expect(pulled.resources).toHaveLength(3);
    expect(pulled.serial).toBe(2);
    // As the next run folds it.
    await record([]);
    expect(await pull()).toEqual(pulled);
  });

  test('it is newer than what was pulled before, and the same as what is here', async () => {
    const { stdout: pulled } = await hostwright('state', 'pull');
    await writeFile(join(directory, 'pulled.json'), pulled);
    const { stdout } = await hostwright('state', 'push', 'pulled.json');
    expect(stdout).toContain('Nothing to do');
    const older = pulled.replace('"serial": 2', '"serial": 1').replace(/web\[1\]/g, 'web[2]');
    await writeFile(join(directory, 'pulled.json'), older);
    const refused = await hostwright('state', 'push', 'pulled.json');
    expect(refused.stderr).toContain('[state-older]');
  });
});

test('state rm leaves the ids of what it forgets where others name it: no plan takes that for a change outside', async () => {
  const resource = (address: string, kind: KindName, attributes: Attributes = {}) => ({
    kind: 'bound' as const,
    resource: { address, kind, id: `${kind}-1`, projectId: 'p', attributes, configured: [] },
  });
  await record([
    bound('projects.shop', 'project'),
    resource('projects.shop.networks.lan', 'network'),
    resource('projects.shop.publicIps.edge', 'publicIp'),
    resource('projects.shop.vms.web', 'vm', { networks: ['man', 'lan'], publicIp: 'edge' }),
  ]);
  const gone = ['projects.shop.networks.lan', 'projects.shop.publicIps.edge'];
  expect((await hostwright('state', 'rm', ...gone)).code).toBe(0);
  const { stdout } = await hostwright('state', 'pull');
  const { resources } = JSON.parse(stdout) as { resources: { attributes: Attributes }[] };
  expect(resources.at(-1)?.attributes).toEqual({
    networks: ['man', 'id:network-1'],
    publicIp: 'id:publicIp-1',
  });
});
