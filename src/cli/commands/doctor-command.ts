import type { Command } from 'commander';
import {
  isHealthy,
  renderCheckUpsJson,
  renderCheckUpsText,
} from '../../render/account/check-up-text.ts';
import type { CommandContext } from '../command-context.ts';
import { defineCommand, type Call } from '../define-command.ts';
import { jsonOption } from '../flags/options.ts';

const doctor = defineCommand({
  summary: 'look whether everything is in order, and say what to do where it is not',
  description:
    'Looks at the configuration, the address of the service, the access token and its scopes, the clock, the interface that the service publishes, the state and its lock, and tells all that is wrong at once. Changes nothing. Exits with 1 when something failed.',
  operands: [['[dir]', 'directory of the configuration', '.']],
  options: [jsonOption()],
  run: async ({ runtime, operands: [directory] }: Call<[string]>) => {
    const { examine } = await import('../../commands/doctor/doctor.ts');
    return examine(runtime, directory);
  },
  text: renderCheckUpsText,
  json: renderCheckUpsJson,
  isGood: isHealthy,
});

/** `doctor`. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  doctor(program, 'doctor', context);
}
