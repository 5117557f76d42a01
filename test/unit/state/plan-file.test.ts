import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DeferredExpression } from '../../../src/model/deferred.ts';
import { listStalePlanReasons } from '../../../src/plan/list-moved.ts';
import {
  requireWritablePlanPath,
  readPlanFile,
  writePlanFile,
  type SavedPlan,
} from '../../../src/state/plan-file.ts';
import { defer, expressionOf } from '../../support/defer.ts';
import { planOf } from '../../support/plan-lines.ts';
import { editProject } from '../../support/world.ts';
import {
  nameTemporaryFile,
  replaceFile,
  removeTemporaryFiles,
} from '../../../src/state/files/replace-file.ts';

let directory: string;
const at = (name: string) => join(directory, name);
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-place-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('the place of a plan', () => {
  test('may be new, or an empty file', async () => {
    await writeFile(at('old'), '');
    for (const name of ['new', 'old']) await requireWritablePlanPath(at(name));
    expect(await readdir(directory)).toEqual(['old']);
  });

  test.each([
    ['sub', 'It is a directory.', 'plan.hwp'],
    ['none/plan', 'There is no directory', 'Make the directory first'],
    ['file/plan', 'There is no directory', 'Make the directory first'],
    ['null', 'It is a link, not a file.', 'Choose another place'],
    ['link', 'It is a link, not a file.', 'Choose another place'],
    ['notes', 'There is a file that Hostwright did not write.', 'Name another file'],
  ])('%s is refused', async (name, detail, hint) => {
    await mkdir(at('sub'));
    await writeFile(at('file'), '');
    await symlink('/dev/null', at('null'));
    await writeFile(at('notes'), 'mine');
    await symlink('notes', at('link'));
    await expect(requireWritablePlanPath(at(name))).rejects.toMatchObject({
      diagnostics: [
        {
          code: 'plan-file-unwritable',
          detail: expect.stringContaining(detail) as string,
          hint: expect.stringContaining(hint) as string,
        },
      ],
    });
  });
});

describe('a saved plan', () => {
  const lan = 'projects.p.networks.lan';
  const expression = expressionOf(`"of-" + ${lan}.cidr`, [`${lan}.cidr`]);
  const nested: DeferredExpression = {
    ...expression,
    isTemplate: true,
    text: 'x-${local.a}-${local.b.deep[1]}',
    names: [
      [['local', 'a'], { kind: 'map', entries: { deep: { kind: 'list', items: [expression] } } }],
      [['local', 'b'], { kind: 'value', value: 'known' }],
    ],
    prefix: 'modules.inner["eu"].',
  };
  const vms = { web: {}, old: {}, beside: {} };
  const grown = { ...vms, fresh: {} };
  const edited = editProject({ vms }, { vms: grown, networks: { lan: {} } });
  const world = [
    ['web', 'name', expression],
    ['old', 'configuration', nested],
    ['beside', 'plugins', { kind: 'list', items: [expression] }],
    ['fresh', 'name', nested],
  ] as const;
  const { desired, ...given } = world.reduce(
    (sofar, [vm, name, value]) => defer(sofar, `projects.p.vms.${vm}`, name, value),
    edited,
  );
  const plan = planOf({ desired, ...given });
  const saved: SavedPlan = {
    ...{
      version: '0.0.0',
      directory: '.',
      service: 'sandbox',
      lineage: 'l',
      serial: 3,
      plannedAt: 4,
    },
    ...{ fingerprints: {}, desired, isIncomplete: false, variables: {}, plan },
    planOptions: {
      adoptsAll: false,
      isForced: false,
      replace: [],
      selection: { targets: [], excludes: [] },
    },
  };

  test('comes back with what is decided of deferred values of every sort', async () => {
    await writePlanFile(at('plan'), saved);
    const read = await readPlanFile(at('plan'));
    expect(read.plan.deferred).toEqual(plan.deferred);
    expect(read.plan.deferred?.map(({ address }) => address)).toEqual(
      ['beside', 'fresh', 'old', 'web'].map((vm) => `projects.p.vms.${vm}`),
    );
    expect(listStalePlanReasons(read.plan, plan)).toEqual([]);
  });

  test('of another version of the format is refused, and one that was changed', async () => {
    await writePlanFile(at('plan'), saved);
    const text = await readFile(at('plan'), 'utf8');
    await writeFile(at('plan'), text.replace(/"formatVersion":\d+/, '"formatVersion":2'));
    await expect(readPlanFile(at('plan'))).rejects.toMatchObject({
      diagnostics: [
        {
          code: 'plan-file-version',
          hint: expect.stringContaining('Make the plan again') as string,
        },
      ],
    });
    await writeFile(at('plan'), text.replace('"spareName"', '"spareNames"'));
    await expect(readPlanFile(at('plan'))).rejects.toMatchObject({
      diagnostics: [{ code: 'plan-file-damaged' }],
    });
  });
});

describe('a file that takes the place of another', () => {
  test('leaves what stands beside it alone, and nothing behind', async () => {
    await writeFile(at('plan'), 'old');
    await writeFile(at('plan.tmp'), 'of the user');
    await replaceFile(at('plan'), 'new');
    expect((await readdir(directory)).sort()).toEqual(['plan', 'plan.tmp']);
    expect(await readFile(at('plan'), 'utf8')).toBe('new');
    expect(await readFile(at('plan.tmp'), 'utf8')).toBe('of the user');
  });

  test('leaves nothing behind when it cannot', async () => {
    await mkdir(at('plan'));
    await expect(replaceFile(at('plan'), 'new')).rejects.toMatchObject({ code: 'EISDIR' });
    expect(await readdir(directory)).toEqual(['plan']);
  });

  test('is swept where a killed run left it: of one file, or of all', async () => {
    const names = ['plan', '.plan.0123.tmp', 'plan.0123456789abcdef.tmp'];
    for (const name of names) await writeFile(at(name), '');
    for (const name of ['plan', 'plan.2', 'lock.json'])
      await writeFile(nameTemporaryFile(at(name)), '');
    await removeTemporaryFiles(directory, (name) => name === 'plan');
    expect(await readdir(directory)).toHaveLength(5);
    await removeTemporaryFiles(directory, () => true);
    expect((await readdir(directory)).sort()).toEqual(names.sort());
  });
});
