import { join } from 'node:path';
import type { Command } from 'commander';
import { format, resolveConfig } from 'prettier';
import { beforeAll, expect, test } from 'vitest';
import { listLeaves, renderCliPage } from '../../../schemas/docs/cli-page.ts';
import { commandFamilies } from '../../../src/cli/command-families.ts';
import { formatCommandPath } from '../../../src/cli/help/examples.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { silentContext } from '../../support/silent-runtime.ts';

const page = join(import.meta.dirname, '../../../docs/cli.md');

let program: Command;
beforeAll(async () => {
  program = await buildProgram(commandFamilies, silentContext);
});

// `npm run generate` renews it.
test('the page is as the program is', async () => {
  const text = renderCliPage(program);
  const spelled = await format(text, { ...(await resolveConfig(page)), filepath: page });
  await expect(spelled).toMatchFileSnapshot(page);
});

test('no line of a help text is wider than a terminal', () => {
  let told = '';
  const showAll = (command: Command) => {
    command.configureOutput({ writeOut: (text) => (told += text) }).outputHelp();
    command.commands.forEach(showAll);
  };
  showAll(program);
  expect(told).toContain('Global Options:');
  expect(told.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('every command has a section with all of its flags and an example', () => {
  const text = renderCliPage(program);
  const leaves = listLeaves(program);
  expect(leaves.length).toBeGreaterThan(30);
  for (const leaf of leaves) {
    const section =
      text.split(`\n## hostwright ${formatCommandPath(leaf)}\n`)[1]?.split('\n## ')[0] ?? '';
    expect(section, formatCommandPath(leaf)).toContain('```sh\nhostwright ');
    for (const { long, hidden } of leaf.options) {
      if (!hidden && long !== '--no-color')
        expect(section, formatCommandPath(leaf)).toContain(long);
    }
  }
});
