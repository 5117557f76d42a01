import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from './program.ts';

let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hostwright-completion-'));
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await run(['completion', shell]);
    expect(code).toBe(0);
    writeFileSync(join(directory, shell), stdout);
  }
});
afterAll(() => rmSync(directory, { recursive: true }));

const cases: [string, string[]][] = [
  ['hostwright pl', ['plan']],
  ['hostwright state p', ['pull', 'push']],
  ['hostwright plan --det', ['--detailed-exitcode']],
  ['hostwright plan --format j', ['json', 'junit']],
  ['hostwright --chdir /tmp vm sta', ['start']],
  ['hostwright completion z', ['zsh']],
  ['hostwright exp', ['export']],
  ['hostwright ini', ['init']],
  ['hostwright init --b', ['--base-url']],
  ['hostwright doc', ['doctor']],
  ['hostwright doctor --j', ['--json']],
  ['hostwright export --pr', ['--project']],
];

describe('in bash', () => {
  const complete = (line: string) =>
    execFileSync(
      'bash',
      [
        ...['--norc', '-c'],
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hostwright; printf "%s\\n" "${COMPREPLY[@]}"',
        ...['bash', join(directory, 'bash'), ...line.split(' ')],
      ],
      { encoding: 'utf8' },
    );
  test.each(cases)('%s', (line, words) => {
    expect(complete(line).trim().split('\n')).toEqual(words);
  });

  test('files, where nothing else is known', () => {
    expect(complete('hostwright plan ').trim()).toBe('');
    expect(
      execFileSync('grep', ['-c', 'complete -o default', join(directory, 'bash')]).toString(),
    ).toBe('1\n');
  });
});

describe.runIf(existsSync('/usr/bin/fish'))('in fish', () => {
  test.each(cases)('%s', (line, words) => {
    const script = `source ${join(directory, 'fish')}; complete -C '${line}'`;
    const printed = execFileSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' });
    const completed = printed
      .trim()
      .split('\n')
      .map((each) => each.split('\t')[0]);
    expect(completed).toEqual(words);
  });
});

describe.runIf(existsSync('/usr/bin/zsh'))('in zsh', () => {
  // What zsh offers is taken at the functions that it is offered with.
  const harness = `
    compdef() { :; }
    _describe() { local each; for each in "\${(@P)2}"; do print -r -- "\${each%%:*}"; done; }
    compadd() { shift; print -rl -- "$@"; }
    _files() { :; }
    source "$1"; shift; words=("$@"); CURRENT=$#; _hostwright`;
  test.each(cases)('%s', (line, expected) => {
    const typed = line.split(' ');
    const printed = execFileSync(
      'zsh',
      ['-f', '-c', harness, 'zsh', join(directory, 'zsh'), ...typed],
      {
        encoding: 'utf8',
      },
    );
    const begun = typed.at(-1) ?? '';
    const offered = printed
      .trim()
      .split('\n')
      .filter((word) => word.startsWith(begun));
    expect(offered).toEqual(expected);
  });
});

test('of a shell that is not known is refused', async () => {
  const { code, stderr } = await run(['completion', 'tcsh']);
  expect(code).toBe(1);
  expect(stderr).toContain('Use one of bash, zsh, fish');
});
