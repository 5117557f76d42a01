import { expect, test } from 'vitest';
import { topLevelCommandNames } from '../../../../src/cli/command-families.ts';
import { environmentVariables, exitCodes } from '../../../../src/cli/help/help-sections.ts';
import { commandGroups } from '../../../../src/cli/help/overview.ts';
import { runCommandLine } from '../../../../src/cli/program.ts';
import { silentRuntime } from '../../../support/silent-runtime.ts';

async function help(line: string, columns?: number): Promise<string> {
  let printed = '';
  const stdout = { ...silentRuntime.stdout, columns, write: (text: string) => (printed += text) };
  expect(await runCommandLine(line.split(' '), { ...silentRuntime, stdout })).toBe(0);
  return printed;
}

test.each(['--help', 'help', 'help environment', 'environment --help'])(
  '%s fits the columns of a terminal',
  async (line) => {
    for (const columns of [undefined, 80, 132]) {
      const widest = Math.max(...(await help(line, columns)).split('\n').map((one) => one.length));
      expect(widest).toBeLessThanOrEqual(Math.min(columns ?? 80, 100));
    }
  },
);

test('the first screen names every command once, and leaves a line of a terminal for the prompt', async () => {
  const printed = await help('--help');
  expect(printed.trimEnd().split('\n').length).toBeLessThan(24);
  const words = commandGroups.flatMap((group) =>
    group.words.flatMap(({ word }) => word.split(', ')),
  );
  expect(words.toSorted()).toEqual(topLevelCommandNames.toSorted());
  expect(printed).toContain(
    '\n  hostwright help environment   variables, permissions and exit codes\n',
  );
  expect(printed).not.toContain('HOSTWRIGHT_');
});

test('variables, permissions and exit codes stand behind help environment', async () => {
  const printed = await help('help environment');
  for (const { word } of [...environmentVariables, ...exitCodes])
    expect(printed).toContain(`\n  ${word} `);
  expect(printed).toMatch(/\nPermissions[^]* --allow-probes \[ranges\] [^]* --allow-env <names> /);
});
