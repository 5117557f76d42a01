import { describe, expect, it } from 'vitest';
import { commandFamilies, findCommandFamilies } from '../../../src/cli/command-families.ts';
import { buildProgram, runCommandLine } from '../../../src/cli/program.ts';
import { silentContext } from '../../support/silent-runtime.ts';

const namesFor = (...argv: string[]) => findCommandFamilies(argv).flatMap(({ names }) => names);
const everything = commandFamilies.flatMap(({ names }) => names);

describe('which commands are loaded', () => {
  it.each(commandFamilies.map((family) => [family.names.join(', '), family] as const))(
    '%s stand where the table says',
    async (_, family) => {
      const program = await buildProgram([family], silentContext);
      expect(program.commands.map((command) => command.name())).toEqual(family.names);
    },
  );

  it('are those of the command, wherever it stands', () => {
    expect(namesFor('version')).toEqual(['version']);
    expect(namesFor('--no-color', 'version', '--json')).toEqual(['version']);
  });

  it('are those of version for --version', async () => {
    let printed = '';
    const stdout = { ...silentContext.runtime.stdout, write: (text: string) => (printed += text) };
    const runtime = { ...silentContext.runtime, stdout };
    expect(await runCommandLine(['--version'], runtime)).toBe(0);
    expect(printed).toMatch(/^Hostwright v\d/);
  });

  it('are more where a word could be another command', () =>
    expect(namesFor('validate', 'graph')).toEqual(['validate', 'graph']));

  it.each([[[]], [['--help']], [['help', 'version']], [['completion', 'bash']], [['pln']]])(
    'are all for %j',
    (argv) => expect(namesFor(...argv)).toEqual(everything),
  );
});
