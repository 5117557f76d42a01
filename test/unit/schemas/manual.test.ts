import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';
import { commandFamilies } from '../../../src/cli/command-families.ts';
import { listCommandExamples, formatCommandPath } from '../../../src/cli/help/examples.ts';
import { renderManual } from '../../../schemas/manual.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { publishedHostwrightVersion } from '../../../src/model/version.ts';
import { silentContext } from '../../support/silent-runtime.ts';

const page = join(import.meta.dirname, '../../../man/hostwright.1');

let program: Command;
let all: readonly Command[];
beforeAll(async () => {
  program = await buildProgram(commandFamilies, silentContext);
  all = listCommands(program);
});

const listCommands = ({ commands }: Command): readonly Command[] =>
  commands.flatMap((one) => [one, ...listCommands(one)]);

// `npm run generate` renews it.
test('the page is as the program is', async () =>
  await expect(renderManual(program, publishedHostwrightVersion)).toMatchFileSnapshot(page));

describe('every command', () => {
  test('says what it does, in a line and at length, and shows it', () => {
    const silent = all.filter(
      (one) =>
        !one.summary() || !/\.$/.test(one.description()) || listCommandExamples(one).length === 0,
    );
    expect(silent.map(formatCommandPath)).toEqual([]);
  });

  test('has examples that it would take', () => {
    const faults = [program, ...all].flatMap((one) =>
      listCommandExamples(one).flatMap((example) =>
        // What a shell does with it is not ours to know.
        example.split(/ (?:&&|\|) /).flatMap((line) => findFault(line.replace(/ > \S+$/, ''))),
      ),
    );
    expect(faults).toEqual([]);
  });

  test('stands on the page, with each of its flags', () => {
    const text = renderManual(program, publishedHostwrightVersion).replaceAll(String.raw`\-`, '-');
    const leaves = all.filter((one) => one.commands.length === 0);
    expect(leaves.length).toBeGreaterThan(30);
    for (const leaf of leaves) {
      const title = `.SS \\fBhostwright ${formatCommandPath(leaf)}\\fR`;
      const section = text.split(title)[1]?.split('\n.S')[0] ?? '';
      for (const { long } of leaf.options) {
        if (long !== '--no-color')
          expect(section, formatCommandPath(leaf)).toContain(`\\fB${long ?? ''}\\fR`);
      }
    }
  });
});

/** What of a command line the program does not know. */
function findFault(line: string): string[] {
  // Behind it are the words of another program.
  const [ours = ''] = line.split(' -- ');
  const [name, ...words] = ours.split(' ');
  if (name !== 'hostwright') return [`${line}: no command of ours`];
  let command = program;
  while (words[0] !== undefined) {
    const next = command.commands.find((one) => one.name() === words[0]);
    if (!next) break;
    command = next;
    words.shift();
  }
  if (command === program) return [`${line}: no such command`];
  // `account` alone is `account show`.
  const own = command.commands.find((one) => one.name() === 'show') ?? command;
  return words
    .filter((word) => word.startsWith('--'))
    .filter((word) => !own.options.some(({ long }) => long === word))
    .map((word) => `${line}: there is no ${word}`);
}

describe.runIf(existsSync('/usr/bin/groff'))('for groff', () => {
  /** What it says, faults too. */
  const groff = (flags: string) =>
    execFileSync('sh', ['-c', `groff -man -ww -Tutf8 -rLL=100n ${flags} 2>&1`], {
      encoding: 'utf8',
      input: renderManual(program, publishedHostwrightVersion),
    });

  test('the page has no fault', () => expect(groff('-z')).toBe(''));

  test('the page can be read', () => {
    const text = groff('-P-c').replaceAll(/.[\b]/g, '');
    expect(text).toContain('hostwright plan [options] [dir]');
    expect(text).toContain(
      "$ hostwright plan --target 'projects.shop.vms.web[0]' --detailed-exitcode",
    );
    expect(text).toContain('HOSTWRIGHT_TOKEN_FILE');
  });
});
