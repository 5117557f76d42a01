import type { Command } from 'commander';
import {
  isEveryCheckUpHealthy,
  renderCheckUpsJson,
  renderCheckUpsText,
} from '../../render/account/check-up-text.ts';
import type { CommandLineContext } from '../command-context.ts';
import { defineCommand, type CommandLineCall } from '../define-command.ts';
import { jsonOption } from '../flags/options.ts';

const doctor = defineCommand({
  summary: 'check your setup for problems, and say how to fix them',
  description:
    'Checks the configuration, the address of the service, the access token and its scopes, the clock, the API that the service publishes, the state and its lock. Reports every problem at once. Changes nothing. Exits with 1 when a check failed.',
  operands: [['[dir]', 'directory of the configuration', '.']],
  options: [jsonOption()],
  run: async ({ runtime, operands: [directory] }: CommandLineCall<[string]>) => {
    const { runDoctor } = await import('../../commands/doctor/doctor.ts');
    return runDoctor(runtime, directory);
  },
  text: renderCheckUpsText,
  json: renderCheckUpsJson,
  isGood: isEveryCheckUpHealthy,
});

/** `doctor`. */
export function addDoctorCommand(program: Command, context: CommandLineContext): void {
  doctor(program, 'doctor', context);
}
