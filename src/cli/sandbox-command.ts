import { Option, type Command } from 'commander';
import type { Runtime } from '../model/runtime.ts';
import { parsePositive, parseWhole } from './options.ts';
import type { Exit } from './program.ts';

interface SandboxFlags {
  readonly host: string;
  readonly port: number;
  readonly data?: string;
  readonly speed: number;
  readonly seed: number;
  readonly variant: 'strict' | 'loose';
  readonly json?: boolean;
}

/** `sandbox`: serves the embedded service over HTTP until it is interrupted. */
export function addSandboxCommand(program: Command, runtime: Runtime, exit: Exit): void {
  program
    .command('sandbox')
    .summary('serve the hosting service itself, for trying things out')
    .description(
      'Serves the whole hosting service from this process, on the loopback interface unless told otherwise.',
    )
    .addOption(
      new Option('--port <n>', 'port to listen on; 0 takes a free one')
        .argParser(parseWhole(0, 65_535))
        .default(8080),
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--data <dir>', 'directory to keep the data in; in memory when absent')
    .addOption(
      new Option('--speed <n>', 'how many times faster than in earnest operations run')
        .argParser(parsePositive)
        .default(1),
    )
    .addOption(
      new Option('--seed <n>', 'what ids and durations follow from')
        .argParser(parseWhole(0))
        .default(1),
    )
    .addOption(
      new Option('--variant <name>', 'loose answers otherwise than the contract says where it may')
        .choices(['strict', 'loose'])
        .default('strict'),
    )
    .option('--json', 'print the ready line as JSON')
    .action(async ({ json, ...options }: SandboxFlags) => {
      const { serve } = await import('../commands/sandbox.ts');
      const { stdout, stderr } = runtime;
      const server = await serve(runtime, options);
      const { baseUrl, token } = server;
      if (json) stdout.write(`${JSON.stringify({ baseUrl, token })}\n`);
      else {
        stdout.write(
          [
            `Sandbox ready at ${baseUrl}`,
            `  data: ${options.data ?? 'in memory'}, speed: ${options.speed}, seed: ${options.seed}, variant: ${options.variant}`,
            '  To point Hostwright at it, in another terminal:',
            `    export HOSTWRIGHT_BASE_URL=${baseUrl}`,
            `    export HOSTWRIGHT_TOKEN=${token}`,
            '  Ctrl-C stops it.',
            '',
          ].join('\n'),
        );
      }
      await server.stopped;
      if (!json) stderr.write('Sandbox stopped.\n');
      exit(0);
    });
}
