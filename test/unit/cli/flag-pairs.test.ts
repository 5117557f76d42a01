// Two flags that both say what is shown are both honoured, or refused: none is ignored in silence.
import type { Command, Option } from 'commander';
import { expect, it } from 'vitest';
import { commandFamilies } from '../../../src/cli/command-families.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { silentContext } from '../../support/silent-runtime.ts';

/** Flags that decide what is shown, and a value where one takes it. */
const shapes: Readonly<Record<string, readonly string[]>> = {
  '--format': ['json'],
  '--json': [],
  '--json-into': ['events'],
  '--oneline': [],
  '--verbose': [],
  '--compact-warnings': [],
  '--explain': ['projects.shop'],
  '--compare': ['old'],
  '--rehearse': [],
  '--rehearsals': ['2'],
  '--faults': ['faults.yaml'],
  '--status': ['Failed'],
  '--project': ['projects.shop'],
  '--resource': ['projects.shop.vms.web'],
  '--all': [],
};

const beside = 'the events go to a file, beside the text';
const programs =
  'programs are told each change and each warning on its own, whatever the flag says';
const both = 'each does its part';
const below = 'a rehearsal is drawn below, or refused in formats that cannot show one';
const asks = 'other formats than text and json are refused once they are known';

/** The pairs that a command takes, with what becomes of them. */
const honoured: Readonly<Record<string, string>> = {
  'apply --json --compact-warnings': programs,
  'apply --json --json-into': beside,
  'apply --json --verbose': programs,
  'apply --json-into --compact-warnings': beside,
  'apply --json-into --verbose': beside,
  'apply --verbose --compact-warnings': both,
  'contract journey --project --json': both,
  'destroy --json --compact-warnings': programs,
  'destroy --json --json-into': beside,
  'destroy --json --verbose': programs,
  'destroy --json-into --compact-warnings': beside,
  'destroy --json-into --verbose': beside,
  'destroy --verbose --compact-warnings': both,
  'notifications read --all --json': both,
  'operations --project --json': both,
  'operations --project --status': both,
  'operations --resource --json': both,
  'operations --resource --status': both,
  'operations --status --json': both,
  'plan --compact-warnings --faults': below,
  'plan --compact-warnings --format': programs,
  'plan --compact-warnings --oneline': both,
  'plan --compact-warnings --rehearsals': below,
  'plan --compact-warnings --rehearse': below,
  'plan --faults --format': below,
  'plan --faults --oneline': below,
  'plan --format --explain': asks,
  'plan --json --compact-warnings': programs,
  'plan --json --faults': below,
  'plan --json --json-into': beside,
  'plan --json --rehearsals': below,
  'plan --json --rehearse': below,
  'plan --json --verbose': programs,
  'plan --json-into --compact-warnings': beside,
  'plan --json-into --explain': beside,
  'plan --json-into --faults': below,
  'plan --json-into --format': beside,
  'plan --json-into --oneline': beside,
  'plan --json-into --rehearsals': below,
  'plan --json-into --rehearse': below,
  'plan --json-into --verbose': beside,
  'plan --rehearsals --faults': both,
  'plan --rehearsals --format': below,
  'plan --rehearsals --oneline': below,
  'plan --rehearse --faults': both,
  'plan --rehearse --format': below,
  'plan --rehearse --oneline': below,
  'plan --rehearse --rehearsals': both,
  'plan --verbose --compact-warnings': both,
  'plan --verbose --faults': below,
  'plan --verbose --format': programs,
  'plan --verbose --rehearsals': below,
  'plan --verbose --rehearse': below,
  'show --compare --json': both,
  'show --format --compare': asks,
  'show --format --verbose': programs,
  'show --verbose --compare': both,
  'show --verbose --json': programs,
};

const commandsOf = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap(commandsOf),
];

const pathOf = (command: Command): readonly string[] =>
  command.parent ? [...pathOf(command.parent), command.name()] : [];

const openProgram = () =>
  buildProgram(
    commandFamilies.filter(({ names }) => !names.includes('sandbox') && !names.includes('server')),
    silentContext,
  );

const pairsOf = (options: readonly Option[]) => {
  const names = options.map(({ long }) => long ?? '').filter((name) => name in shapes);
  return names.flatMap((one, index) =>
    names.slice(index + 1).map((other) => [one, other] as const),
  );
};

/** True where the command takes both flags. */
async function takes(path: readonly string[], flags: readonly string[]): Promise<boolean> {
  const program = await openProgram();
  for (const command of commandsOf(program)) command.action(() => undefined);
  const given = flags.flatMap((flag) => [flag, ...(shapes[flag] ?? [])]);
  try {
    await program.parseAsync([...path, ...given], { from: 'user' });
    return true;
  } catch {
    return false;
  }
}

it('every pair of flags that a command takes is honoured', async () => {
  const program = await openProgram();
  const taken: string[] = [];
  for (const command of commandsOf(program)) {
    for (const pair of pairsOf(command.options)) {
      if (await takes(pathOf(command), pair)) taken.push([...pathOf(command), ...pair].join(' '));
    }
  }
  expect(taken.sort()).toEqual(Object.keys(honoured).sort());
});

it.each([
  ['operations', '--project', 'a', '--project', 'b'],
  ['operations', '--resource', 'a', '--resource', 'b'],
  ['test', '--filter', 'a', '--filter', 'b'],
])('%s takes no second %s: one of them would be ignored', async (command, ...flags) => {
  expect(await takes([command], [])).toBe(true);
  expect(await takes([command, ...flags], [])).toBe(false);
});
