// Completed words, as a shell runs them: its candidates are a stranger's keys, and Enter follows. On a real terminal, which
// `script` of util-linux makes.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeEach, describe, expect, test, onTestFinished } from 'vitest';
import { drawSome } from '../support/budget/budget.ts';
import { runInProcess } from '../cli/run-in-process.ts';
import { openFolder } from '../support/open-folder.ts';

let room: string;
beforeEach(async () => {
  room = await openFolder('attack');
  // In place of the program: it knows one address, and says what words it was given.
  const program = `#!/bin/sh\ncase $1 in complete) cat candidates ;; *) printf 'WORD<%s>\\n' "$3" ;; esac\n`;
  await writeFile(join(room, 'hostwright'), program, { mode: 0o755 });
});

/** Keys of a stranger's: what they would run leaves a trace. */
const keys = [
  'a b',
  'a`>ran`',
  'a";>ran;"',
  "a';>ran;'",
  String.raw`a\$(>ran)`,
  String.raw`a\';>ran;\'`,
  '$(>ran)',
  '!!$(>ran)',
  '~/$(>ran)',
  'é$(>ran)',
];
/** Beginnings of the word. */
const beginnings = ['projects.a', '"projects.a', "'projects.a", 'projects."a', '"projects".\'a'];

interface Shell {
  readonly words: readonly string[];
  /** Lines that come before the others. */
  readonly setUp: readonly string[];
}

const shells: Readonly<Record<string, Shell>> = {
  bash: {
    words: ['bash', '--norc', '--noprofile', '-i'],
    setUp: ["PS1='REA''DY>' PS2=$PS1", 'source ./script'],
  },
  zsh: {
    words: ['zsh', '-f', '-i'],
    setUp: ["PS1='REA''DY>'", 'autoload -U compinit; compinit -D', 'source ./script'],
  },
  fish: {
    words: ['fish', '--no-config', '-i'],
    setUp: ["function fish_prompt; echo -n 'REA''DY>'; end", 'source ./script'],
  },
};

const isThere = (name: string) => ['/usr/bin', '/bin'].some((at) => existsSync(join(at, name)));

/** A shell on a terminal, to which lines are typed. */
function openShell({ words, setUp }: Shell) {
  const env = {
    PATH: `${room}:${process.env.PATH ?? ''}`,
    TERM: 'xterm',
    HOME: room,
    LANG: 'C.UTF-8',
  };
  const child = spawn('/usr/bin/script', ['-qefc', words.join(' '), '/dev/null'], {
    ...{ cwd: room, env, stdio: ['pipe', 'pipe', 'ignore'] },
  });
  let shown = '';
  let read = 0;
  let look = () => {};
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    shown += stripVTControlCharacters(chunk);
    look();
  });
  /** The text that was shown since the last time, up to a given one. */
  const until = (text: string) =>
    new Promise<string>((done) => {
      look = () => {
        const end = shown.indexOf(text, read);
        if (end === -1) return;
        look = () => {};
        const since = shown.slice(read, end);
        read = end + text.length;
        done(since);
      };
      look();
    });
  const type = async (line: string) => {
    child.stdin.write(`${line}\r`);
    return until('READY>');
  };
  let givenUp = 0;
  return {
    start: async () => {
      for (const line of setUp) await type(line);
    },
    type,
    /** Gives an unfinished line up. Enter behind Ctrl-C wakes the shell, and brings a second prompt or not. */
    giveUp: async () => {
      await type('\u0003');
      givenUp += 1;
      child.stdin.write(`echo GIVEN''UP${givenUp}\r`);
      await until(`GIVENUP${givenUp}`);
      await until('READY>');
    },
    close: () => {
      child.kill();
      return new Promise((done) => child.once('close', done));
    },
  };
}

describe.runIf(isThere('script'))('a key that a shell would run', () => {
  test.each(Object.keys(shells).filter(isThere))('%s completes it to a word', async (name) => {
    const { stdout } = await runInProcess(['completion', name], { cwd: room });
    await writeFile(join(room, 'script'), stdout);
    const shell = openShell(shells[name]!);
    onTestFinished(async () => {
      await shell.close();
    });
    await shell.start();
    for (const key of ['a$(>ran)', ...drawSome(keys, { short: 2, ci: keys.length }, name)]) {
      const address = `projects.a.vms.n[${JSON.stringify(key)}]`;
      await writeFile(join(room, 'candidates'), `${address}\n`);
      for (const begun of beginnings) {
        const shown = await shell.type(`hostwright plan --target ${begun}\t`);
        const [, word] = /WORD<(.*)>/.exec(shown) ?? [];
        const isLeftOut = name === 'bash' && (/.["']/.test(begun) || /^".*!/.test(begun + key));
        if (!isLeftOut) expect([begun, word]).toEqual([begun, address]);
        else {
          expect(shown).not.toContain('ran');
          // Its quotes are still open.
          await shell.giveUp();
        }
      }
    }
    expect(await readdir(room)).not.toContain('ran');
  });
});
