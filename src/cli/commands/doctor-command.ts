import type { Command } from 'commander';
import {
  isHealthy,
  renderCheckUpsJson,
  renderCheckUpsText,
} from '../../render/account/check-up-text.ts';
import type { CommandContext } from '../command-context.ts';
import { runDayTwo } from '../day-two/day-two-output.ts';
import { jsonOption } from '../flags/options.ts';

/** `doctor`. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .summary('look whether everything is in order, and say what to do where it is not')
    .description(
      'Looks at the configuration, the address of the service, the access token and its scopes, the clock, the interface that the service publishes, the state and its lock, and tells all that is wrong at once. Changes nothing. Exits with 1 when something failed.',
    )
    .argument('[dir]', 'directory of the configuration', '.')
    .addOption(jsonOption())
    .action((directory: string, { json }: { readonly json?: boolean }) =>
      runDayTwo(context, json, async () => {
        const { examine } = await import('../../commands/doctor/doctor.ts');
        const checkUps = await examine(context.runtime, directory);
        return {
          text: (layout) => renderCheckUpsText(checkUps, layout),
          json: () => renderCheckUpsJson(checkUps),
          isGood: isHealthy(checkUps),
        };
      }),
    );
}
