import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { runInProcess as run } from './run-in-process.ts';
import { expectFailure } from '../support/expect-words.ts';
import { openFolder } from '../support/open-folder.ts';

const valid = 'Success! The configuration is valid: 1 resource.\n';

let directory: string;
beforeEach(async () => {
  directory = await openFolder('operands');
  await writeFile(
    join(directory, 'main.yaml'),
    'version: 1\nservice: { sandbox: {} }\nvariables: { name: { default: shop } }\nprojects: { a: { name: ${var.name} } }\n',
  );
  await mkdir(join(directory, 'sub'));
});

describe('what follows -- is an operand', () => {
  test.each(['--chdir', '--var', '--no-color', '--help', '--max-resources'])(
    'also where it is spelled %s',
    async (name) => {
      const made = await run(['init', '--', name], { cwd: directory });
      expect(made).toMatchObject({ code: 0, stderr: '' });
      expect(made.stdout).toContain(`\n  hostwright plan ./${name}    # `);
      expect(await readdir(join(directory, name))).toContain('main.yaml');
    },
  );

  test('of a command within a command, and after options', async () => {
    const args = ['--no-color', 'state', 'show', '--json', '--', '--verbose'];
    const shown = await run(args, { cwd: directory });
    expect(shown.code).toBe(1);
    expect(JSON.parse(shown.stdout)).toMatchObject({ diagnostics: [{ code: 'no-state' }] });
    expect(shown.stderr).not.toContain('unknown option');
    const stopped = await run(['vm', 'stop', '--', '--json'], { cwd: directory });
    expect(stopped.stderr).toContain('[not-in-state]');
  });

  test('and one too many is refused', async () => {
    const excess = await run(['validate', '--', '.', '--json'], { cwd: directory });
    expectFailure(
      excess,
      'Error: "hostwright validate" takes 1 argument, and got 2 [too-many-arguments]',
    );
  });
});

describe('an option of every command', () => {
  test.each([
    ['before the command', (at: string) => ['--chdir', at, 'validate']],
    ['after it', (at: string) => ['validate', '--chdir', at]],
    ['with =', (at: string) => ['validate', `--chdir=${at}`]],
    ['before --', (at: string) => ['validate', '--chdir', at, '--', '.']],
  ])('is taken %s', async (_, line) => {
    const cwd = join(directory, 'sub');
    expect(await run(line(directory), { cwd })).toMatchObject({ code: 0, stdout: valid });
  });

  test('may be given several times where it says so', async () => {
    const line = ['validate', '--var', 'name=a=b', '--var=name=--'];
    expect(await run(line, { cwd: directory })).toMatchObject({ code: 0, stdout: valid });
  });

  test.each(['--chdir <dir>', '--var <name=value>', '--max-resources <n>'])(
    'needs its value: %s',
    async (flags) => {
      const [name = ''] = flags.split(' ');
      const { code, stdout, stderr } = await run(['validate', name], { cwd: directory });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`Error: ${flags} needs its value [missing-value]`);
    },
  );
});
