import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkPlanPlace } from '../../../src/state/plan-file.ts';
import { nameBeside, replaceFile, sweepBeside } from '../../../src/state/files/replace-file.ts';

let directory: string;
const at = (name: string) => join(directory, name);
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-place-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('the place of a plan', () => {
  test('may be new, or an empty file', async () => {
    await writeFile(at('old'), '');
    for (const name of ['new', 'old']) await checkPlanPlace(at(name));
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
    await expect(checkPlanPlace(at(name))).rejects.toMatchObject({
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
    for (const name of ['plan', 'plan.2', 'lock.json']) await writeFile(nameBeside(at(name)), '');
    await sweepBeside(directory, (name) => name === 'plan');
    expect(await readdir(directory)).toHaveLength(5);
    await sweepBeside(directory, () => true);
    expect((await readdir(directory)).sort()).toEqual(names.sort());
  });
});
